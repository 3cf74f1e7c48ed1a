"""Dice that are rolled in a film show what the record says, on every side what a die has."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.events import Dice, HandStart
from studio.film.game_film import PlannedGame, Settings, plan
from studio.play.truth import seen_entries, true_entries

TABLES = [("harbin-treasure", seed) for seed in range(6)]


def without_console(dice: bool = True) -> tuple[Settings, PlannedGame]:
    """A game with a treasure roll, on a table whose middle is cloth."""
    for rules, seed in TABLES:
        settings = Settings(rules, seed, Path(), dice=dice)
        planned = plan(settings)
        rolls = [mark.event for mark in planned.director.marks if isinstance(mark.event, Dice)]
        if rolls and not planned.place.table.console_mm:
            return settings, planned
    pytest.fail("no such game among these")


def test_dice_come_to_rest_with_what_the_record_says() -> None:
    _, planned = without_console()
    director = planned.director
    assert director.rolls is not None
    told = [
        mark.event.dice if isinstance(mark.event, HandStart) else mark.event.values
        for mark in director.marks
        if isinstance(mark.event, HandStart | Dice)
    ]
    count = len(told[0] or ())
    assert [rolled.values[:count] for rolled in director.rolls.rolled] == told
    for rolled in director.rolls.rolled:
        lying = [thing for thing in director.things_at(rolled.t_s + 0.1) if thing.kind == "die"]
        assert tuple(die.upper for die in lying) == rolled.values


def test_only_what_is_rolled_in_sight_is_in_the_record_of_a_camera() -> None:
    for dice in (True, False):
        _, planned = without_console(dice)
        entries = true_entries(planned.director.marks)
        seen = seen_entries(entries, (), "harbin-treasure", planned.director.rolls is not None)
        start = next(entry.event for entry in seen if isinstance(entry.event, HandStart))
        assert (start.dice is not None) == dice
