"""Handlers of the REST calls, one module a family."""
