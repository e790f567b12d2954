"""Secrets and personal data are found, and business text is left alone (G5, G12)."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.redact import Privacy, personal, redact, redact_id, secrets, without_names
from bot.redact.rules import rules

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc+/=\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (KEY, "PRIVATE_KEY"),
        (KEY[:60], "PRIVATE_KEY"),
        (JWT, "JWT"),
        ("ghp_" + "a1" * 18, "GITHUB_TOKEN"),
        ("github_pat_" + "a1" * 18, "GITHUB_TOKEN"),
        ("glpat-abcdefghij0123456789", "GITLAB_TOKEN"),
        ("AKIAIOSFODNN7EXAMPLE", "AWS_KEY"),
        ("AIza" + "a" * 35, "GOOGLE_KEY"),
        ("xoxb-123456789012-abcdef", "SLACK_TOKEN"),
        ("sk_live_abcdefghijklmnop", "STRIPE_KEY"),
        ("sk-proj-abcdefghijklmnopqrstuvwx", "MODEL_KEY"),
        ("hf_" + "a" * 34, "PACKAGE_TOKEN"),
        ("postgres://user:s3cret@db.example/x", "CONNECTION_STRING"),
        ("Authorization: Bearer abcdef0123456789abcd", "TOKEN"),
        ("Cookie: session=abc123; other=1", "COOKIE"),
        ("password = hunter2hunter2", "SECRET"),
        ('"client_secret": "a8f7d6s5a8f7"', "SECRET"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzKEY12", "SECRET"),
        ("aws_secret_access_key: wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzKEY12", "SECRET"),
        ('secret_key = "ab12cd34ef56"', "SECRET"),
        ("AccountName=x;AccountKey=" + "abcd1234EFGH5678" * 5 + "==", "SECRET"),
        ("token=abcdef123456abcdef", "SECRET"),
        ("token: " + "0f3a" * 8, "SECRET"),
        ("Authorization: token " + "0f3a" * 10, "TOKEN"),
        ("https://x.example/blob?sv=1&sig=abcdef123456%3D", "SECRET"),
        ("pwd=hunter2horse9", "SECRET"),
        ("PASSWORD=correcthorsebattery", "SECRET"),
        ("password is Tr0ub4dor&3", "SECRET"),
        ("Passwort lautet Geheim123!", "SECRET"),
        ("contraseña es Hola1234$", "SECRET"),
        ("mot de passe est Soleil!42", "SECRET"),
        ("password è Ciao!2024", "SECRET"),
        ("senha é Bola#99x", "SECRET"),
        ("wachtwoord is Fiets&2023", "SECRET"),
        ("パスワードは Sakura#77", "SECRET"),
        ("密码是 Panda!2020", "SECRET"),
        ("shpat_" + "0f3a" * 8, "SHOP_TOKEN"),
        ("dop_v1_" + "0f3a" * 16, "CLOUD_TOKEN"),
        ("AC" + "0f3a" * 8, "TELEPHONY_KEY"),
        ("q8Zx1vR7tLm3Wn5Yb0Kp2HsD", "HIGH_ENTROPY"),
    ],
)
def test_secrets_go(text: str, kind: str) -> None:
    shown = redact(f"before {text} after")
    assert f"[redacted:{kind}]" in shown
    assert shown.startswith("before ")
    assert kind in secrets(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("jane.doe+x@mail.example.com", "EMAIL"),
        ("größe@beispiel.de", "EMAIL"),
        ("+49 30 1234567", "PHONE"),
        ("+1 (415) 555-0100", "PHONE"),
        ("(415) 555-0100", "PHONE"),
        ("415-555-0100", "PHONE"),
        ("4111 1111 1111 1111", "CARD"),
        ("5500-0000-0000-0004", "CARD"),
        ("DE89 3704 0044 0532 0130 00", "IBAN"),
        ("GB82WEST12345698765432", "IBAN"),
        ("0170 1234567", "PHONE"),
        ("415 555 2671", "PHONE"),
        ("078-05-1120", "NATIONAL_ID"),
    ],
)
def test_personal_data_goes(text: str, kind: str) -> None:
    assert redact(f"a {text} b") == f"a [redacted:{kind}] b"
    assert personal(f"a {text} b") == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "$25,000 and 25.000,00 EUR above 1,000,000 units",
        "2026-01-05T10:00:00Z, 05.01.2026, 10:30-11:45",
        "PROC-2024-008, INV-2024-000123, fin-2024-12-03-001",
        "order 1234567890123, parcel 00340434161094021501",
        "4111 1111 1111 1112",
        "DE00 3704 0044 0532 0130 00",
        "api_key = <your-key-123456>",
        "password: ${DB_PASSWORD_1234}",
        "@octocat and #12, see section 3.2.1",
        "knowledge_base/policies/PROC-2024-008.md",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "The secret of a good password: length.",
        "version 1.2.3-rc.4+build.5",
        "https://example.com/a/b?c=d",
        "ISBN 978-3-16-148410-0 and 9780306406157",
        "the password is required, the token is expired, token: invalid",
        "max_tokens=4096, prompt_tokens: 123456",
    ],
)
def test_business_text_stays(text: str) -> None:
    assert redact(text) == text
    assert personal(text) == ()


def test_random_looking_tokens_are_secrets_in_a_change() -> None:
    assert secrets("key q8Zx1vR7tLm3Wn5Yb0Kp2HsD") == ("HIGH_ENTROPY",)
    assert secrets("a8f5f167f44f4964e6c998dee827110c") == ()
    assert secrets("skills/vendor-payment/SKILL.md ThisIsAVeryLongIdentifierName1") == ()


def test_a_label_stays_and_its_value_goes() -> None:
    shown = redact('AWS_SECRET_ACCESS_KEY="abcd/1234/efgh"; token: 0123456789abcdef0123')
    assert shown == 'AWS_SECRET_ACCESS_KEY="[redacted:SECRET]"; token: [redacted:SECRET]'


def test_an_id_may_look_random_and_may_hold_no_secret() -> None:
    assert redact_id("thread_q8Zx1vR7tLm3Wn5Yb0Kp2HsD") == "thread_q8Zx1vR7tLm3Wn5Yb0Kp2HsD"
    assert redact_id("jane.doe@corp.example/2024") == "[redacted:EMAIL]/2024"


def test_personal_data_stays_where_that_is_asked_for_and_secrets_do_not() -> None:
    text = "jane@example.com, password is Tr0ub4dor&3"
    assert (
        redact(text, Privacy(personal=False)) == "jane@example.com, password is [redacted:SECRET]"
    )


@pytest.mark.parametrize(
    "text",
    [
        "ask Jane Doe about it",
        "ask JANE  DOE about it",
        "ask Doe, Jane about it",
        "ask jane.doe about it",
        "ask Jane\u200b Doe about it",
    ],
)
def test_names_of_the_list_go(text: str) -> None:
    shown = redact(text, Privacy(names=("Jane Doe", "山田 太郎")))
    assert shown == "ask [redacted:NAME] about it"
    assert personal(text, ("Jane Doe",))


def test_names_go_in_scripts_without_spaces_and_in_written_json() -> None:
    names = ("山田 太郎", "Jane Doe")
    assert redact("担当は山田太郎です", Privacy(names=names)) == "担当は[redacted:NAME]です"
    assert without_names(r'"a\nJane Doe"', names) == r'"a\n[redacted:NAME]"'
    assert without_names("Janet Doering", names) == "Janet Doering"
    assert without_names("Jane Doe", ()) == "Jane Doe"


def test_kinds_are_words_that_a_reader_of_quotes_knows() -> None:
    for rule in (*rules("secret"), *rules("personal")):
        assert re.fullmatch(r"[A-Z_]+", rule.kind)


BETWEEN = (
    "\u200c",
    "\u00ad",
    "\u200b",
    "\u2060",
    "\ufeff",
    "\ufe0f",
    "\x1b[0m",
    "\x00",
    "\U000e0041",
)
SPLIT = ("ghp_" + "a1" * 18, "john@example.com", "AKIAIOSFODNN7EXAMPLE", "DE89370400440532013000")


@given(
    text=st.sampled_from(SPLIT),
    between=st.sampled_from(BETWEEN),
    places=st.sets(st.integers(1, 15), min_size=1, max_size=5),
)
def test_hidden_characters_inside_a_secret_hide_nothing(
    text: str, between: str, places: set[int]
) -> None:
    parts = [char + between * (place in places) for place, char in enumerate(text, 1)]
    shown = redact(f"a\u200d {''.join(parts)} b\u200d")
    assert re.fullmatch(r"a\u200d \[redacted:\w+\] b\u200d", shown)
    assert (secrets if "_" in text or "AKIA" in text else personal)("".join(parts))


def test_signs_that_look_alike_hide_nothing() -> None:
    assert redact("to jane\uff20example.com") == "to [redacted:EMAIL]"


@pytest.mark.parametrize("text", ["می\u200cخواهم", "a\u00adb", "❤\ufe0f 👩\u200d🚒", "a\r\n\tb"])
def test_what_is_hidden_stays_where_no_secret_is(text: str) -> None:
    assert redact(text) == text


@given(text=st.text(max_size=300) | st.text(alphabet="ab1@.+ \u200b\x1b[]m\uff20", max_size=60))
def test_twice_is_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "1 " * 50_000,
        "-----BEGIN PRIVATE KEY-----" * 5_000,
        "a.b@" * 20_000,
        "eyJ" * 30_000,
        "http://" * 20_000,
        "password" * 10_000,
        "+1 2" * 20_000,
        "A1" * 50_000,
        "a\u200b" * 50_000,
        "\x1b]" * 20_000,
    ],
)
def test_long_hostile_text_takes_no_long_time(text: str) -> None:
    """Not a stopwatch: a pattern that blows up would not end within the run's patience."""
    assert redact(text)
    assert secrets(text) is not None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\t"])
@pytest.mark.parametrize(
    "secret",
    ["ghp_abcdefghijklmnopqrstuvwxyz012345", "AKIAIOSFODNN7EXAMPLQ", "jane.doe@corp.example"],
)
def test_a_line_end_of_written_json_hides_nothing(secret: str, end: str) -> None:
    """However often it was written into another one."""
    text = f"the vendor{end}{secret}{end}and more"
    for _ in range(3):
        text = json.dumps(text)
        assert secret not in redact(text)
        assert "and more" in redact(text)
