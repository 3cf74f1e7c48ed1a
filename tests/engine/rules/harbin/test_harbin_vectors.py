"""Settlements of independent Harbin tables, where the shared data is at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from engine.announce import HandResult, Payout
from engine.events import Discard, DrawnHand, Entry, Event, GameStart, HandEnd, HandStart, Position
from engine.game import replay
from engine.tiles import Tile
from tests.engine.rules.harbin import test_harbin_treasure_payments as at_home
from tests.support.harbin_wins import FEEDER, OPTIONS, WINNER, Case, after

SHARED = os.environ.get("TILESIGHT_SHARED")
SEATS = {"A": FEEDER, "B": WINNER, "C": 3, "D": 1}
HOUSE: dict[str, object] = {**dict.fromkeys(OPTIONS, True), "robbed_kong_pays": "self_draw"}
"""The options that the table of these vectors plays by, in the words of the rule set."""

pytestmark = pytest.mark.skipif(SHARED is None, reason="TILESIGHT_SHARED names no folder of data")


def vectors() -> dict[str, Any]:
    path = Path(SHARED or "") / "data" / "vectors" / "harbin" / "harbin_settlement.json"
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return read


def case(row: dict[str, Any]) -> Case:
    """The same win, in the situations of the payment test."""
    drawn = row["win"] == "selfdraw"
    holed = bool(row.get("clamp"))
    if row.get("doradora"):
        return Case("doradora", "7p", True, dora="7p", drawn=True)
    if row.get("dora"):
        return Case("dora", "1s", holed, dora="1s", drawn=True)
    tile = "7p" if holed else "9p"
    dora = "1s" if drawn else None
    return Case(row["id"], tile, holed, dora, drawn, bool(row.get("payer_ready")))


def test_payments_are_those_of_the_other_table() -> None:
    rows = [row for row in vectors()["settlement"] if row.get("seed_has_rule", True)]
    assert len(rows) == 9
    for row in rows:
        closed = {SEATS[seat] for seat in row["closed"]}
        game = replay(map(Entry, after(case(row), HOUSE, closed)))
        (payout,) = [said for said in game.announcements() if isinstance(said, Payout)]
        paid = {seat: -payout.deltas[SEATS[seat]] for seat in "ACD"}
        assert paid == {seat: row["pay_fan"].get(seat, 0) for seat in "ACD"}, row["id"]


def test_a_dealer_who_wins_stays_and_another_winner_passes_the_deal_in_turn() -> None:
    # The rule for drawn hands differs: here the deal passes then too.
    rows = [row for row in vectors()["dealer"] if row["result"] != "draw"]
    for row in rows:
        away = (ord(row["result"][0]) - ord(row["dealer"])) % 4
        dealer = (WINNER - away) % 4
        events: list[Event] = list(after(Case("own draw", "6p", False, "1s", True), HOUSE, set()))
        events[1] = HandStart(dealer=dealer)
        game = replay(map(Entry, [*events, HandEnd()]))
        (result,) = [said for said in game.announcements() if isinstance(said, HandResult)]
        passed = (ord(row["next"]) - ord(row["dealer"])) % 4
        assert result.dealer == (dealer + passed) % 4, row


HOME: dict[str, object] = {"next_dealer": "next_seat"}
WAYS = {
    "PingHu": ("open", "9p", "ready"),
    "ZiMo": ("open", "9p", "drawn"),
    "MoBao": ("open", "5p", "treasure"),
    "LouBao": ("open", "9p", "rush"),
    "BaoZhongBao": ("open", "9p", "treasure"),
}
"""How the payment test of the home game comes to what the second table pays by these names."""


def test_the_home_game_pays_what_the_second_table_multiplies_with() -> None:
    multipliers = vectors()["second_source"]["multipliers"]
    for name, (hand, tile, how) in WAYS.items():
        events = at_home.after(hand, Tile(tile), how, {"treasure": "same"})
        (payout,) = [
            said for said in replay(map(Entry, events)).announcements() if isinstance(said, Payout)
        ]
        assert payout.deltas[at_home.FEEDER] == -multipliers[name], name
    clamped, plain = (at_home.paid(hand, "7p", "ready", {}) for hand in ("clamp", "edge"))
    assert clamped == plain * multipliers["KaDang"]


def test_treasures_pay_at_home_what_they_pay_at_the_other_table() -> None:
    rows = [row for row in vectors()["settlement"] if row.get("dora")]
    assert len(rows) == 2
    for row in rows:
        hand, tile = ("clamp", "7p") if row.get("doradora") else ("open", "5p")
        events = at_home.after(hand, Tile(tile), "treasure", {"treasure": "same"})
        (payout,) = [
            said for said in replay(map(Entry, events)).announcements() if isinstance(said, Payout)
        ]
        assert {-payout.deltas[seat] for seat in (0, 1, 3)} == set(row["pay_fan"].values())


def test_the_dealer_at_home_is_that_of_the_other_table() -> None:
    rows = vectors()["dealer"]
    assert len(rows) == 4
    for row in rows:
        dealer = "ABCD".index(row["dealer"])
        events: list[Event] = [GameStart("harbin-treasure", HOME), HandStart(dealer=dealer)]
        if row["result"] == "draw":
            events += [Position(wall_left=9), Discard(dealer, Tile("2m")), DrawnHand("exhausted")]
        else:
            won = at_home.after("open", Tile("9p"), "drawn", {"treasure": "same"})
            away = (at_home.WINNER - "ABCD".index(row["result"][0])) % 4
            events = [events[0], HandStart(dealer=(dealer + away) % 4), *won[2:]]
            dealer = (dealer + away) % 4
        game = replay(map(Entry, [*events, HandEnd()]))
        (result,) = [said for said in game.announcements() if isinstance(said, HandResult)]
        passed = (ord(row["next"]) - ord(row["dealer"])) % 4
        assert result.dealer == (dealer + passed) % 4, row
