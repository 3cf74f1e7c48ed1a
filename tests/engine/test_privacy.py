"""Nobody is told what lies in a hand that is not theirs and was not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.announce import Announcement, NotReady, Problem, Ready, heard_by, topic_of
from engine.events import (
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Flower,
    GameStart,
    HandStart,
    Indicator,
    Position,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.texts.announcements import with_text
from engine.tile_counts import seen_by
from engine.tiles import UNKNOWN, Tile, parse
from engine.visibility import concealed, events_seen
from tests.support.properties import every_rule_set, seeds, some
from tests.support.random_games import hidden, played, shown

viewers = st.none() | st.integers(0, 3)


def heard(game: Game, viewer: Seat | None) -> list[Announcement]:
    return heard_by(game.announcements(), viewer)


@every_rule_set
@given(seed=seeds, viewer=viewers)
@some
def test_a_viewer_hears_what_a_record_without_the_other_hands_would_say(
    rules: str, seed: int, viewer: Seat | None
) -> None:
    # Who is ready at the end of a drawn hand is paid for, so there the hands are open.
    game = shown(played(rules, seed))
    lines = list(takewhile(lambda line: not isinstance(line.event, DrawnHand), game))
    others = [seat for seat in range(4) if seat != viewer]
    assert heard(replay(lines), viewer) == heard(replay(hidden(lines, others, draws=True)), viewer)


def start(hand: str) -> list[Entry]:
    tiles = parse(hand)
    return [Entry(HandStart(dealer=0)), Entry(Deal(0, tiles))]


DRAWN = (Entry(Discard(0, Tile("9s"))), Entry(Draw(1, Tile("4p"))))
WRONG: list[tuple[str, Sequence[Entry]]] = [
    ("a discard that is not held", (Entry(Discard(0, Tile("5m"))),)),
    ("another tile than the one drawn", (*DRAWN, Entry(Discard(1, Tile("5p"), drawn=True)))),
    ("a win with another tile than the one drawn", (*DRAWN, Entry(Win(1, 1, Tile("5p"))))),
    ("another hand shown", (*DRAWN, Entry(Reveal(0, parse("123s 456s 789s 1119p"))))),
]


@every_rule_set
@pytest.mark.parametrize("wrong", [row[1] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_cannot_be_is_told_to_others_without_a_tile_of_the_hand(
    rules: str, wrong: Sequence[Entry]
) -> None:
    # Whatever the suits that are not played here, none of these tiles lies open.
    record = [Entry(GameStart(rules)), *start("1122334466m 99s 78s"), *wrong]
    game = replay(record)
    assert any(isinstance(said, Problem) for said in game.announcements())
    for viewer in (None, 2):
        for said in heard(game, viewer):
            if isinstance(said, Problem):
                assert said.suggestions == ()
                text = str(with_text(said)["text"])
                assert "of characters" not in text
                assert "of dots" not in text


@pytest.mark.parametrize("rules", [name for name in RULE_SETS if name.startswith(("ha", "r"))])
def test_a_call_that_only_the_hidden_hand_shows_to_be_false_stands_until_it_is_shown(
    rules: str,
) -> None:
    opened = rules.startswith("harbin")
    sets = (Pung(0, 1, Tile("1m"), (Tile("1m"),) * 2),) if opened else ()
    hand = parse("234567m 1p 3s 5s 9s 9s" if opened else "123456789m 1p 3s 5s 9s 9s")
    call = Entry(Discard(0, Tile("9s"), ready=True))
    games = []
    for held in (hand, (UNKNOWN,) * len(hand)):
        position = Position((held, (), (), ()), (sets, (), (), ()), wall_left=40, turn=0)
        record = [Entry(GameStart(rules)), Entry(HandStart(dealer=0)), Entry(position)]
        games.append(replay(record))
    said, blind = (game.submit(call) for game in games)
    assert heard_by(said, None) == heard_by(blind, None)
    if rules == "hangzhou":  # which has no such call
        return
    assert [one for one in heard_by(said, 0) if isinstance(one, Ready)] == []
    told = [one for one in heard_by(said, 0) if isinstance(one, NotReady)]
    assert ["no_wait" in one.missing for one in told] == [True]
    shown = games[0].submit(Entry(Reveal(0, games[0].state.players[0].hand)))
    codes = {one.code for one in heard_by(shown, None) if isinstance(one, Problem)}
    assert codes == {"false_ready"}


@every_rule_set
@given(seed=seeds)
@some
def test_a_seat_is_told_once_that_its_own_hand_is_ready(rules: str, seed: int) -> None:
    game = played(rules, seed)
    said = game.announcements()
    calls = [one for one in said if isinstance(one, Ready) and one.unknown]
    for seat in range(4):
        told = [which for one in heard_by(said, seat) if (which := topic_of(one)) is not None]
        assert len(told) == len(set(told))
    for call in calls:
        own = [one for one in heard_by(said, call.seat) if topic_of(one) == topic_of(call)]
        others = [
            one for one in heard_by(said, (call.seat + 1) % 4) if topic_of(one) == topic_of(call)
        ]
        # After a chow or pung the waits are told with the discard that follows.
        assert all(isinstance(one, Ready) and one.waits for one in own)
        assert others == [replace(call, not_to=None)]


@every_rule_set
@given(seed=seeds, viewer=viewers)
@some
def test_only_the_own_tiles_stand_in_the_events_of_a_viewer(
    rules: str, seed: int, viewer: Seat | None
) -> None:
    game = played(rules, seed)
    for line, visible in zip(game.entries, events_seen(game, viewer), strict=True):
        event, seen = line.event, visible.entry.event
        match event:
            case Deal(seat=seat, tiles=tiles) if seat != viewer:
                assert seen == replace(event, tiles=(UNKNOWN,) * len(tiles))
            case Draw(seat=seat) if seat != viewer:
                assert seen == replace(event, tile=UNKNOWN)
            case Flower(seat=seat) if seat != viewer:
                assert seen == replace(event, drawn=UNKNOWN)
            case Indicator():
                pass
            case _:
                assert seen == event


def test_only_the_own_hand_stands_in_a_position_that_a_viewer_sees() -> None:
    hands = tuple(parse(text) for text in ("1m" * 4 + "147p147s123z", "2m" * 4 + "258p258s123z"))
    held = (*hands, parse("3m" * 4 + "369p369s123z"), parse("5m" * 4 + "456p456s456z"))
    lines = GameStart("riichi"), HandStart(), Position(held, wall_left=60)
    game = replay(Entry(event) for event in lines)
    for viewer in (None, 0, 2):
        seen = events_seen(game, viewer)[-1].entry.event
        assert isinstance(seen, Position)
        shown = [seat for seat, hand in enumerate(seen.hands or ()) if UNKNOWN not in hand]
        assert shown == ([] if viewer is None else [viewer])


@every_rule_set
def test_what_is_drawn_after_a_hand_was_shown_is_hidden(rules: str) -> None:
    hand = parse("1122334466m 99s 8s")
    record = [Entry(GameStart(rules)), Entry(HandStart(dealer=3)), Entry(Deal(0, hand))]
    moves = (Discard(3, Tile("1p")), Draw(0, Tile("7p")))
    game = replay([*record, Entry(Reveal(0, hand)), *[Entry(move) for move in moves]])
    assert game.rules is not None
    assert game.state.players[0].hand.count(Tile("7p")) == 1
    assert Tile("7p") not in concealed(game.state, game.rules, 2).players[0].hand
    assert seen_by(game.state, 2)[Tile("7p")] == 0
