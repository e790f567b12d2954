"""Agent logs: one file a format, each read into the steps of `bot.sources.steps`."""
