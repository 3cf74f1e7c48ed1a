"""Films of four grades: what makes one hard to read happens, and is no event of the game."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from studio.film.cameras import LabelCamera
from studio.film.game_film import PlannedGame, Settings, plan
from studio.film.grades import GRADES, FilmGrade
from studio.film.mishaps import JOLT_S
from studio.table.layout import Spot


@cache
def planned(grade: str) -> PlannedGame:
    return plan(Settings("harbin-hlr", 77, Path(), grade=grade, video=False))


def test_the_same_events_happen_in_every_grade() -> None:
    games = [[mark.event for mark in planned(grade).director.marks] for grade in GRADES]
    assert all(game == games[0] for game in games)


def test_tiles_that_were_knocked_over_are_put_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GRADES, "hostile", FilmGrade(knocks=1.0))
    director = plan(Settings("harbin-hlr", 77, Path(), grade="hostile", video=False)).director
    before: dict[int, Spot] = {}
    lay: dict[int, Spot] = {}
    righted = 0
    for step in range(round(director.now / 0.25)):
        for tile, at in director.stage.tiles_at(step * 0.25):
            if at.pose != "standing" and before.get(tile, at).pose == "standing":
                lay[tile] = before[tile]
            elif at.pose == "standing" and tile in lay:
                stood = lay.pop(tile)
                righted += abs(stood.x_mm - at.x_mm) + abs(stood.y_mm - at.y_mm) < 40
            before[tile] = at
    assert righted >= 2


def test_after_a_bump_all_that_lies_still_is_seen_elsewhere() -> None:
    one = planned("hostile")
    bump = one.mishaps.bumps[0]
    eye = LabelCamera(one.place.table, one.place.camera)
    before, after = (
        {label.id: label.corners_px for label in eye.look([one.scene_at(time_s)]).labels}
        for time_s in (bump.start_s - 0.01, bump.start_s + JOLT_S)
    )
    shifts = [np.abs(after[tile] - before[tile]).max() for tile in before.keys() & after.keys()]
    assert np.median(shifts) > 1.0
