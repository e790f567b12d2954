"""A labelled suite from any context repository: sources, faults, sessions (TRACE, appendix L)."""
