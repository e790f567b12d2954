"""Readers of public sets of labelled failures. Their text is read where it lies, never copied."""
