"""Every rule set does what its table of cases says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine.announce import NotReady, Payout, Problem, heard_by
from engine.events import Discard, Entry
from engine.rules import RULE_SETS
from engine.rules.base import IMPOSSIBLE_CODES
from engine.tiles import Tile, parse
from tests.support.cases import PRESETS, Case, cases, outcome, seen, spelled
from tests.support.one_by_one import one_by_one

TABLES = [rules for rules in RULE_SETS if rules not in PRESETS]
ALL = [case for rules in RULE_SETS for case in cases(rules)]


def of_kind(*kinds: str) -> Callable[[Callable[[Case], None]], Callable[[str], None]]:
    """A test of every rule set that has such rows, which checks each of them."""
    rows = {
        rules: [case for case in cases(rules) if case.kind in kinds or not kinds]
        for rules in RULE_SETS
    }

    def test_of(check: Callable[[Case], None]) -> Callable[[str], None]:
        @pytest.mark.parametrize("rules", [rules for rules, found in rows.items() if found])
        def test_rows(rules: str) -> None:
            one_by_one(rows[rules], check)

        return test_rows

    return test_of


@of_kind("ready")
def test_hand_waits_for_these_tiles(case: Case) -> None:
    game = case.play()
    assert game.rules is not None
    waits = game.rules.waits(game.state, 0)
    assert waits is not None
    good = {wait.tile for wait in waits if wait.refused is None}
    assert good == set(parse(case.row.get("waits", "")))
    refused = {wait.tile: wait.refused for wait in waits if wait.refused is not None}
    assert refused == {Tile(tile): code for tile, code in case.row.get("refused", {}).items()}


@of_kind("ready")
def test_claim_of_being_ready_lacks_these_conditions(case: Case) -> None:
    row = dict(case.row)
    spare = next(Tile(t) for t in ("9p", "8p", "1p") if Tile(t) not in parse(row["hand"]))
    with_spare = Case(case.rules, "play", {**row, "position": _turn(row, spare), "events": []})
    game = with_spare.play()
    said = heard_by(game.submit(Entry(Discard(0, spare, ready=True))), 0)
    missing = [code for one in said if isinstance(one, NotReady) for code in one.missing]
    codes = [one.code for one in said if isinstance(one, Problem)]
    assert game.rules is not None
    if "no_ready_call" in game.rules.problems:
        assert (missing, codes) == ([], ["no_ready_call"])
    else:
        assert missing == list(row.get("missing", []))
        assert sorted(codes) == sorted(missing)  # what only its own seat hears comes first


def _turn(row: Mapping[str, Any], spare: Tile) -> dict[str, Any]:
    hands = {"0": f"{row['hand']} {spare}"}
    return {"hands": hands, "sets": {"0": row.get("sets", ())}, "turn": 0, "wall": 40}


@of_kind("win")
def test_win_is_paid_or_refused(case: Case) -> None:
    said = case.play().announcements()
    payout = said[-1]
    assert isinstance(payout, Payout)
    codes = [one.code for one in said if isinstance(one, Problem)]
    assert codes == case.row.get("refused", [])
    assert list(payout.deltas) == case.row.get("pays", [0, 0, 0, 0])
    names = [item.name for item in payout.items]
    assert names == case.row.get("items", names)
    assert payout.seat == (None if "refused" in names else 0)  # the winner, and no one else


@of_kind("play")
def test_play_is_announced(case: Case) -> None:
    said = outcome(case.play())
    for expected in spelled(case.row.get("says", [])):
        assert any(_holds(expected, one) for one in said), (expected, said)
    assert not [one for one in said if one["kind"] in case.row.get("never", [])]


def _holds(expected: Mapping[str, Any], one: Mapping[str, Any]) -> bool:
    """Whether the announcement has every field expected; the first suggestions are compared."""
    return all(
        one.get(key, [])[: len(value)] == value if key == "suggestions" else one.get(key) == value
        for key, value in expected.items()
    )


@of_kind()
def test_case_shows_what_it_claims_to_show(case: Case) -> None:
    game = case.play()
    found = seen(case, game)
    assert set(case.row.get("shows", [])) <= found
    assert not set(case.row.get("near", [])) & found
    problems = [one for one in game.announcements() if isinstance(one, Problem)]
    told = [(one.of, one.code, one.seat) for one in problems]
    assert len(told) == len(set(told)), "a problem is told twice"


def test_every_case_names_its_source() -> None:
    assert [str(case) for case in ALL if not case.row["source"]] == []


@pytest.mark.parametrize("rules", TABLES)
@pytest.mark.parametrize("side", ["shows", "near"])
def test_every_option_payment_and_code_has_a_case_and_a_near_miss(rules: str, side: str) -> None:
    rule_set = RULE_SETS[rules]
    wanted = {f"option:{option.name}" for option in rule_set.options}
    wanted |= {f"payment:{row}" for row in rule_set.payment.rows}
    wanted |= {f"code:{code}" for code in (*rule_set.problems, *IMPOSSIBLE_CODES)}
    covered = {name for case in cases(rules) for name in case.row.get(side, [])}
    assert wanted <= covered, wanted - covered


@pytest.mark.parametrize("preset", sorted(PRESETS.keys() & RULE_SETS.keys()))
def test_a_preset_differs_in_defaults_only(preset: str) -> None:
    rules, same = RULE_SETS[preset], RULE_SETS[PRESETS[preset]]
    assert [(option.name, option.values) for option in rules.options] == [
        (option.name, option.values) for option in same.options
    ]
    assert [option.default for option in rules.options] != [
        option.default for option in same.options
    ]
    assert (rules.problems, rules.payment.rows) == (same.problems, same.payment.rows)
