"""The life of pull requests: from what GitHub says now, the plan, the configuration and the clock
to decisions. Nothing here asks GitHub or writes; `bot.forges` does both."""
