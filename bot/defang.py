"""Foreign text made harmless for the place it goes to, visibly, so that it can still be read.

GitHub turns names, numbers and addresses into notifications, links and closed issues, a table
into other cells, a log line into a command. A squash merge turns a body into a commit message,
where fences mean nothing, so the same is done inside fences too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, takewhile

CELL_LENGTH = 160
HIDDEN = "[hidden]"
# In a quote, where a reader of the report looks for such gaps.
GONE = "[redacted:HIDDEN]"

# Colour and cursor sequences, and the operating system commands of terminals.
ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)?|\x1b[@-_]?")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]+")
# Zero width, bidi, invisible operators, tags, variation selectors and private use.
INVISIBLE = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\ue000-\uf8ff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]+"
)
# Joiners that many scripts write with: dropped without a word.
JOINERS = re.compile("[\u00ad\u200c\u200d]")
# What stands between two characters without being seen there, the emoji style among it.
UNSEEN = re.compile(
    "|".join((ANSI.pattern, CONTROL.pattern, INVISIBLE.pattern, JOINERS.pattern, "\ufe0f"))
)
LOOK_ALIKE = str.maketrans({"\uff20": "@", "\ufe6b": "@", "\uff03": "#", "\ufe5f": "#"})

RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"([a-z][a-z0-9+.-]{0,20})://", re.I), r"\1[:]//"),
    (re.compile(r"http(s?)\[:\]//", re.I), r"hxxp\1://"),
    (re.compile(r"www\.", re.I), "www[.]"),
    (re.compile(r"@(?=\w)"), "(at)"),
    (re.compile(r"#(?=\d)"), "no."),
    (re.compile(r"\b[gG][hH]-(?=\d)|GH-(?=\d)"), "GH no."),
    (re.compile(r"<!-+|-+>"), "‹!›"),
)
ESCAPES = str.maketrans(
    {
        "\\": r"\\",
        "|": r"\|",
        "`": r"\`",
        "*": r"\*",
        "_": r"\_",
        "[": r"\[",
        "]": r"\]",
        "~": r"\~",
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
    }
)


def visible(text: str) -> str:
    """Text without colour, control characters and characters that nobody sees; lines stay."""
    text = CONTROL.sub("", ANSI.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return INVISIBLE.sub(HIDDEN, JOINERS.sub("", text))


def marked(text: str) -> str:
    """The text with a mark in place of colour, control and unseen characters; the rest verbatim,
    joiners and line breaks too."""
    return CONTROL.sub(GONE, INVISIBLE.sub(GONE, ANSI.sub(GONE, text)))


def bare(text: str) -> tuple[str, Sequence[int]]:
    """The text as a reader puts it together: nothing hidden inside a word, no look-alike signs.

    With it comes, for each of its characters, the place where that one stands in `text`.
    """
    spans = [match.span() for match in UNSEEN.finditer(text)]
    if not spans:
        return text.translate(LOOK_ALIKE), range(len(text))
    starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)]
    places = [n for start, end in zip(starts, ends, strict=True) for n in range(start, end)]
    return UNSEEN.sub("", text).translate(LOOK_ALIKE), places


def inert(text: str) -> str:
    """The text with no workflow command in any of its lines."""
    return re.sub(r"(?m)^([^\S\n]*):(?=:)", r"\1: ", text.replace("##[", "# #["))


def plain(text: str) -> str:
    """Visible text in which nothing can notify, link or close; line breaks stay."""
    text = visible(text).translate(LOOK_ALIKE)
    for pattern, instead in RULES:
        text = pattern.sub(instead, text)
    return inert(text)


def line(text: str) -> str:
    """One line of plain text, for titles and commit messages; angle brackets become `‹ ›`."""
    return " ".join(plain(text).replace("<", "‹").replace(">", "›").split())


def cell(text: str, length: int = CELL_LENGTH) -> str:
    """One table cell of at most `length` characters, with Markdown and HTML escaped."""
    escaped = [char.translate(ESCAPES) for char in " ".join(plain(text).split())]
    if sum(map(len, escaped)) <= length:
        return "".join(escaped)
    room = length - 1
    kept = takewhile(lambda total: total <= room, accumulate(map(len, escaped)))
    return "".join(escaped[: len(list(kept))]).rstrip() + "…"


def short(text: str, length: int) -> str:
    """The text on one line and of at most `length` characters; nothing in it is defused."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1].rstrip() + "…"


def code(text: str) -> str:
    """A code span of one line; backticks inside become apostrophes."""
    return f"`{line(text).replace('`', chr(39)) or '-'}`"


def fence(text: str) -> str:
    """A `~~~text` block, its fence longer than any run of tildes inside."""
    inside = plain(text).replace("<", "‹").replace(">", "›").strip("\n")
    # So that no line of it passes for a heading of ours when the text is read back.
    inside = re.sub(r"(?m)^#", " #", inside)
    longest = max((len(run) for run in re.findall(r"~+", inside)), default=0)
    bar = "~" * max(3, longest + 1)
    return f"{bar}text\n{inside}\n{bar}"


def log_line(text: str) -> str:
    """One visible line for a log, in which no workflow command can start; `%` is written out.

    Links stay, since a log notifies nobody.
    """
    return inert(" ".join(visible(text).split()).replace("%", "%25"))
