"""What the benchmark of the engine tells, measured on a few hands."""

from __future__ import annotations

import json

import pytest
from speed_engine import EngineTiming, judged, main, replayed, taught

from engine.rules import RULE_SETS
from tests.support.golden import golden
from tests.support.paths import GAMES

GAME = GAMES / "harbin-hlr.jsonl"


def test_the_ratio_is_that_of_the_times() -> None:
    assert EngineTiming("waits", 0.5, "the package", 2.0).ratio == 4.0
    assert EngineTiming("tables", 0.5).ratio is None


def test_every_row_names_what_it_is_compared_with() -> None:
    rows = [*judged(50), taught("harbin-hlr", 1e-5), replayed("game", golden("harbin-hlr"), 1e-5)]
    for row in rows[1:]:
        assert row.baseline
        assert row.ratio is not None
        assert row.ratio > 0


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
