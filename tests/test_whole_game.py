"""The film of the README through everything: scored by the shipped nets, held against its truth."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine import read_record
from service.main import run
from tests.support.paths import FILM, SAMPLES
from vision.attention.schedule import RECORDED
from vision.compare import compare

FEW = replace(RECORDED, step_s=0.39)
"""Every other picture of the film is enough, in half the time."""


@pytest.mark.film
def test_a_film_is_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.film.film.RECORDED", FEW)
    assert run(["score", str(FILM), "--rules", "harbin-hlr", "--out", str(tmp_path)]) == 0
    true, read = (
        read_record(path.read_text("utf-8"))
        for path in (SAMPLES / "harbin.seen.jsonl", tmp_path / "record.jsonl")
    )
    report = compare(true, read)
    assert report.recall >= 0.9
    assert report.precision >= 0.9
    assert [hand.read for hand in report.hands] == [hand.true for hand in report.hands]
    assert (tmp_path / "sheet.csv").read_text().count("\n") >= 2
    assert "data:image/jpeg;base64," in (tmp_path / "report.html").read_text()
    entries = (tmp_path / "record.jsonl").read_text().splitlines()
    named = [json.loads(line).get("evidence") for line in entries]
    pictures = [name for name in named if isinstance(name, str)]
    assert pictures
    assert all((tmp_path / name).is_file() for name in pictures)
