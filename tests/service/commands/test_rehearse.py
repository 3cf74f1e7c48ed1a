"""``tilesight check --rehearse``: cards in the terminal, a result in sentences, a certificate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import Queue

import numpy as np
import pytest

from engine.codec import read_record
from engine.rehearsal import GOLD
from service.commands import rehearse
from service.main import run as tilesight
from service.table.certificate import TableCertificate
from service.table.reader_maker import ReaderMaker
from tests.support.detectors import Blind
from tests.support.films import film
from tests.support.patience import until
from tests.support.rehearsal_game import BEGUN, FILM_S, IDS, LINES, RULES, laid
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame, Frames
from vision.camera.pictures import Picture
from vision.errors import ProfileError
from vision.tile_set.enroll import LaidOutSet


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A film of it; whoever reads it tells ``LINES``, and sees the set laid out."""
    monkeypatch.setattr(rehearse, "load_detector", lambda own_set: Blind())
    monkeypatch.setattr(rehearse, "laid_out", lambda *given, **named: laid())
    told = read_record(LINES.strip())
    monkeypatch.setattr(ReaderMaker, "__call__", lambda maker: ToldReader(told))
    monkeypatch.chdir(tmp_path)
    moments(tmp_path / "cards.json", len(BEGUN))
    (tmp_path / "text").write_text("no JSON", "utf-8")
    (tmp_path / "large.toml").write_text("#" * 70_000, "utf-8")
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9"')
    chow = '[[card]]\nid = "own"\nsay.en = "Claim a run."\ntold = { chow = 1 }'
    (tmp_path / "chow.toml").write_text(chow, "utf-8")
    return film(tmp_path / "film.mp4", frames=10 * FILM_S)


def moments(path: Path, count: int) -> None:
    rows = [[name, at] for name, at in zip([*IDS, ""], BEGUN, strict=True)][:count]
    path.write_text(json.dumps({"version": 1, "cards": rows}), "utf-8")


ASKED = ["check", "film.mp4", "--rehearse", "--rules", RULES, "--moments", "cards.json"]


def test_a_table_that_tells_everything_gets_its_certificate(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tilesight([*ASKED, "--lang", "en"]) == 0
    told = capsys.readouterr().out
    assert "Card 2 of 6: Somebody discards" in told
    assert "Events: 17 of 17 are told right: at least 83\u00a0%, 95\u00a0% sure." in told
    assert "Faces: 27 of 27 kinds" in told
    assert "Gold" in told
    (kept,) = Path("rehearsal").glob("*-certificate.json")
    certificate = TableCertificate.read(kept)
    assert (certificate.grade, certificate.conditions.rules) == (GOLD, RULES)
    assert certificate.film
    assert certificate.conditions.camera == "film.mp4"
    (record,) = Path("rehearsal").glob("*.jsonl")
    assert len(read_record(record.read_text("utf-8"))) == 18
    assert "seal" in record.read_text("utf-8")


def test_its_own_moments_give_the_same_result(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tilesight([*ASKED, "--json"])
    first = json.loads(capsys.readouterr().out)
    (kept,) = Path("rehearsal").glob("*-cards.json")
    kept.rename("again.json")
    tilesight([*ASKED[:-1], "again.json", "--json"])
    second = json.loads(capsys.readouterr().out)
    same = ("grade", "events", "faces", "cards", "delay_s", "change")
    assert [first[key] for key in same] == [second[key] for key in same]
    assert first["events"] == {"right": 17, "of": 17, "at_least": 0.8384}


def test_what_was_stopped_half_way_has_no_grade_and_says_what_is_missing(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moments(Path("cards.json"), 3)
    assert tilesight([*ASKED, "--lang", "en"]) == 1
    told = capsys.readouterr().out
    assert "stopped half way" in told
    assert told.count("Missing: ") == 4
    assert not [*Path("rehearsal").glob("*-certificate.json")]
    (record,) = Path("rehearsal").glob("*.jsonl")
    assert read_record(record.read_text("utf-8"))


def test_misread_faces_are_named_and_cost_the_grade(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rehearse, "laid_out", lambda *given, **named: laid(wrong=3))
    tilesight([*ASKED, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["faces"]["right"], told["faces"]["of"]) == (24, 27)
    assert told["grade"] == "bronze"
    assert {"kind": "faces", "name": ""} in told["change"]


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_every_language_says_all_of_it(
    table: Path, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tilesight([*ASKED, "--lang", lang]) == 0
    told = capsys.readouterr().out
    assert "{" not in told
    assert len(told.splitlines()) >= 12


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rehearse"], "--moments"),
        (["--rehearse", "--moments", "missing.json"], "cannot be read"),
        (["--rehearse", "--moments", "text"], "does not say when"),
        (["--rehearse", "--moments", "cards.json"], "in this order"),
        (["--rehearse", "--rules", "none"], "no rule set 'none'"),
        (["--rehearse", "--cards", "missing.toml"], "cannot be read"),
        (["--rehearse", "--cards", "."], "cannot be read"),
        (["--rehearse", "--cards", "large.toml"], "cannot be read"),
        (["--rehearse", "--cards", "latin.toml"], "no text in UTF-8"),
        (["--rehearse", "--rules", RULES, "--cards", "chow.toml"], f"chow, which {RULES}"),
        (["--rehearse", "--cards", "cards.json"], "no file of cards"),
        (["--rehearse", "--save", "table.toml"], "save where it lies before"),
        (["--cards", "club.toml"], "go with --rehearse"),
        (["--rehearse", "--rules", RULES, "--moments", "cards.json", "--laid-out", "no.png"],
         "no.png"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(
    table: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert tilesight(["check", "film.mp4", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not [*Path().glob("rehearsal/*.jsonl")]


class Tapped:
    """A camera at which somebody taps Enter when the film of the rehearsal is so far."""

    name = "camera 0"

    def __init__(self, typed: Queue[str], enters: list[rehearse._Enter]) -> None:
        self._typed, self._enters = typed, enters

    def frames(self, step_s: float = 0.0) -> Frames:
        picture: Picture = np.full((90, 160, 3), 90, np.uint8)
        for index in range(10 * FILM_S + 100):
            time_s, heard = index / 10, self._enters[0].count
            if sum(at <= time_s for at in TAPPED) > heard - REFUSED:
                self._typed.put("\n")
                until(partial(self._heard_more_than, heard))
            yield Frame(picture, time_s, index)

    def _heard_more_than(self, taps: int) -> bool:
        return self._enters[0].count > taps


TOO_SOON_S = 18.0
"""Two seconds after the arms were to lie over the middle for five."""
TAPPED = sorted((*BEGUN, TOO_SOON_S))
REFUSED = 1
"""Taps by which no set was seen."""


def test_at_a_camera_enter_leads_from_card_to_card(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed: Queue[str] = Queue()

    class Lines:
        def __iter__(self) -> Iterator[str]:
            return iter(typed.get, "")

    enters: list[rehearse._Enter] = []

    class Enter(rehearse._Enter):
        def __init__(self) -> None:
            super().__init__()
            enters.append(self)

    answers = iter([ProfileError("only 3 tiles were found"), None])

    def see(*given: object, **named: object) -> LaidOutSet:
        error = next(answers)
        if error is not None:
            raise error
        return laid()

    monkeypatch.setattr("sys.stdin", Lines())
    monkeypatch.setattr(rehearse, "_Enter", Enter)
    monkeypatch.setattr(rehearse, "open_live", lambda source: Tapped(typed, enters))
    monkeypatch.setattr(rehearse, "laid_out", see)
    assert tilesight(["check", "0", "--rehearse", "--rules", RULES, "--lang", "en"]) == 0
    typed.put("")
    told = capsys.readouterr().out
    assert "The set was not read: only 3 tiles were found" in told
    assert "go on with it for 3 s more" in told
    assert "Events: 17 of 17" in told
    assert [*Path("rehearsal").glob("*.tiles")]
