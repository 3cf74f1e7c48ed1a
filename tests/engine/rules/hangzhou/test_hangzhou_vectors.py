"""Hands with wild tiles that other programs have judged, where the shared data is at hand."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from engine.announce import Payout
from engine.events import Deal, Discard, Draw, Entry, Event, GameStart, HandStart, Win
from engine.game import replay
from engine.rules.hangzhou.play import HANGZHOU
from engine.tiles import UNKNOWN, Tile

SHARED = os.environ.get("TILESIGHT_SHARED")
SUITS: Final = {"w": "m", "万": "m", "b": "p", "筒": "p", "t": "s", "条": "s"}
HONOURS: Final = dict(zip("东南西北白发中", "1234567", strict=True))
WHITE: Final = Tile("5z")

pytestmark = pytest.mark.skipif(SHARED is None, reason="TILESIGHT_SHARED names no folder of data")


def vectors(place: str) -> Any:
    return json.loads((Path(SHARED or "") / "data" / "vectors" / place).read_text("utf-8"))


def tile(word: str) -> Tile:
    if word in HONOURS:
        return Tile(f"{HONOURS[word]}z")
    return Tile(f"{word[0]}{SUITS[word[1]]}")


def win_of(hand: Sequence[Tile], drawn: Tile) -> set[str]:
    """What the payout of a win by own draw names, with white dragons always wild."""
    events: list[Event] = [
        GameStart("hangzhou", {"permanent_fortune": True}),
        HandStart(dealer=0),
        Deal(1, tuple(hand)),
        Discard(0, UNKNOWN),
        Draw(1, drawn),
        Win(1, 1, drawn),
    ]
    game = replay(map(Entry, events), {"hangzhou": HANGZHOU})
    (payout,) = [said for said in game.announcements() if isinstance(said, Payout)]
    return {item.name for item in payout.items}


def test_wins_and_wild_eyes_are_those_of_a_competition_server() -> None:
    # Its scores are others, so they are left aside.
    rows = vectors("hangzhou/platform_vectors_even.json")
    assert len(rows) == 72
    for row in rows:
        names = win_of([tile(word) for word in row["hand"]], tile(row["draw"]))
        assert ("refused" not in names) == row["hu"], row
        # That server reads the drawn tile either as the eye or in a four, 002 knows no such rule.
        in_four = "deluxe" in names and row["hand"].count(row["draw"]) == 3
        assert in_four or ("wild_eye" in names) == row["baotou"], row


def test_hands_with_three_kinds_of_wild_tiles_win_as_another_program_says() -> None:
    table = vectors("wildcards/qipai_hands_21.json")
    assert len(table["cases"]) == 21
    for row in table["cases"]:
        hand = [WHITE if word in table["wild"] else tile(word) for word in row["hand"]]
        names = win_of(hand[:-1], hand[-1])
        assert ("refused" not in names) == row["win"], row
