"""Strategies: one file a way to attribute, and their table."""
