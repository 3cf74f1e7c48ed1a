"""Scripted games keep the rules, are acted as told, and are filmed from any second."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from engine.announce import Payout, Problem
from engine.game import replay
from studio.film.game_film import PlannedGame, Settings, plan
from studio.play.scripts import names, read_script
from studio.play.truth import seen_entries


@cache
def planned(name: str) -> PlannedGame:
    script = read_script(name)
    return plan(Settings(script.rules, script.seed, Path(), grade="ordinary", script=script))


@pytest.mark.parametrize("name", names())
def test_a_script_keeps_the_rules_but_where_it_says_so_and_somebody_is_paid(name: str) -> None:
    true = planned(name).true_record()
    script = read_script(name)
    fouls = sum(manner.irregular for hand in script.hands for _, manner in hand.play)
    for record in (true, seen_entries(true, (), script.rules)):
        said = replay(record).announcements()
        assert sum(isinstance(one, Problem) for one in said) == fouls
        assert any(any(one.deltas) for one in said if isinstance(one, Payout))
        assert record[0].t == 0.0
        times = [entry.t or 0.0 for entry in record]
        assert times == sorted(times)
