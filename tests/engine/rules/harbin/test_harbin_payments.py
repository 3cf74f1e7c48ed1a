"""What a Harbin win pays, computed a second time from the text of the rules, for every option."""

from __future__ import annotations

from itertools import product

import pytest

from engine.announce import Payout
from engine.events import Entry
from engine.game import replay
from tests.support.harbin_wins import FEEDER, OPTIONS, WINNER, Case, after

CASES = [
    Case("discard", "9p", False),
    Case("discard, holed", "7p", True),
    Case("discard of a ready player", "9p", False, feeder_ready=True),
    Case("discard of a ready player, holed", "7p", True, feeder_ready=True),
    Case("a discarded dora is an ordinary tile", "9p", False, dora="9p"),
    Case("own draw", "6p", False, dora="1s", drawn=True),
    Case("own draw, holed", "7p", True, dora="1s", drawn=True),
    Case("dora", "1s", False, dora="1s", drawn=True),
    Case("dora beside a holed wait", "1s", True, dora="1s", drawn=True),
    Case("the dora is one of two waits", "9p", False, dora="9p", drawn=True),
    Case("doradora", "7p", True, dora="7p", drawn=True),
    Case("robbed kong", "6p", False, robbed=True),
    Case("robbed kong, holed", "7p", True, robbed=True),
]


def paid(case: Case, options: dict[str, object], closed: set[int]) -> tuple[int, ...]:
    """Deltas as the rules' text has them, seat by seat."""
    doubles = bool(options["holed_wait_double"]) and case.holed
    as_discard = case.robbed and options["robbed_kong_pays"] == "discard"
    shot = not case.drawn and not case.feeder_ready and (not case.robbed or as_discard)
    deltas = [0, 0, 0, 0]
    for seat in {0, 1, 2, 3} - {WINNER}:
        if case.drawn and case.dora == case.tile:
            due = 6 if case.name == "doradora" else 3
        elif case.drawn or (case.robbed and not as_discard):
            due = 2
        else:
            due = 3 if seat == FEEDER and shot else 1
        minimum = 3 if options["no_melding_punishment"] and seat in closed else 0
        if options["no_melding_minimum_doubles"]:
            due = max(due, minimum) * (2 if doubles else 1)
        else:
            due = max(due * (2 if doubles else 1), minimum)
        payer = FEEDER if options["shooting_punishment"] and shot else seat
        deltas[payer] -= due
        deltas[WINNER] += due
    return tuple(deltas)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_every_payment_by_every_option_is_that_of_the_text(case: Case) -> None:
    robbed = ("self_draw", "discard") if case.robbed else ("self_draw",)
    for values in product((False, True), repeat=len(OPTIONS)):
        for pays in robbed:
            options: dict[str, object] = dict(zip(OPTIONS, values, strict=True))
            options["robbed_kong_pays"] = pays
            for closed in (set(), {1}, {FEEDER, 3}, {0, 1, 3}):
                closed = closed - {FEEDER} if case.robbed else closed
                game = replay(map(Entry, after(case, options, closed)))
                payouts = [said for said in game.announcements() if isinstance(said, Payout)]
                expected = paid(case, options, closed)
                assert [payout.deltas for payout in payouts] == [expected], (options, closed)


def test_the_figures_that_the_documents_give() -> None:
    plain: dict[str, object] = {**dict.fromkeys(OPTIONS, False), "robbed_kong_pays": "self_draw"}
    totals = {case.name: paid(case, plain, set())[WINNER] for case in CASES}
    assert totals["discard of a ready player"] == 3
    assert totals["discard"] == 5
    assert totals["own draw"] == 6
    assert totals["dora"] == 9
    assert totals["doradora"] == 18
    # 001 gives 12 from each for what 000 calls doradora, with the holed wait doubled.
    doubled = plain | {"holed_wait_double": True}
    doradora = next(case for case in CASES if case.name == "doradora")
    assert paid(doradora, doubled, set()) == (-12, -12, 36, -12)
