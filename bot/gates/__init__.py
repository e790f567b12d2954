"""What a change set must pass before it is proposed, and again before it is published.

One file a gate, in the order of their numbers in `bot.gates.table`. No gate asks a model.
"""
