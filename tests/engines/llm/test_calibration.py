"""From what a model says of its confidence to the chance that it is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engines.llm.calibration import calibrated, fit

OUTCOMES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40)


@pytest.mark.parametrize(
    ("stated", "taken"), [(0.8, 0.8), (80, 0.8), (-1, 0.0), (1, 1.0), (400, 1.0)]
)
def test_without_points_the_stated_confidence_counts(stated, taken):
    assert calibrated("never fitted", stated) == taken


@given(OUTCOMES)
def test_a_fitted_curve_rises_and_keeps_the_mean(outcomes):
    points = fit(outcomes)
    rates = [y for _, y in points]
    assert rates == sorted(rates)
    assert all(0 <= y <= 1 for y in rates)
    assert [x for x, _ in points] == sorted(x for x, _ in points)


def test_an_overconfident_model_is_taken_down():
    points = fit([(0.9, True), (0.9, False), (0.95, False), (0.6, False), (0.99, True)])
    assert [round(y, 2) for _, y in points] == [0.0, 0.33, 1.0]
    assert [round(x, 2) for x, _ in points] == [0.6, 0.92, 0.99]
