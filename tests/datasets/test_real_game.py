"""The film of a real game becomes an entry of the benchmark that shows nobody's face."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import real_game
from scores.benchmark import real_case

from engine.codec import read_record, write_record
from engine.events import Discard, Entry, GameStart
from engine.tiles import Tile
from studio.files import video
from tests.support.paths import ROOT
from vision.camera.video_file import VideoFile

ABOUT = "\n".join(f'{name} = "told"' for name in real_game.ABOUT)
NAMES = ("Ann", "Bo", "Cy", "Di")


def truth() -> list[Entry]:
    return read_record((ROOT / "samples" / "harbin.record.jsonl").read_text("utf-8"))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A film of twelve frames, striped all over, and what two people wrote down of it."""
    stripes = np.zeros((90, 160, 3), np.uint8)
    stripes[:, ::2] = 255
    with video(tmp_path / "game.mp4", (160, 90), 4.0, 1) as write:
        for _ in range(12):
            write(stripes)
    (tmp_path / "table.toml").write_text(
        "[table]\ncorners_px = [[50, 20], [110, 20], [110, 70], [50, 70]]\n"
        "size_mm = [600, 500]\npicture_px = [160, 90]\n"
    )
    (tmp_path / "about.toml").write_text(ABOUT)
    first, *others = truth()
    assert isinstance(first.event, GameStart)
    named = replace(first, event=replace(first.event, players=NAMES))
    (tmp_path / "first.jsonl").write_text(write_record([named, *others]), "utf-8")
    (tmp_path / "second.jsonl").write_text(write_record([first, *others]), "utf-8")
    return tmp_path


def make(game: Path, *more: str) -> int:
    return real_game.main(
        [
            str(game / "game.mp4"), "--number", "3", "--out", str(game / "entry"), *more,
            *("--table", str(game / "table.toml"), "--about", str(game / "about.toml")),
            *("--record", str(game / "first.jsonl"), "--second", str(game / "second.jsonl")),
        ]
    )  # fmt: skip


def test_only_the_table_and_its_rim_stay_sharp(game: Path) -> None:
    assert make(game, "--rim", "100", "--cover", "0,1.5,60,30,100,60") == 0
    frames = list(VideoFile(game / "entry" / "video.mp4").frames())
    assert len(frames) == 12
    contrast = [np.ptp(frame.image_bgr.astype(int), axis=1).max(axis=-1) for frame in frames]
    # The rim is 10 pixels wide: rows 10 to 79.
    assert all(rows[:8].max() < 60 and rows[83:].max() < 60 for rows in contrast)
    assert all(rows[22:28].min() > 150 for rows in contrast)
    inside = [np.ptp(frame.image_bgr[35:55, 65:95].astype(int), axis=1).max() for frame in frames]
    assert max(inside[:6]) < 60, "covered for 1.5 s"
    assert min(inside[6:]) > 150


def test_the_entry_tells_no_names_and_is_a_game_of_the_benchmark(game: Path) -> None:
    assert make(game) == 0
    entry = game / "entry"
    record = read_record((entry / "record.jsonl").read_text("utf-8"))
    assert [line.event for line in record] == [line.event for line in truth()]
    assert not any(line.source or line.evidence for line in record)
    assert "Ann" not in "".join(path.read_text("utf-8") for path in entry.glob("*.json*"))
    assert (entry / "seen.jsonl").read_text("utf-8").count("?") > 40
    assert real_case(entry).name == "real-harbin-hlr-3"
    assert set(real_game.ABOUT) < set(json.loads((entry / "meta.json").read_text("utf-8")))


def another_discard(lines: list[Entry], tile: str = "5z") -> list[Entry]:
    at = next(n for n, line in enumerate(lines) if isinstance(line.event, Discard))
    event = lines[at].event
    assert isinstance(event, Discard)
    wrong = replace(lines[at], event=replace(event, tile=Tile(tile), drawn=None))
    return [*lines[:at], wrong, *lines[at + 1 :]]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (partial(another_discard, tile="?"), "only the second record has"),
        (another_discard, "event 6 is impossible"),
        (lambda lines: lines[1:], "does not begin with game_start"),
    ],
)
def test_records_that_differ_make_no_entry(
    game: Path,
    spoil: Callable[[list[Entry]], list[Entry]],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (game / "second.jsonl").write_text(write_record(spoil(truth())), "utf-8")
    assert make(game) == 2
    assert said in capsys.readouterr().err
    assert not (game / "entry").exists()


@pytest.mark.parametrize("missing", ["permission", "licence"])
def test_nothing_is_made_without_permission_and_licence(
    game: Path, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (game / "about.toml").write_text(ABOUT.replace(f'{missing} = "told"', ""))
    assert make(game) == 2
    assert f"does not tell {missing}" in capsys.readouterr().err
