"""One small file a trace store: its door, its pages, its rows."""
