"""Whether a value that looks like a secret or like personal data can be one."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

# A name of a place where the secret stands, a call, or a mark for the reader to fill in.
PLACEHOLDER = re.compile(
    r"[<\[{(*%]|\$|.{0,40}(?:\.{3}|…)|(?:os\.|process\.|self\.|this\.|env\b|secrets?\.|vars?\.|vault:|ENC\[)"
    r"|[A-Za-z_][\w.]*\(|/(?:bin|etc|home|opt|tmp|usr|var|Users|run|mnt)/|your[_-]|my[_-]|https?://",
    re.I,
)
CARDS = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}"
    r"|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6(?:011|5\d\d|4[4-9]\d)\d{12}|62\d{14,17}"
    r"|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{8,15}"
)
DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
RESIDENT_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def assigned(value: str) -> bool:
    """Not a placeholder such as `<your-key>`, `${TOKEN}` or `xxxx`, and no word about secrets."""
    value = value.strip("'\"")
    return (
        not PLACEHOLDER.match(value)
        and len(set(value)) > 3
        and value.lower().strip(".!?") not in _plain_words()
    )


def written(value: str) -> bool:
    """After a colon, where prose may follow: a word must be a long one to be no prose."""
    value = value.rstrip(".!?)")
    return assigned(value) and (_made_up(value) or (len(value) >= 8 and value.isalpha()))


def drawn(value: str) -> bool:
    """What a machine drew: letters with digits, or no word for its length."""
    value = value.rstrip(".!?)")
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    capitals = value[1:] not in (value[1:].upper(), value[1:].lower())
    long = len(value) >= 24 or (capitals and len(value) >= 16)
    return assigned(value) and len(value) >= 8 and (mixed or long) and not _dated(value)


def spoken(value: str) -> bool:
    """In the middle of a sentence: a word must be a very long one to be no prose."""
    value = value.rstrip(".!?)")
    return assigned(value) and (_made_up(value) or (len(value) >= 16 and value.isalpha()))


def random(token: str) -> bool:
    """Long, mixed and dense enough that no person wrote it (more than 4 bits a character)."""
    mixed = any(map(str.isupper, token)) and any(map(str.islower, token))
    # Words of an address or a name are joined by such signs; random characters seldom are.
    unbroken = max(map(len, re.split(r"[+_-]", token))) >= 12
    numbers = len(re.findall(r"[0-9]+", token))
    counts = Counter(token)
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    return mixed and unbroken and numbers >= 3 and entropy > 4.0


def base64(token: str) -> bool:
    """Letters, capitals and digits so mixed up that no path of files is written so."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in token if c.isalnum()]
    turns = sum(left != right for left, right in pairwise(kinds))
    return set(kinds) == {"d", "u", "l"} and turns * 5 >= len(token) * 2


def card(text: str) -> bool:
    """A number of a card scheme with the check digit of ISO/IEC 7812-1, annex B (Luhn)."""
    digits = _digits(text)
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (
        CARDS.fullmatch(digits) is not None
        and (sum(map(int, digits[::-2])) + doubled) % 10 == 0
        and len(set(digits)) > 1
    )


def mod97(text: str) -> bool:
    """The check digits of an IBAN (ISO 13616)."""
    compact = re.sub(r"[\s-]", "", text).upper()
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def cpf(text: str) -> bool:
    """The two check digits of a CPF."""
    digits = [int(digit) for digit in _digits(text)]
    for size in (9, 10):
        total = sum(digit * (size + 1 - at) for at, digit in enumerate(digits[:size]))
        if total * 10 % 11 % 10 != digits[size]:
            return False
    return len(set(digits)) > 1


def dni(text: str) -> bool:
    """The check letter of a DNI or an NIE."""
    compact = text.replace("-", "")
    number = "XYZ".find(compact[0])
    digits = f"{number if number >= 0 else compact[0]}{compact[1:-1]}"
    return compact[-1] == DNI_LETTERS[int(digits) % 23]


def resident(text: str) -> bool:
    """The check character of an identity number by GB 11643-1999."""
    total = sum(int(digit) * by for digit, by in zip(text[:17], RESIDENT_WEIGHTS, strict=True))
    return "10X98765432"[total % 11] == text[-1].upper()


def phone(text: str) -> bool:
    """As many digits as a number with its area code has (ITU-T E.164)."""
    return 9 <= len(_digits(text)) <= 15


def number(text: str) -> bool:
    """As many digits as a number that its context calls a telephone has; no date."""
    return 7 <= len(_digits(text)) <= 15 and not re.match(r"(?:19|20)\d\d[-./ ]\d", text)


def account(text: str) -> bool:
    """As many digits as a bank's number for an account or for itself has; no date."""
    return 6 <= len(_digits(text)) <= 20 and not re.match(r"(?:19|20)\d\d[-./ ]\d", text)


def _made_up(value: str) -> bool:
    """A digit, a sign inside, or a capital inside: no word of a sentence has one."""
    if re.fullmatch(r"\d+(?:[.,:/-]\d+)*\D{0,3}|[^\W\d_]+(?:['’-][^\W\d_]+)+", value):
        return False
    inner = value[1:]
    return len(value) >= 4 and (
        any(map(str.isdigit, value))
        or bool(re.search(r"[^\w\s'’/.-]", inner))
        or (inner != inner.upper() and inner != inner.lower())
    )


def _dated(value: str) -> bool:
    return re.match(r"(?:19|20)\d\d-\d\d", value) is not None


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isascii() and char.isdigit())


@cache
def _plain_words() -> frozenset[str]:
    text = files(__package__).joinpath("plain_words.toml").read_text("utf-8")
    return frozenset(tomllib.loads(text)["words"])


PROOFS: Final[Mapping[str, Callable[[str], bool]]] = {
    "assigned": assigned,
    "written": written,
    "drawn": drawn,
    "spoken": spoken,
    "random": random,
    "base64": base64,
    "card": card,
    "mod97": mod97,
    "cpf": cpf,
    "dni": dni,
    "resident": resident,
    "phone": phone,
    "number": number,
    "account": account,
}
