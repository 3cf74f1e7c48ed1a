"""Riichi hands and payments of other tables and programs, where the shared data is at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

import pytest

from engine.rules.riichi.pay import Won, nagashi_mangan, noten_payments, pays_win
from engine.rules.riichi.worth import score
from engine.rules.riichi.yaku import RiichiScore, base_points
from tests.support.riichi_data import (
    SHARED,
    Case,
    ema_examples,
    kobalab_wins,
    lines,
    mahjax_wins,
    tenhou_wins,
    whole,
)
from tests.support.riichi_options import EMA_2016, TENHOU

pytestmark = pytest.mark.skipif(SHARED is None, reason="TILESIGHT_SHARED names no folder of data")

Options = Mapping[str, object]


def differences(cases: Iterable[Case], options: Options) -> tuple[int, list[str]]:
    """How many wins there were, and every one whose yaku, han, fu or payments differ."""
    count, differ = 0, []
    for _, hand in groupby(cases, lambda case: case.name.rsplit(" ", 1)[0]):
        together = list(hand)
        scores = [score(case.facts, options) for case in together]
        count += len(together)
        for case, found in zip(together, scores, strict=True):
            if found is None or not same(case, found):
                differ.append(f"{case.name}: {found}, expected {case}")
        first = together[0]
        paid = pays_win(
            [
                Won(case.winner, case.from_seat, found.base)
                for case, found in zip(together, scores, strict=True)
                if found is not None
            ],
            first.dealer,
            first.counters,
            max(case.pot for case in together),
            options["counters_to"] == "each",
        )
        expected = tuple(map(sum, zip(*(case.deltas for case in together), strict=True)))
        if paid.deltas != expected:
            differ.append(f"{first.name}: paid {paid}, expected {expected}")
    return count, differ


def same(case: Case, found: RiichiScore) -> bool:
    """Fu are not compared for yakuman, where they are nothing."""
    return dict(found.yaku) == case.yaku and (
        bool(found.yakuman) or (found.han, found.fu) == (case.han, case.fu)
    )


def test_wins_of_public_games_are_worth_and_pay_what_they_did() -> None:
    cases = tenhou_wins("agari_tenhou_phoenix_4p_hanchan.jsonl.gz")
    assert differences(cases, TENHOU) == (3761, [])


def test_wins_scored_by_another_program_agree() -> None:
    doubled = ("suuankou_tanki", "kokushi_thirteen", "chuuren_nine", "daisuushii")
    options = {**TENHOU, "double_yakuman": doubled, "counters_to": "each"}
    assert differences(kobalab_wins(), options) == (5000, [])


def test_public_wins_that_are_the_same_by_the_european_rules_agree() -> None:
    cases = tenhou_wins("ema2016_compatible_agari.jsonl.gz")
    assert differences(cases, EMA_2016) == (2004, [])


def test_worked_examples_of_the_european_rules_agree() -> None:
    told = 0
    for row, facts in ema_examples():
        found = score(facts, EMA_2016)
        assert found is not None
        limits = {name: 13 if han == "yakuman" else han for name, han in row["yaku"].items()}
        limits = {"riichi_dora" if name == "dora" else name: han for name, han in limits.items()}
        assert dict(found.yaku) == limits, row["id"]
        if "han" in row:
            assert found.han == row["han"], row["id"]
        if "fu" in row:
            assert found.fu == row["fu"], row["id"]
        dealer = facts.seat_wind == "1z"
        won = Won(0, 0 if facts.drawn else 1, found.base)
        deltas = pays_win([won], 0 if dealer else 1, 0, 0, True).deltas
        paid = [-delta for delta in deltas[1:] if delta]
        assert list(dict.fromkeys(paid)) == row["pays"], row["id"]
        told += 1
    assert told == 18


def test_yaku_cases_of_another_program_agree() -> None:
    options = {**TENHOU, "double_yakuman": ("daisuushii",)}
    told = 0
    for name, row, facts in mahjax_wins():
        found = score(facts, options)
        assert found is not None, name
        assert found.base == row["score"], name
        if row["fu"]:
            assert (found.han, found.fu) == (row["fan"], row["fu"]), name
        else:
            assert found.yakuman == row["fan"], name
        told += 1
    assert told == 41


@pytest.mark.parametrize("dealer", [True, False])
def test_tables_of_payments_agree(dealer: bool) -> None:
    rows = whole(f"points_table_{'dealer' if dealer else 'non-dealer'}.json")
    seat = 0 if dealer else 1
    for han, fu, discarded, *drawn in rows:
        base = base_points(han, fu, thirteen_is_yakuman=True)
        paid = pays_win([Won(seat, 2, base)], 0, 0, 0, True).deltas
        assert paid[seat] == discarded == -paid[2], (han, fu)
        if None not in drawn:
            own = pays_win([Won(seat, seat, base)], 0, 0, 0, True).deltas
            # From the dealer, then from another; the dealer has one figure only.
            payers = [1] if dealer else [0, 2]
            assert [-own[payer] for payer in payers] == drawn, (han, fu)
    assert len(rows) == 130


def test_drawn_hands_of_public_games_pay_what_they_did() -> None:
    told = 0
    for row in lines("ryuukyoku_tenhou_phoenix_4p_hanchan.jsonl.gz"):
        match row["type"]:
            case "exhaustive":
                paid = noten_payments([int(seat) for seat in row["tenpai_hands"]])
            case "nm":
                paid = nagashi_mangan([row["deltas"].index(max(row["deltas"]))], row["dealer"])
            case _:
                paid = (0, 0, 0, 0)
        assert list(paid) == row["deltas"], row
        told += 1
    assert told == 772
