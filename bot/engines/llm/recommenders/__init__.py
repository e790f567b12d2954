"""Recommenders: one file a way to propose the fix, and their table."""
