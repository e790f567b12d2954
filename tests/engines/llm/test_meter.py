"""Budgets: asked before a call, with its worst case, and never overspent."""

from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from threading import Event, Lock

import pytest

from bot.engines.llm.messages import CallFailed, Reply, tokens, worst_case
from bot.engines.llm.meter import Allowance, Meter, Prices, at_most, counted, metered
from bot.records.report import Usage

PLENTY = Allowance(1000, 1000.0, 1000.0)


def answer(request) -> Reply:
    return Reply("ok", prompt_tokens=10, completion_tokens=5, cost_usd=0.25)


def test_calls_are_counted_with_tokens_and_dollars(asking):
    meter = Meter(PLENTY, Prices())
    metered(answer, meter)(asking())
    assert meter.usage == Usage(1, 10, 5, 0.25)


def test_a_call_over_the_number_is_not_made(asking):
    made = []
    meter = Meter(Allowance(2, 9.0, 9.0), Prices())
    complete = metered(lambda request: made.append(1) or answer(request), meter)
    complete(asking())
    complete(asking())
    with pytest.raises(CallFailed, match="max_llm_calls 2"):
        complete(asking())
    assert len(made) == 2


def test_a_call_that_could_cost_too_much_is_not_made(asking):
    prices = Prices(prompt=0.001, completion=0.01)
    taken, given = worst_case(asking())
    dear = prices.of(taken, given)
    assert metered(answer, Meter(Allowance(9, dear, 9.0), prices))(asking()).text == "ok"
    with pytest.raises(CallFailed, match="max_cost_usd"):
        metered(answer, Meter(Allowance(9, dear * 0.99, 9.0), prices))(asking())


def test_what_is_set_aside_comes_back_when_the_call_was_cheaper_or_failed(asking):
    prices = Prices(completion=0.01)
    meter = Meter(Allowance(9, prices.of(*worst_case(asking())) + 0.5, 9.0), prices)

    def fails(request):
        raise CallFailed("failing", "no")

    with pytest.raises(CallFailed, match="no"):
        metered(fails, meter)(asking())
    metered(answer, meter)(asking())
    metered(answer, meter)(asking())
    assert meter.usage.llm_calls == 2


def test_no_call_starts_after_the_time_is_up(asking):
    now = [0.0]
    meter = Meter(Allowance(9, 9.0, 60.0), Prices(), clock=lambda: now[0])
    assert meter.seconds_left() == 60.0
    metered(answer, meter)(asking())
    now[0] = 61.0
    with pytest.raises(CallFailed, match="max_runtime_min 1"):
        metered(answer, meter)(asking())
    assert meter.seconds_left() == 1.0


def test_calls_side_by_side_cannot_overspend(asking):
    meter = Meter(Allowance(100, 64.0 * 3, 9.0), Prices(completion=1.0))
    go_on = Event()

    def waits(request):
        go_on.wait(5)
        return Reply()

    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(metered(waits, meter), asking()) for _ in range(8)]
        refused = list(islice(as_completed(calls), 5))
        go_on.set()
    assert all(isinstance(call.exception(), CallFailed) for call in refused)
    assert meter.usage.llm_calls == 3


def test_no_more_calls_at_once_than_allowed(asking):
    lock, running, most = Lock(), [0], [0]

    def busy(request):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        with lock:
            running[0] -= 1
        return Reply(text=request.messages[1].content)

    complete = at_most(busy, 2)
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda n: complete(asking(str(n))).text, range(20)))
    assert texts == [str(n) for n in range(20)]
    assert most[0] <= 2


def test_a_replayed_call_counts_and_meets_no_limit(asking):
    meter = Meter(Allowance(0, 0.0, 0.0), Prices())
    counted(answer, meter)(asking())
    assert meter.usage == Usage(1, 10, 5, 0.25)


@pytest.mark.parametrize(
    "text", ["plain words in a row", "§ 12,50 € | 14-days", "配車料は三千円です"]
)
def test_the_worst_case_is_no_less_than_half_of_the_bytes(text):
    assert tokens(text) * 2 >= len(text.encode())
