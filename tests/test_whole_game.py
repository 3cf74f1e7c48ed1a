"""A scripted hand through everything: played, filmed, scored, and held against its true record."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import read_record
from tests.support.paths import ROOT
from vision.compare import compare

SCRIPT = "riichi-then-win"
"""A call of ready and a win on a discard, within half a minute."""
HASTY = ("--pace", "0.6", "--fps", "2", "--size", "960x540")
"""Filming takes most of the time: few pictures, and no larger than needed."""


def done(*command: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    program = [sys.executable, *command]
    subprocess.run(program, check=True, capture_output=True, timeout=3600, env=environment)


@pytest.mark.slow
def test_a_hand_is_played_filmed_and_scored(tmp_path: Path) -> None:
    film, out = tmp_path / "film", tmp_path / "out"
    simulate = str(ROOT / "datasets" / "simulate.py")
    done(simulate, "--case", SCRIPT, "--out", str(film), "--labels", "none", *HASTY)
    score = ("-c", "from service.main import main; main()", "score")
    done(*score, str(film / "video.mp4"), "--rules", "riichi", "--out", str(out))
    true, read = (
        read_record(path.read_text("utf-8")) for path in (film / "seen.jsonl", out / "record.jsonl")
    )
    report = compare(true, read)
    assert report.recall >= 0.8
    assert report.precision >= 0.8
    assert [hand.read for hand in report.hands] == [hand.true for hand in report.hands]
    assert (out / "sheet.csv").read_text().count("\n") >= 2
    assert "data:image/jpeg;base64," in (out / "report.html").read_text()
    entries = (out / "record.jsonl").read_text().splitlines()
    named = [json.loads(line).get("evidence") for line in entries]
    pictures = [name for name in named if isinstance(name, str)]
    assert pictures
    assert all((out / name).is_file() for name in pictures)
