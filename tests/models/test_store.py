"""Looks are stored and read again, and decoders are compared over them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from games.labels import CameraFollower
from games.outcome import GameCase
from games.scripted import ScriptLabels
from games.store.comparing import changes, load_run, paired, save_run, table
from games.store.film import StoredFilm, load, place_of, save, stored
from games.store.plain_looks import look_of, plain_look
from games.store.reading import FilmReading, read
from score import main
from scores.store import in_tree

from engine.events import Discard, Entry
from engine.tiles import Tile
from studio.play.scripts import read_script
from tests.support.paths import ROOT
from tests.support.tables import VIEW, read_at
from vision.attention.motion import StillMask
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.dice.rolls import Roll
from vision.table.view import TableView
from vision.tracking.observe import Look

NAME = "cases/float-perfect-0"
POINTS = np.random.default_rng(1).uniform(-20, 1200, (200, 2))


class Misreads(Decoder):
    """Tells another face of the first discard than it has read."""

    def close(self) -> Decoding:
        now = super().close()
        told = list(now.told)
        for at, entry in enumerate(told):
            if isinstance(entry.event, Discard):
                told[at] = replace(entry, event=replace(entry.event, tile=Tile("7z")))
                break
        return replace(now, told=tuple(told))


class Fails(Decoder):
    def look(self, look: Look) -> Decoding | None:
        if look.time_s > 5:
            raise IndexError("no way is left")
        return super().look(look)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one scripted game, read through three detectors."""
    place = tmp_path_factory.mktemp("store")
    assert main(["store", "make", str(place), "--kinds", "cases", "--only", "cases/float-*"]) == 0
    return place


@pytest.fixture(scope="module")
def labels() -> ScriptLabels:
    """The same game, as it is played."""
    return ScriptLabels.of(read_script("float"))


@pytest.fixture(scope="module")
def film(folder: Path) -> StoredFilm:
    return load(place_of(NAME, folder))


@pytest.fixture(scope="module")
def reading(film: StoredFilm) -> FilmReading:
    return read(film)


def test_a_stored_game_is_told_as_while_it_is_played(
    labels: ScriptLabels, reading: FilmReading
) -> None:
    follower = CameraFollower(labels.planned, GameCase("ordinary", labels.rules, 0))
    lines = list[Entry]()
    for look in labels.looks("perfect", 0, follower):
        lines += follower.take(look)
    lines += follower.decoder.close()
    report = labels.read("perfect", 0)
    assert reading.matched == report.matched > 5
    assert (len(reading.missing), len(reading.extra)) == (len(report.missing), len(report.extra))
    assert [hand["read"] for hand in reading.paid] == [
        list(hand.read or ()) for hand in report.hands
    ]
    assert [one.get("t") for one in reading.told] == [line.t for line in lines]


def test_answers_to_what_is_kept_are_measured_by_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["answers", str(folder), "--only", "*-97301"]) == 0
    first, sums, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("cases/float-ordinary-97301: same, ")
    assert sums == "1 answers, 1 tell the same game as the film"


def test_a_store_has_the_films_it_was_asked_for(folder: Path, film: StoredFilm) -> None:
    assert list(stored(folder)) == [
        "cases/float-ordinary-97301",
        "cases/float-ordinary-97302",
        NAME,
    ]
    assert (film.group, film.grade, film.rules) == ("cases", "perfect", read_script("float").rules)


def test_a_reading_has_the_time_of_each_look(film: StoredFilm, reading: FilmReading) -> None:
    assert len(reading.look_ms) == len(reading.observe_ms) == reading.looks == len(film.steps)
    assert all(
        inner <= outer for inner, outer in zip(reading.observe_ms, reading.look_ms, strict=True)
    )
    worst_ms, at_s = reading.slowest
    assert (
        worst_ms == max(reading.look_ms) >= reading.percentile_ms(99) >= reading.percentile_ms(50)
    )
    assert 0 < at_s <= reading.film_s
    assert 0 < reading.decoder_s <= reading.cpu_s


def test_a_look_at_a_picture_is_read_as_it_was_stored() -> None:
    rng = np.random.default_rng(2)
    moved_s = np.round(rng.uniform(0, 9, (68, 120)), 1)
    moved_s[:10] = -np.inf
    still = StillMask(rng.random((68, 120)) < 0.7, 0.0625, moved_s)
    tiles = [read_at(0, 100, "3p").detected(), read_at(50, 100, "5z", sure=0.6).detected()]
    look = Look(
        9.3, tiles, still, frozenset({2}), 0.1, Roll(9.0, (3, 4), 0.8), still.since_s, True, 93
    )
    again = look_of(plain_look(look))
    assert np.array_equal(again.clear(POINTS), look.clear(POINTS))
    assert np.array_equal(again.since(POINTS), look.since(POINTS))
    assert 0 < look.clear(POINTS).sum() < len(POINTS)
    for one, other in zip(look.readings, again.readings, strict=True):
        assert (one.side, one.score) == (other.side, other.score)
        assert np.array_equal(one.corners_px, other.corners_px)
        assert np.array_equal(one.probabilities, other.probabilities)
    names = ("time_s", "busy", "unrest", "rolled", "held", "frame")
    assert [getattr(again, name) for name in names] == [getattr(look, name) for name in names]


def test_looks_of_a_simulated_detector_are_read_as_they_were_stored(
    labels: ScriptLabels, film: StoredFilm
) -> None:
    looks = [step for step in film.steps if isinstance(step, Look)]
    follower = CameraFollower(labels.planned, GameCase("ordinary", labels.rules, 0))
    for stored_look, look in zip(looks, labels.looks("perfect", 0, follower), strict=True):
        assert np.array_equal(stored_look.clear(POINTS), look.clear(POINTS))
        assert stored_look.busy == look.busy
        assert len(stored_look.readings) == len(look.readings)


def test_what_cannot_be_stored_is_named() -> None:
    look = Look(1.0, (), lambda points: np.ones(len(points), bool))
    with pytest.raises(TypeError, match="function"):
        plain_look(look)


def test_a_decoder_is_also_given_what_is_no_look(film: StoredFilm, tmp_path: Path) -> None:
    given: list[str | TableView] = []

    class Listens(Decoder):
        def moved(self, view: TableView) -> None:
            given.append(view)
            super().moved(view)

        def blinded(self) -> None:
            given.append("blinded")
            super().blinded()

    shifted = replace(VIEW, tile_mm=31.0)
    steps = [*film.steps[:3], "blinded", *film.steps[3:5], shifted, *film.steps[5:8]]
    path = save(replace(film, name="films/moved", steps=steps), tmp_path)
    read(load(path), Listens)
    assert given == ["blinded", shifted]


def test_a_film_that_ends_is_told_until_then(film: StoredFilm) -> None:
    ends_s = film.length_s - 3
    last = [one["t"] for one in read(replace(film, ends_s=ends_s)).told if "t" in one]
    assert max(map(float, map(str, last))) <= ends_s


def test_a_changed_event_is_seen_as_a_difference(
    film: StoredFilm, reading: FilmReading, tmp_path: Path
) -> None:
    runs = []
    for number, done in enumerate([reading, read(film), read(film, Misreads)]):
        path = tmp_path / f"{number}.json"
        save_run(path, "vision", "a decoder", [done])
        runs.append(load_run(path))
    same, other = paired(*runs[:2]), paired(runs[0], runs[2])
    assert list(changes(same)) == []
    (change,) = changes(other)
    assert (change.name, len(change.gone), len(change.new)) == (NAME, 1, 1)
    assert '"7z"' in change.new[0]
    assert "| missing + made up | 0 | 0 | +0 (+0 to +0) |" in table(same)
    assert "| missing + made up | 0 | 2 | +2 (+2 to +2) |" in table(other)


def test_a_decoder_that_fails_is_told_of_and_counts_as_telling_nothing(
    film: StoredFilm, reading: FilmReading
) -> None:
    failed = read(film, Fails)
    assert "IndexError: no way is left" in failed.error
    assert len(failed.missing) == failed.events == reading.events
    assert (failed.extra, failed.paid_right) == ([], 0)
    (change,) = changes([(reading, failed)])
    assert "IndexError: no way is left" in change.new[-1]
    assert "| failed | 0 | 1 |" in table([(reading, failed)])


def test_two_runs_are_made_and_compared_by_command(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (tmp_path / f"{name}.json" for name in ("first", "second"))
    run = ["store", "read", str(folder), "--only", NAME]
    assert main([*run, "--out", str(first)]) == 0
    told = capsys.readouterr().out
    assert f"{NAME}: " in told
    assert "0+0 wrong, paid 1/1" in told
    tree = tmp_path / "tree"
    tree.mkdir()
    for package in ("engine", "vision"):
        (tree / package).symlink_to(ROOT / package)
    assert in_tree(tree, [*run, "--out", str(second)]) == 0
    assert json.loads(second.read_text("utf-8"))["vision"] == str(tree / "vision")
    capsys.readouterr()
    assert main(["store", "compare", str(first), str(second)]) == 0
    assert "0 of 1 films are told otherwise" in capsys.readouterr().out


def test_a_run_goes_on_with_what_it_has_read(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run.json"
    run = ["store", "read", str(folder), "--out", str(out), "--go-on", "--only"]
    assert main([*run, NAME]) == 0
    capsys.readouterr()
    assert main([*run, "cases/float-*"]) == 0
    told = capsys.readouterr().out
    assert f"{NAME}: " not in told
    assert "cases/float-ordinary-97301: " in told
    assert len(load_run(out).films) == 3
