"""Every announcement as other programs read it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import pytest

from engine import events
from engine.announce import (
    Announcement,
    GameResult,
    HandResult,
    Hint,
    HintDiscard,
    Item,
    NotReady,
    Payout,
    Problem,
    Ready,
    Turn,
    Wait,
)
from engine.announce_codec import KINDS, announcement_to_json
from engine.events import Entry
from engine.tiles import Tile

M = Tile("1m")
OF = 7
SAID: list[tuple[Announcement, dict[str, object]]] = [
    (
        Ready(1, (Wait(M, 3), Wait(Tile("4m"), 2, "no_pung")), audience=1, of=OF),
        {
            "kind": "ready",
            "seat": 1,
            "waits": [{"tile": "1m", "left": 3}, {"tile": "4m", "left": 2, "refused": "no_pung"}],
            "for": 1,
        },
    ),
    (Ready(1, unknown=True, of=OF), {"kind": "ready", "seat": 1, "waits": [], "unknown": True}),
    (
        NotReady(2, ("no_wait", "not_open"), of=OF),
        {"kind": "not_ready", "seat": 2, "missing": ["no_wait", "not_open"]},
    ),
    (
        Payout(0, (6, -2, -2, -2), (6, -2, -2, -2), (Item("self_draw", 2, "points"),), of=OF),
        {
            "kind": "payout",
            "seat": 0,
            "deltas": [6, -2, -2, -2],
            "pot": 0,
            "points": [6, -2, -2, -2],
            "items": [{"name": "self_draw", "value": 2, "unit": "points"}],
        },
    ),
    (
        Problem(
            "out_of_turn",
            2,
            True,
            "000, 2",
            "correct_earlier",
            ((Entry(events.Draw(1, M)), Entry(events.HandEnd(), confidence=0.5)),),
            {"tile": M},
            of=OF,
        ),
        {
            "kind": "problem",
            "code": "out_of_turn",
            "seat": 2,
            "impossible": True,
            "source": "000, 2",
            "follows": "correct_earlier",
            "suggestions": [
                [{"type": "draw", "seat": 1, "tile": "1m"}, {"type": "hand_end", "confidence": 0.5}]
            ],
        },
    ),
    (
        Hint(
            3,
            (
                HintDiscard(M, (Wait(Tile("4m"), 2),), left=2),
                HintDiscard(Tile("2m"), distance=1, useful=(M,), left=4),
            ),
            audience=3,
            of=OF,
        ),
        {
            "kind": "hint",
            "seat": 3,
            "discards": [
                {"tile": "1m", "waits": [{"tile": "4m", "left": 2}], "left": 2},
                {"tile": "2m", "distance": 1, "useful": ["1m"], "left": 4},
            ],
            "for": 3,
        },
    ),
    (
        Turn(0, 50, (events.Pung(2, 3, M, (M, M)),), of=OF),
        {
            "kind": "turn",
            "seat": 0,
            "wall_left": 50,
            "claims": [{"type": "pung", "seat": 2, "from": 3, "tile": "1m", "own": ["1m", "1m"]}],
        },
    ),
    (
        HandResult(1, Tile("1z"), 0, 2, 1, of=OF),
        {
            "kind": "hand_result",
            "dealer": 1,
            "round": "1z",
            "honba": 0,
            "deposits": 2,
            "staying": 1,
        },
    ),
    (
        GameResult((4, 3, 2, 1), (1, 2, 3, 4), of=OF),
        {"kind": "game_result", "points": [4, 3, 2, 1], "places": [1, 2, 3, 4]},
    ),
]


@pytest.mark.parametrize(
    ("said", "written"), SAID, ids=[f"{row[1]['kind']}-{place}" for place, row in enumerate(SAID)]
)
def test_an_announcement_is_written_as_the_record_has_it(
    said: Announcement, written: dict[str, object]
) -> None:
    result = announcement_to_json(said)
    assert json.loads(json.dumps(result)) == result
    assert result == {"of": OF, **written}


def test_every_announcement_has_a_kind_and_a_row_above() -> None:
    assert set(KINDS) == set(get_args(Announcement)) == {type(said) for said, _ in SAID}


def test_an_announcement_for_everybody_names_no_seat() -> None:
    assert "for" not in announcement_to_json(replace(Ready(1), audience=None))
