"""Nouns: frozen records that every stage shares. They import nothing else of ours."""
