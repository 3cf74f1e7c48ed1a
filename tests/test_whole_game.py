"""Whole games through everything: played, filmed, scored, and held against their true records."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import read_record
from tests.support.paths import FILM, ROOT, SAMPLES
from vision.compare import Report, compare

SHORT_GAME = 16
"""The seed of a game of one short hand: claims, a call of ready, a win on a discard."""
PACE = 0.6
"""Hasty players: filming takes most of the time, and every second of play is five pictures."""


def film(folder: Path) -> None:
    """A game as ``datasets/simulate.py`` plays and films it."""
    size = ["--size", "1280x720", "--fps", "5", "--pace", str(PACE), "--labels", "none"]
    program = [sys.executable, str(ROOT / "datasets" / "simulate.py")]
    game = ["--rules", "harbin-hlr", "--seed", str(SHORT_GAME), "--out", str(folder)]
    subprocess.run([*program, *game, *size], check=True, capture_output=True, timeout=3600)


def score(video: Path, out: Path) -> None:
    """The recorded game as ``tilesight score`` reads it, with the shipped weights."""
    program = [sys.executable, "-c", "from service.main import main; main()", "score"]
    command = [*program, str(video), "--rules", "harbin-hlr", "--out", str(out)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, check=True, capture_output=True, timeout=3600, env=environment)


def held_against(true: Path, out: Path) -> Report:
    return compare(read_record(true.read_text()), read_record((out / "record.jsonl").read_text()))


@pytest.mark.slow
def test_a_game_is_played_filmed_and_scored(tmp_path: Path) -> None:
    film(tmp_path / "film")
    score(tmp_path / "film" / "video.mp4", tmp_path / "out")
    report = held_against(tmp_path / "film" / "seen.jsonl", tmp_path / "out")
    assert report.recall >= 0.75
    assert report.precision >= 0.75


@pytest.mark.slow
def test_the_recorded_hand_is_paid_right(tmp_path: Path) -> None:
    score(FILM, tmp_path / "out")
    report = held_against(SAMPLES / "harbin.seen.jsonl", tmp_path / "out")
    assert report.recall >= 0.8
    assert report.precision >= 0.8
    assert [hand.read for hand in report.hands] == [hand.true for hand in report.hands]
    assert (tmp_path / "out" / "sheet.csv").read_text().count("\n") >= 2
    assert "data:image/jpeg;base64," in (tmp_path / "out" / "report.html").read_text()
    entries = (tmp_path / "out" / "record.jsonl").read_text().splitlines()
    named = [json.loads(line).get("evidence") for line in entries]
    pictures = [name for name in named if isinstance(name, str)]
    assert pictures
    assert all((tmp_path / "out" / name).is_file() for name in pictures)
