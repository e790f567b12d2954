"""Verbs, in run order. An engine claims, a stage concludes."""
