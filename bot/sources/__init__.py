"""Sources: one file a trace store or file format, each yielding canonical trajectories."""
