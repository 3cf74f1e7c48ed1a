"""Nobody is told what lies in a hand that is not theirs and was not shown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.announce import Announcement, Problem, seen_by
from engine.announce_codec import announcement_to_json
from engine.events import (
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    GameStart,
    HandStart,
    Reveal,
    Seat,
    Win,
)
from engine.game import Game, replay
from engine.tiles import Tile, parse
from tests.engine.test_properties import every_rule_set, seeds, some
from tests.engine.walk import hidden, played, shown

viewers = st.none() | st.integers(0, 3)


def heard(game: Game, viewer: Seat | None) -> list[Announcement]:
    return [one for said in game.announcements() if (one := seen_by(said, viewer)) is not None]


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
                text = str(announcement_to_json(said)["text"])
                assert "of characters" not in text
                assert "of dots" not in text
