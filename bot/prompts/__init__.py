"""One template file a question; `template.py` reads and fills them. Wording lives here only."""
