"""The model engine: the papers' methods as named strategies, asked through one seam, `Complete`.

A `Request` goes through a short pipeline of callables (see `client.py`) to a provider and comes
back as a `Reply`. Everything that a session or the repository says stands in a fence, cleaned;
everything that the model says is checked by plain code before it counts.
"""
