"""Faults that a context repository shows by itself, before any session meets them.

One file a check, in the order of `bot.audit.table`. A check asks no model and no network; it
prefers silence to a doubt.
"""
