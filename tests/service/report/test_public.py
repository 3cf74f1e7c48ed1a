"""What only one seat may know never reaches the public table."""

from __future__ import annotations

import json
from typing import Literal

import pytest

from engine.announce import NotReady, Ready, Wait
from engine.codec import read_record
from engine.events import (
    Correct,
    Deal,
    Draw,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Position,
)
from engine.game import replay
from engine.rules import RULE_SETS
from engine.tiles import UNKNOWN, Tile, parse
from engine.visibility import events_seen
from service.report.public import public_announcements, public_table
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.properties import every_rule_set

NAMES = ("Anna", "Bo", "Chen", "Dai")
Kind = Literal["dora", "kan_dora", "ura_dora", "fortune", "treasure"]
HAND = parse("123m 456m 789m 11p 22s")


def shown(*entries: Entry) -> list[Event]:
    return [one.entry.event for one in events_seen(replay(entries))]


def test_a_position_hides_hands_and_what_only_some_may_look_at() -> None:
    given = Position((HAND, (), (), ()), indicators=(Indicator(Tile("5m"), "dora"),))
    during = [Entry(GameStart("harbin-hlr")), Entry(HandStart())]
    event = shown(*during, Entry(given))[-1]
    assert isinstance(event, Position)
    assert event.hands == ((UNKNOWN,) * 13, (), (), ())
    assert event.indicators == (Indicator(UNKNOWN, "dora"),)


def test_a_correction_of_nothing_hides_what_its_events_hide() -> None:
    assert shown(Entry(Correct(3, (Entry(Draw(0, Tile("5m"))),)))) == [
        Correct(3, (Entry(Draw(0, UNKNOWN)),))
    ]


@pytest.mark.parametrize("kind", sorted({"dora", "kan_dora", "ura_dora", "fortune", "treasure"}))
@every_rule_set
def test_an_indicator_is_shown_where_its_rule_set_says_so(rules: str, kind: Kind) -> None:
    record = [Entry(GameStart(rules)), Entry(HandStart()), Entry(Indicator(Tile("5m"), kind))]
    open_to_all = {"hangzhou": {"fortune"}, "riichi": {"dora", "kan_dora"}}
    visible = kind in open_to_all.get(rules.split("-")[0], ())
    assert shown(*record)[-1] == Indicator(Tile("5m") if visible else UNKNOWN, kind)
    # A hand that other rules break off has never been over.
    for other in RULE_SETS:
        event = shown(*record, Entry(GameStart(other)), Entry(HandStart()))[2]
        assert event == Indicator(Tile("5m") if visible else UNKNOWN, kind)


def test_a_known_hand_lies_face_down_until_it_is_shown() -> None:
    begun = read_record("\n".join(RECORD.splitlines()[:2]))
    state = replay([*begun, Entry(Deal(1, HAND))]).state
    assert state.players[1].known
    shown = json.dumps(public_table(state, NAMES)["players"])
    assert "1m" not in shown
    assert shown.count('"?"') >= 13


def test_announcements_for_one_seat_are_left_out() -> None:
    everybody = Ready(1, unknown=True)
    own = (Ready(1, (Wait(Tile("5m"), 3),), audience=1), NotReady(2, ("no_chow",), audience=2))
    assert public_announcements([everybody, *own]) == [everybody]


def test_a_table_can_be_sent_as_json() -> None:
    state = replay(ENTRIES).state
    table = json.loads(json.dumps(public_table(state, NAMES)))
    assert table["points"] == [-3, -1, 5, -1]
    assert [len(player["river"]) for player in table["players"]] == [0, 1, 0, 0]
