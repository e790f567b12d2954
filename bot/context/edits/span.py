"""New text in the place of a span, written as the file's form needs it."""

from __future__ import annotations

from pathlib import PurePosixPath

from bot.context.edit import replace_span
from bot.context.edits.json_splice import replace_json_span
from bot.context.edits.yaml_splice import replace_yaml_span
from bot.records.change import Edit

FORMS = {
    ".json": replace_json_span,
    ".jsonc": replace_json_span,
    ".yaml": replace_yaml_span,
    ".yml": replace_yaml_span,
}


def replace_words(path: str, text: str, start: int, end: int, new: str) -> Edit:
    """An edit that puts the words `new` in the place of `text[start:end]`.

    In JSON and YAML they are escaped as the string around them needs it. Raises `EditRefused`
    where nothing would change, or the file would not read as asked.
    """
    replace = FORMS.get(PurePosixPath(path).suffix.lower(), replace_span)
    return replace(path, text, start, end, new)
