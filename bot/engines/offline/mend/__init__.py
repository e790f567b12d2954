"""Exact edits for each kind of explanation."""
