"""The benchmark of simulated games: what it counts, that it goes on, what it writes."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from games.figures import figures
from games.intervals import wilson
from games.labels import ERRORS, read_labels
from games.outcome import GameCase, Outcome, TableChecks, TimedRecord, outcome
from games.simulated_detector import CLEAN
from score import main
from scores import benchmark

from engine.events import Correct, Discard, Entry, GameStart, HandStart
from engine.rules import RULE_SETS
from engine.tiles import Tile
from studio.film.grades import GRADES

FIVE, SIX = Discard(0, Tile("5m")), Discard(0, Tile("6m"))


PLAIN = Outcome(
    grade="clean",
    rules="riichi",
    seed=1,
    layer="labels",
    length_s=60.0,
    matched=9,
    missing=[],
    extra=[],
    paid=[{"true": [0, 0, 0, 0], "read": [0, 0, 0, 0]}],
    settled=8,
    moments=10,
    delays_s=[0.5, 1.0],
)


def test_every_grade_and_every_game_is_in_it() -> None:
    cases = benchmark.cases()
    assert {case.grade for case in cases} == set(GRADES) - {"any"}
    assert {RULE_SETS[case.rules].id.split("-")[0] for case in cases} == {
        RULE_SETS[rules].id.split("-")[0] for rules in RULE_SETS
    }
    assert len({case.name for case in cases}) == len(cases)
    counts = Counter((case.grade, case.rules) for case in cases)
    assert set(counts.values()) == {len(benchmark.SEEDS)}


def test_an_event_counts_from_when_it_was_told_first() -> None:
    heard = TimedRecord()
    heard.take([Entry(GameStart("riichi")), Entry(HandStart(), t=0.5), Entry(SIX, t=2.0)], 3.0)
    heard.take([Entry(Correct(2, (Entry(FIVE, t=2.0),)))], 5.0)
    heard.take([Entry(Correct(2, (Entry(FIVE, t=2.0),)))], 8.0)
    assert [entry.t for entry in heard.as_told()] == [3.0, 3.0, 5.0]
    true = [Entry(GameStart("riichi"), t=0.0), Entry(HandStart(), t=0.0), Entry(FIVE, t=2.0)]
    told = outcome(GameCase("clean", "riichi", 1), "labels", true, heard, TableChecks(), 9.0)
    assert told.delays_s == [3.0, 3.0, 3.0]
    assert told.untouched


def test_figures_are_shares_of_all_events_and_hands() -> None:
    wrong = replace(
        PLAIN,
        matched=8,
        missing=[{"type": "discard", "seat": 1, "tile": "5m"}],
        extra=[{"type": "discard", "seat": 1, "tile": "6m"}],
        paid=[{"true": [1, -1, 0, 0], "read": None}],
        delays_s=[4.0],
    )
    sums = figures([PLAIN, wrong])
    assert sums["precision"] == pytest.approx(17 / 18, abs=1e-4)
    assert sums["recall"] == sums["f1"] == sums["precision"]
    assert sums["settled_exact"] == 0.8
    assert (sums["hands_paid_right"], sums["hands"]) == (1, 2)
    assert sums["games_without_correction"] == 1
    assert sums["delay_p95_s"] == pytest.approx(float(np.percentile([0.5, 1, 4], 95)), abs=0.01)
    assert figures([])["precision"] is None


def test_figures_have_intervals_and_count_wrong_payouts_by_the_hand() -> None:
    two = {"true": [1, -1, 0, 0], "read": [2, -2, 0, 0]}, {"true": [1, -1, 0, 0], "read": None}
    silent = replace(PLAIN, paid=[*PLAIN.paid, *two], questions=0, mends=3, harmful_mends=1)
    doubtful = replace(silent, questions=2, mends=0)
    sums = figures([silent, doubtful])
    assert sums["wrong_payouts_unasked"] == 1  # a hand that nobody was told of is not a payout
    assert sums["intervals"]["wrong_payouts_unasked"] == pytest.approx(wilson(1, 6), abs=1e-4)
    assert sums["questions_an_event"] == pytest.approx(2 / 18, abs=1e-4)
    assert (sums["mends_a_hand"], sums["harmful_mends"]) == (0.5, 2)
    low, high = sums["intervals"]["mends_a_hand"]
    assert low < 0.5 < high
    assert "mends_a_hand" not in figures([PLAIN])["intervals"]


def test_a_game_that_was_read_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read: list[GameCase] = []

    def reading(case: GameCase) -> Outcome:
        read.append(case)
        return replace(PLAIN, grade=case.grade, rules=case.rules, seed=case.seed)

    monkeypatch.setattr(benchmark, "read_labels", reading)
    few = ["--labels", "--out", str(tmp_path), "--grades", "clean", "--rules", "wsom", "riichi"]
    assert main(["benchmark", *few, "--most", "1"]) == 0
    assert main(["benchmark", *few, "--most", "2"]) == 0
    assert len(read) == len(set(read)) == 3
    kept = json.loads((tmp_path / "labels.json").read_text("utf-8"))
    assert kept["by_grade"]["clean"]["games"] == 3
    assert "without a correction" in capsys.readouterr().out


def test_a_hostile_hand_is_read_through_its_bump(monkeypatch: pytest.MonkeyPatch) -> None:
    """The camera is knocked in the middle of this hand, and a lamp switched; no face is misread."""
    monkeypatch.setitem(ERRORS, "hostile", replace(CLEAN, bank=None))
    told = read_labels(GameCase("hostile", "harbin-hlr", 77))
    assert any("found again" in line for line in told.said)
    assert told.matched >= 17
    assert len(told.extra) <= 1
    assert told.settled >= 0.6 * told.moments


def test_a_share_of_independent_cases_has_wilsons_interval() -> None:
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-3)
    assert wilson(15, 15) == pytest.approx((0.7961, 1.0), abs=1e-3)
    assert wilson(0, 0) is None
