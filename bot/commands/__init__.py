"""One file a command: `execute(args)` does it and returns what to print and the exit code."""
