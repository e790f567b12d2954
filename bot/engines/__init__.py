"""Engines: who judges. Offline needs no key and no network; llm asks a model through litellm."""
