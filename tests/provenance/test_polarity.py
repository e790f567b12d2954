import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.provenance.polarity import opposed, polarity


@pytest.mark.parametrize(
    ("text", "pole"),
    [
        ("Customers must not pay", "forbidden"),
        ("You can't send it", "forbidden"),
        ("Payment is not required", "optional"),
        ("You need not come", "optional"),
        ("A signature is mandatory", "required"),
        ("It may be sent later", "may"),
        ("Darf wegen des strittigen Teils überhaupt nicht gemahnt werden", "forbidden"),
        ("Das muss nicht sein", "optional"),
        ("Der Antrag ist erforderlich", "required"),
        ("No debe pagar", "forbidden"),
        ("No es obligatorio", "optional"),
        ("Il ne faut pas payer", "forbidden"),
        ("O pagamento não é obrigatório", "optional"),
        ("Non è obbligatorio", "optional"),
        ("De klant hoeft niet te betalen", "optional"),
        ("提出は必須です", "required"),
        ("入力は任意です", "optional"),
        ("不得退款", "forbidden"),
    ],
)
def test_modality_with_its_negation(text: str, pole: str) -> None:
    assert [mark.pole for mark in polarity(text) if mark.axis == "modality"] == [pole]
    assert all(mark.axis != "negation" for mark in polarity(text))


@pytest.mark.parametrize(
    ("one", "other", "axis"),
    [
        ("The fee must be paid", "The fee need not be paid", "modality"),
        ("Optional; leave empty", "Required: telephone number", "modality"),
        ("All holders sign", "Either holder signs", "quantity"),
        ("Alle Inhaber unterschreiben", "any holder", "quantity"),
        ("Return false", "Return true", "state"),
        ("Replay the events first", "Replay the events last", "order"),
        ("sign before the exam", "nach der Prüfung", "time"),
        ("The higher the sooner", "the lower it is", "degree"),
        ("weekends are included", "weekends are not included", "inclusion"),
        ("con IVA", "sin IVA", "inclusion"),
        ("税込", "税抜", "inclusion"),
        ("It fails", "It never fails", "negation"),
    ],
)
def test_opposed_texts_name_their_axis(one: str, other: str, axis: str) -> None:
    assert axis in opposed(polarity(one), polarity(other))
    assert axis in opposed(polarity(other), polarity(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("must be paid", "is required"),
        ("must not be sent", "is forbidden"),
        ("not required", "optional"),
        ("all of them", "both of them"),
        ("first this, then last that", "first"),
        ("x", "y"),
    ],
)
def test_texts_that_agree_are_not_opposed(one: str, other: str) -> None:
    assert opposed(polarity(one), polarity(other)) == ()


@given(st.one_of(st.text(), st.text(alphabet="not mustmayonly.'一不必须İ")))
def test_marks_of_any_text_lie_in_it_in_order(text: str) -> None:
    end = 0
    for mark in polarity(text):
        assert end <= mark.start < mark.end <= len(text)
        assert text[mark.start : mark.end] == mark.text
        end = mark.end
    assert opposed(polarity(text), polarity(text)) == ()
