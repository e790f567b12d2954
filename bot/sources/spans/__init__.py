"""Spans of any vocabulary as trajectories; what every trace store and OTLP file shares."""
