"""What the benchmark of the engine tells, measured on a few hands."""

from __future__ import annotations

import json

import pytest
from speed_engine import main

from engine.rules import RULE_SETS
from tests.support.paths import GAMES

GAME = GAMES / "harbin-hlr.jsonl"


def test_the_figures_can_be_read_by_programs_and_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("speed_engine.HANDS", 50)
    monkeypatch.setattr("speed_engine.LISTS", 1)
    assert main([str(GAME), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    names = [row["name"] for row in told]
    assert all(any(name.endswith(rules) for name in names) for rules in RULE_SETS)
    assert GAME.name in names[-1]
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "tables unpacked and built" in shown
