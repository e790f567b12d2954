"""Which unit a text says a figure is in, and how the right one is written in its place."""

from __future__ import annotations

import pytest

from bot.engines.offline.unit_words import clash, lexicon, spelt


@pytest.mark.parametrize(
    ("said", "name", "comment", "old", "new"),
    [
        ("Total volume in litres.", "volume_m3", "", "litres", "cubic metres"),
        ("Volume in liters.", "volume", "m³, rounded", "liters", "cubic meters"),
        ("Sum in whole euros.", "amount_cent", "as the tool sends it", "euros", "cents"),
        (
            "Length of use in minutes.",
            "span",
            "number of quarter hours",
            "minutes",
            "quarter hours",
        ),
        ("Speed in km/h.", "speed", "metres per second", "km/h", "metres per second"),
        ("Speed (km/h)", "speed_mps", "", "km/h", "m/s"),
        ("Weight in kg.", "weight_g", "", "kg", "g"),
        ("Plant time of the start.", "started_utc", "", "Plant time", "UTC"),
        ("Dauer in Tagen.", "dauer_stunden", "", "Tagen", "Stunden"),
        ("Monto en euros.", "monto", "céntimos", "euros", "céntimos"),
        ("Durée en jours.", "duree", "en heures", "jours", "heures"),
        ("Peso em quilogramas.", "peso_g", "", "quilogramas", "gramas"),
        ("Durata in giorni.", "durata", "in ore", "giorni", "ore"),
        ("Duur in dagen.", "duur_uren", "", "dagen", "uren"),
        ("長さ（分）", "length", "秒単位", "分", "秒"),
        ("时长，单位为分钟", "length", "单位为秒", "分钟", "秒"),
    ],
)
def test_the_unit_of_the_source_takes_the_place_of_the_other(
    said: str, name: str, comment: str, old: str, new: str
) -> None:
    found = clash(said, name, comment)

    assert found is not None
    assert found.old.text == old
    assert spelt(found, said) == new


@pytest.mark.parametrize(
    ("said", "name", "comment"),
    [
        ("Length in hours.", "slots", "of 30 minutes each"),  # an amount is no unit
        ("First day back at work.", "end_day", "last day of absence, in hours"),
        ("In days, or in weeks.", "span", "hours"),  # two units
        ("Length in hours.", "span", "minutes or days"),
        ("Weight in kg.", "length", "metres"),  # of another dimension
        ("Length in hours.", "span_hours", ""),
        ("Rate per hour.", "rate", "minutes"),
    ],
)
def test_where_it_is_not_plain_nothing_is_exchanged(said: str, name: str, comment: str) -> None:
    assert clash(said, name, comment) is None


def test_a_comment_that_begins_with_a_unit_has_its_figure_in_it() -> None:
    found = clash("gust in km/h", "gust", "metres per second; the limits are in km/h")

    assert found is not None
    assert found.new.text == "metres per second"


def test_every_word_of_the_lexicon_is_written_once_a_language_and_dimension() -> None:
    for units in lexicon().dimensions.values():
        for language in {lang for unit in units.values() for lang in unit.words}:
            words = [
                word
                for unit in units.values()
                for word in {w for group in unit.words.get(language, ()) for w in group}
            ]
            assert len(words) == len(set(words)), language
