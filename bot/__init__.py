"""trace-bot: from dissatisfied agent sessions to pull requests on the context repository."""

__version__ = "0.1.0"
