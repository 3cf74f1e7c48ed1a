"""A rehearsal that was acted and read from its labels, compared with its cards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from games.labels import CameraFollower, planned_frames
from games.outcome import GameCase
from games.simulated_detector import ORDINARY, looks
from games.starts import FPS

from engine.events import Discard
from engine.rehearsal import GOLD, cards_of
from engine.rules import RULE_SETS
from engine.tiles import KINDS, Tile
from service.table.rehearsal import Rehearsal, faces_seen
from studio.film.game_film import Settings, plan
from studio.film.scripted_director import ScriptedDirector

pytestmark = pytest.mark.film
SEED = 1


@pytest.mark.parametrize("name", ["riichi", "sichuan"])
def test_a_rehearsal_is_told_as_its_cards_say(name: str) -> None:
    rules = RULE_SETS[name]
    planned = plan(
        Settings(name, SEED, Path(), fps=FPS, grade="ordinary", video=False, rehearsal=True)
    )
    director = planned.director
    assert isinstance(director, ScriptedDirector)
    rehearsal = Rehearsal(cards_of(rules))
    assert [card for card, _ in director.cards] == [*(one.id for one in rehearsal.cards), "over"]
    for _, at_s in director.cards:
        rehearsal.go_on(at_s)
    follower = CameraFollower(planned, GameCase("ordinary", name, SEED))
    lines = []
    frames = planned_frames(planned, FPS)
    for look in looks(frames, planned.place.view, ORDINARY, SEED, follower.looks_everywhere):
        lines += follower.take(look)
        rehearsal.told(len(lines), look.time_s)
    rehearsal.faces = faces_seen(rules, dict.fromkeys(map(Tile, KINDS), True))
    seen = rehearsal.result(lines)
    assert [(one.card, one.missing, one.extra) for one in seen.cards] == [
        (card.id, {}, {}) for card in rehearsal.cards
    ]
    assert (seen.grade, seen.changes()) == (GOLD, ())
    assert 0 < (seen.delay_s or 0) < 2

    # What nobody did is found, wherever the reader makes it up.
    at_s = next(at_s for card, at_s in director.cards if card == "arms") + 1
    thrown = next(one for one in lines if isinstance(one.event, Discard))
    rehearsal.told(len(lines) + 1, at_s + 1)
    made_up = rehearsal.result([*lines, replace(thrown, t=at_s, change="made up")])
    assert [one.card for one in made_up.cards if one.good < one.of] == ["arms"]
    assert made_up.events_share.right == seen.events_share.right - 1
