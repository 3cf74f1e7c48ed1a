"""What only one seat may know never reaches the public table."""

from __future__ import annotations

import json

import pytest

from engine.announce import NotReady, Ready, Wait
from engine.codec import read_record
from engine.events import Correct, Deal, Draw, Entry, Event, Indicator, Position
from engine.game import replay
from engine.state import State
from engine.tiles import UNKNOWN, Tile, parse
from service.telling.public import public_announcements, public_event, public_table
from tests.service.harbin_game import RECORD

NAMES = ("Anna", "Bo", "Chen", "Dai")
HAND = parse("123m 456m 789m 11p 22s")


def test_a_drawn_tile_and_a_dealt_hand_are_hidden() -> None:
    state = State(rules="harbin-hlr")
    assert public_event(Draw(0, Tile("5m")), state) == Draw(0, UNKNOWN)
    assert public_event(Deal(0, HAND), state) == Deal(0, (UNKNOWN,) * 13)


def test_a_position_hides_hands_and_what_only_some_may_look_at() -> None:
    during = replay(read_record("\n".join(RECORD.splitlines()[:4]))).state
    given = Position((HAND, (), (), ()), indicators=(Indicator(Tile("5m"), "dora"),))
    shown = public_event(given, during)
    assert isinstance(shown, Position)
    assert shown.hands == ((UNKNOWN,) * 13, (), (), ())
    assert shown.indicators == (Indicator(UNKNOWN, "dora"),)


def test_a_correction_hides_what_its_events_hide() -> None:
    event = public_event(Correct(3, (Entry(Draw(0, Tile("5m"))),)), State())
    assert event == Correct(3, (Entry(Draw(0, UNKNOWN)),))


@pytest.mark.parametrize(
    ("event", "hidden"),
    [
        (Indicator(Tile("5m"), "dora"), True),  # only ready players look at it (000)
        (Indicator(Tile("5m"), "kan_dora"), False),
    ],
)
def test_a_dora_that_only_ready_players_know_is_hidden(event: Event, hidden: bool) -> None:
    during = replay(read_record("\n".join(RECORD.splitlines()[:4]))).state
    shown = public_event(event, during)
    assert (shown != event) is hidden


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
    state = replay(read_record(RECORD)).state
    table = json.loads(json.dumps(public_table(state, NAMES)))
    assert table["points"] == [-3, -1, 5, -1]
    assert [len(player["river"]) for player in table["players"]] == [0, 1, 0, 0]
