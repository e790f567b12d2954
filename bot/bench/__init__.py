"""The ruler: benchmark folders, scores, floors and comparisons."""
