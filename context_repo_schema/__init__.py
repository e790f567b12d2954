"""The published contract of a context repository; it imports nothing of `bot`."""
