"""Signals of dissatisfaction: one file each, and their table."""
