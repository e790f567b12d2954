from hypothesis import given
from hypothesis import strategies as st

from bot.provenance.values import values


@given(st.text())
def test_values_of_any_text_lie_in_it_in_order_and_apart(text: str) -> None:
    end = 0
    for value in values(text):
        assert end <= value.start < value.end <= len(text)
        assert text[value.start : value.end] == value.text
        end = value.end
