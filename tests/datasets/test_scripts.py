"""Scripted games keep the rules, are acted as told, and are filmed from any second."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import simulate

from engine.announce import Payout, Problem
from engine.game import replay
from engine.tiles import parse
from studio.film.game_film import PlannedGame, Settings, plan
from studio.play.scripted_game import play_script
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


def test_a_script_must_name_tiles_that_there_are_and_end() -> None:
    script = read_script("float")
    hand = script.hands[0]
    five_fives = replace(hand, deal=(parse("1111z 1z"), *hand.deal[1:]))
    with pytest.raises(ValueError, match="too many of 1z"):
        play_script(replace(script, hands=(five_fives,)))
    with pytest.raises(ValueError, match="does not end"):
        play_script(replace(script, hands=(replace(hand, play=hand.play[:3]),)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--case", "float", "--rules", "riichi"], "--rules and --seed, or --case"),
        (["--rules", "riichi"], "--rules and --seed, or --case"),
        (["--case", "sink"], "invalid choice: 'sink'"),
    ],
)
def test_what_cannot_be_filmed_is_refused(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        simulate.main([*arguments, "--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err
