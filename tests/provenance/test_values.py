import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.provenance import lexicon
from bot.provenance.value import nearness
from bot.provenance.values import Value, comparable, contradicts, magnitude, same, values

WORDS = json.loads(Path(__file__).with_name("number_words.json").read_text())["languages"]


def only(text: str) -> Value:
    found = values(text)
    assert len(found) == 1, found
    return found[0]


def read(text: str) -> list[tuple[str, str, str | None]]:
    return [(value.kind, value.canonical, value.cmp) for value in values(text)]


@pytest.mark.parametrize(
    "forms",
    [
        ("$25K", "25,000 dollars", "USD 25 000", "25.000 $", "twenty-five thousand dollars"),
        ("25.000 €", "25 000 €", "25\u202f000 €", "€25,000.00", "25000 EUR", "25 Tsd. Euro"),
        ("fünfundzwanzigtausend Euro", "veinticinco mil euros", "vingt-cinq mille euros"),
        ("25000円", "2万5千円", "２５，０００円", "¥25,000", "二万五千円"),
        ("2.5 million euros", "2,5 Mio. Euro", "€2.5M", "€ 2.500.000"),
        ("forty-five euros ninety-nine", "45,99 €", "€45.99"),
        ("forty-five pence", "£0.45", "45p"),
        ("five percent", "5 %", "5 Prozent", "5％", "cinco por ciento", "百分之五", "5パーセント"),
        ("one and three quarter per cent", "1.75 %", "1,75 Prozent", "175 basis points"),
        ("72 hours", "3 days", "three days", "3日間", "drei Tage", "tres días", "P3D"),
        ("a fortnight", "two weeks", "14 days", "vierzehn Tage", "14 jours", "quatorze jours"),
        ("half a year", "six months", "180 days", "6 Monate", "半年", "6か月", "seis meses"),
        ("a quarter of an hour", "15 min", "quinze minutes", "PT15M", "¼ hour", "15分"),
        ("an hour and a half", "1.5 h", "90 minutes", "anderthalb Stunden", "1 hour 30 minutes"),
        ("every quarter", "three months", "quarterly", "vierteljährlich"),
        ("five business days", "5 working days", "5 Werktage", "5営業日", "cinco días hábiles"),
        ("2 pm", "14:00", "14 Uhr", "two in the afternoon", "午後2時", "dos de la tarde"),
        ("1 April 2026", "April 1st, 2026", "1. April 2026", "01.04.2026", "2026年4月1日"),
        ("2026-04-01", "1er avril 2026", "1 de abril de 2026", "2026/04/01"),
        ("FY26 Q2", "FY2026 Q2"),
        ("Q2 2026", "second quarter of 2026", "2026-Q2", "2. Quartal 2026"),
        ("100 psi", "6.9 bar", "689 kPa"),
        ("25 lbf·ft", "34 Nm", "34 N·m"),
        ("100 °F", "38 °C", "38 degrees Celsius"),
        ("5 GB", "5,000 MB"),
        ("60 mph", "96.6 km/h"),
        ("v2.3.1", "version 2.3.1", "2.3.1"),
        ("+49 30 1234567", "+49-30-1234567"),
        ("per day", "pro Tag", "par jour", "por día"),
    ],
)
def test_forms_of_one_value_are_the_same(forms: tuple[str, ...]) -> None:
    first = only(forms[0])
    for form in forms[1:]:
        other = only(form)
        assert same(first, other), (first, other)
        assert not contradicts(first, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("€250", "150 Euro"),
        ("€250", "$250"),
        ("5 days", "5 business days"),
        ("48 hours", "two working days"),
        ("365 days", "half a year"),
        ("12 months", "6 meses"),
        ("14:00", "3 pm"),
        ("April 1", "2026-05-01"),
        ("Monday", "dimanche"),
        ("Q2 2026", "Q3 2026"),
        ("11.2 bar", "142 psi"),
        ("POL-12", "POL-13"),
        ("v2", "v3"),
        ("`returned`", "`scanned`"),
        ("20 %", "fifteen percent"),
        ("docs/a.md", "docs/b.md"),
        ("extension 4410", "ext. 4477"),
        ("per second", "per minute"),
        ("at least 14 days", "7 days"),
        ("up to €250", "up to €150"),
        ("at least 5 %", "at most 5 %"),
        ("Porting Desk", "Carrier Relations"),
    ],
)
def test_unlike_values_of_one_kind_contradict(one: str, other: str) -> None:
    assert contradicts(only(one), only(other))
    assert contradicts(only(other), only(one))
    assert not same(only(one), only(other)) or only(one).cmp


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("at least 14 days", "21 days"),
        ("up to €250", "€100"),
        ("over 5 %", "up to 5 %"),
        ("April 2026", "1 April 2026"),
        ("half past two", "14:30"),
        ("03/04/2026", "3 April 2026"),
        ("18.150", "18,150"),
        ("Residence Tutor", "Residence Tutors"),
        ("5 days", "5 GB"),
        ("POL-12", "CR-PORT"),
        ("€15", "5 %"),
        ("per day", "5 days"),
    ],
)
def test_values_that_can_both_hold_do_not_contradict(one: str, other: str) -> None:
    assert not contradicts(only(one), only(other))
    assert not contradicts(only(other), only(one))


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("10 days", "14 days", 1.0, 1.0),
        ("EUR 60.00", "EUR 600.00", 1.0, 1.0),
        ("2 hours", "3 days", 0.1, 0.9),
        ("14 days", "one hour", 0.0, 0.0),
        ("three minutes", "three months", 0.0, 0.0),
        ("$50,000", "$25", 0.0, 0.0),
        ("5 March 2026", "9 September 2031", 1.0, 1.0),  # no sizes
        ("0 EUR", "20 EUR", 1.0, 1.0),
    ],
)
def test_sizes_that_are_far_apart_are_of_other_things(
    one: str, other: str, low: float, high: float
) -> None:
    assert low <= nearness(only(one), only(other)) <= high
    assert nearness(only(one), only(other)) == nearness(only(other), only(one))


def test_a_bare_number_is_the_same_as_an_amount_but_never_contradicts_it() -> None:
    amount, number = only("€22"), only("twenty-two")
    assert same(amount, number)
    assert not comparable(amount, only("twenty-three"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Up to and including €150 in total", [("money", "150", "<=")]),
        (
            "mindestens 5 Tage, höchstens zwei Wochen",
            [("duration", "432000", ">="), ("duration", "1209600", "<=")],
        ),
        ("no more than 7 bar", [("measure", "700000", "<=")]),
        ("nothing older than a week", [("duration", "604800", "<=")]),
        ("not less than 3 %", [("percent", "3", ">=")]),
        ("north of a hundred and fifty", [("number", "150", ">")]),
        ("6 months or more", [("duration", "6", ">=")]),
        (
            "10日以内、25,000円以上、5件未満",
            [("duration", "864000", "<="), ("money", "25000", ">="), ("number", "5", "<")],
        ),
        ("between 5 and 10 days", [("duration", "432000", ">="), ("duration", "864000", "<=")]),
        ("$5-10", [("money", "5", ">="), ("money", "10", "<=")]),
        ("entre 8 y 18 h", [("time", "08:00", ">="), ("time", "18:00", "<=")]),
        ("10:00-16:00", [("time", "10:00", ">="), ("time", "16:00", "<=")]),
        ("Mon-Fri", [("date", "W1", ">="), ("date", "W5", "<=")]),
        ("since 1 July 2026", [("date", "2026-07-01", ">=")]),
        ("4 to 31 May", [("date", "--05-04", ">="), ("date", "--05-31", "<=")]),
        ("no later than March 5th", [("date", "--03-05", "<=")]),
        ("bis zum 5. März", [("date", "--03-05", "<=")]),
    ],
)
def test_bounds_and_ranges(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("€15 a day", [("money", "15"), ("duration", "86400")]),
        ("4. Press start once.", [("ordinal", "4")]),
        ("section 4.2, step 3, the 2nd", [("ordinal", "4.2"), ("ordinal", "3"), ("ordinal", "2")]),
        (
            "call +49 30 1234567 or 555-123-4567",
            [("phone", "49301234567"), ("phone", "5551234567")],
        ),
        (
            "mail a.b@c.example, see https://c.example/v2.",
            [("email", "a.b@c.example"), ("url", "https://c.example/v2")],
        ),
        ("read docs/policies/POL-11.md", [("path", "docs/policies/POL-11.md")]),
        (
            "FIN-2026-011 and CR-PORT in EUR",
            [("identifier", "FIN-2026-011"), ("identifier", "CR-PORT"), ("identifier", "EUR")],
        ),
        (
            "order_status is `returned` or CLOSED",
            [("enum", "order_status"), ("enum", "returned"), ("enum", "closed")],
        ),
        ("198.51.100.64/27", [("identifier", "198.51.100.64/27")]),
        ("The Shift Coordination Desk", [("name", "shift coordination desk")]),
        ("in 2026, 2500 calls", [("date", "2026"), ("number", "2500")]),
        ("the man stays the full hour", [("duration", "3600")]),
        ("a visit at two in the night", [("time", "02:00")]),
        ("at noon", [("time", "12:00")]),
        ("a las once y veinte de la noche", [("time", "23:20")]),
        ("scade 11/2025", [("date", "2025-11")]),
        ("line1 of line 4", [("ordinal", "4")]),
        ("halb drei", [("time", "02:30|14:30")]),
        ("1,00,000 rupees", [("money", "100000")]),
        ("R$ 1.234,56", [("money", "1234.56")]),
        ("一共二百一", [("number", "210")]),
    ],
)
def test_kinds_are_told_apart(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(value.kind, value.canonical) for value in values(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "may I ask, we march on and set out",
        "the second may follow, a second card",
        "once upon a time, one of them",
        "YOU MUST NEVER DO THIS",
        "on the desk, I bin it",
        "un ami, ein Freund, um amigo",
        "一部の人",
    ],
)
def test_words_that_only_look_like_values_are_none(text: str) -> None:
    assert values(text) == ()


@pytest.mark.parametrize("language", sorted(WORDS))
def test_number_words_of_a_language_read_as_their_number(language: str) -> None:
    read_back = {
        number: [v.canonical for v in values(f"({word})")]
        for number, word in WORDS[language].items()
    }
    assert read_back == {number: [number] for number in WORDS[language]}


HOSTILE = st.text(alphabet="0129.,:/-–+%€$£ KMhd°年月日時万半()@_`#AZazß一三İ\u202f\u00a0\n\t'")
WORDS_OF_VALUES = """
at least half a an quarter of hour and twenty five hundred thousand million € % 12 3.5 1,000 days to
from between 5 March may 2026 Q2 FY26 noon past two uhr halb per und y et POL-1 no more than or 2万
五 日 :30 v2 a/b.md x_y
"""
PHRASES = st.lists(st.sampled_from(WORDS_OF_VALUES.split()), max_size=12).map(" ".join)


@given(text=st.one_of(st.text(), HOSTILE, PHRASES))
@example(text="İİ 5 €")
@example(text="9" * 400)
def test_values_of_any_text_lie_in_it_in_order_and_apart(text: str) -> None:
    end = 0
    for value in values(text):
        assert end <= value.start < value.end <= len(text)
        assert text[value.start : value.end] == value.text
        assert same(value, value)
        assert not contradicts(value, value)
        magnitude(value)
        end = value.end


LOCALES = {
    "en": ("{whole:,}.{cents:02}", ",", "€{}"),
    "de": ("{whole:,},{cents:02}", ".", "{} €"),
    "fr": ("{whole:,},{cents:02}", "\u202f", "{} EUR"),
    "ch": ("{whole:,}.{cents:02}", "'", "EUR {}"),
}


@given(cents=st.integers(0, 10**11), locale=st.sampled_from(sorted(LOCALES)))
def test_money_of_any_locale_reads_back(cents: int, locale: str) -> None:
    form, mark, place = LOCALES[locale]
    written = form.format(whole=cents // 100, cents=cents % 100)
    written = written.replace(",", "\0", written.count(",") - (form.count("},")))
    value = only(place.format(written.replace("\0", mark)))
    assert (value.kind, value.unit) == ("money", "EUR")
    assert Decimal(value.canonical) == Decimal(cents) / 100


@given(number=st.integers(0, 10**12))
def test_whole_numbers_read_back_with_any_mark(number: int) -> None:
    for written in (f"{number:,}", f"{number:,}".replace(",", " ")):
        assert str(number) in only(f"({written})").readings or 1990 <= number < 2070


MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
FORMS = {
    "en": "{month} {day}, {year}",
    "de": "{day}. {month} {year}",
    "es": "{day} de {month} de {year}",
    "pt": "{day} de {month} de {year}",
}


@given(date=st.dates(), language=st.sampled_from(sorted(MONTHS)))
def test_dates_of_any_language_read_back(date: object, language: str) -> None:
    iso = str(date)
    year, month, day = iso.split("-")
    if not "1900" <= year < "2100":
        return
    name = MONTHS[language].split()[int(month) - 1]
    form = FORMS.get(language, "{day} {month} {year}")
    written = form.format(day=int(day), month=name, year=year)
    for text in (
        written,
        iso,
        f"{int(day)}.{int(month)}.{year}",
        f"{year}年{int(month)}月{int(day)}日",
    ):
        assert only(text).canonical == iso


LEXICON = sorted(
    {
        word
        for file in (Path(lexicon.__file__).parent / "data").glob("*.json")
        for word in re.findall(r"[^\W\d_]+", file.read_text("utf-8"))
    }
)
# What `re` takes for the same without case, though `str.lower` does not.
TWINS = str.maketrans({"i": "ı", "I": "İ", "s": "ſ", "k": "K", "µ": "μ", "ı": "i", "σ": "ς"})


@pytest.mark.parametrize("change", [str, str.upper], ids=["as written", "upper case"])
@pytest.mark.parametrize("twins", [{}, TWINS], ids=["plain", "twins"])
def test_words_that_only_a_pattern_takes_for_those_of_a_table_break_nothing(twins, change):
    for word in LEXICON:
        said = f"the second {word} 3 {word} 2026, 5 {word} at {word} twelve past {word}"
        text = change(said).translate(twins)
        assert all(text[value.start : value.end] == value.text for value in values(text))
