"""Cutters: one file a format, each turning a text into units."""
