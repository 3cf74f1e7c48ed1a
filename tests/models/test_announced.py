"""What a live table announces, and what of it does not stay."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from games.announced import Announced, announced, figures
from games.store.film import StoredFilm, load, place_of
from score import main

from engine.events import Discard, Event, Win
from engine.tiles import Tile
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.tracking.observe import Look

NAME = "cases/riichi-then-win-perfect-0"


class Wavers(Decoder):
    """Tells the first event of a kind otherwise until the film is over."""

    def otherwise(self, event: Event) -> Event | None:
        raise NotImplementedError

    def look(self, look: Look) -> Decoding | None:
        now = super().look(look)
        if now is None:
            return None
        told = list(now.told)
        for at, entry in enumerate(told):
            other = self.otherwise(entry.event)
            if other is not None:
                told[at] = replace(entry, event=other)
                break
        return replace(now, told=tuple(told))


class MisreadsADiscard(Wavers):
    def otherwise(self, event: Event) -> Event | None:
        return replace(event, tile=Tile("7z")) if isinstance(event, Discard) else None


class OverlooksTheHand(Wavers):
    def otherwise(self, event: Event) -> Event | None:
        return replace(event, hand=None) if isinstance(event, Win) else None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("store")
    only = "cases/riichi-then-win-*"
    assert main(["store", "make", str(place), "--kinds", "cases", "--only", only]) == 0
    return place


@pytest.fixture(scope="module")
def film(folder: Path) -> StoredFilm:
    return load(place_of(NAME, folder))


@pytest.fixture(scope="module")
def read(film: StoredFilm) -> Announced:
    return announced(film)


def test_what_is_announced_of_a_plain_game_stays(read: Announced) -> None:
    assert (read.told["ready"], read.told["payout"]) == (1, 3), (
        "the stake, the win, and the ura dora"
    )
    assert read.back == read.changed == []
    assert read.shown["Win"] == 1
    assert 0 < read.delays_s["payout"][0] < 5


def test_a_payment_that_changes_is_counted_as_taken_back(film: StoredFilm) -> None:
    read = announced(film, OverlooksTheHand)
    (payout,) = (one for one in read.back if one.kind == "payout")
    assert payout.told_s < payout.back_s == film.length_s
    assert [one["kind"] for one in payout.now] == ["payout"], "another one takes its place"
    assert read.told["payout"] == 4
    (win,) = read.changed
    assert (win.kind, "hand" in win.was, "hand" in win.now[0]) == ("Win", False, True)
    lines = list(figures([read]))
    assert any(line.startswith("announced, payout: 1 of 4 did not stay") for line in lines)


def test_a_discard_that_is_named_otherwise_is_counted_apart(film: StoredFilm) -> None:
    read = announced(film, MisreadsADiscard)
    (discard,) = read.changed
    assert (discard.kind, discard.was["tile"]) == ("Discard", "7z")
    assert [one["type"] for one in discard.now] == ["discard"]
    assert [one.kind for one in read.back if one.kind == "payout"] == []


def test_the_program_prints_and_keeps_it(
    folder: Path, tmp_path: Path, read: Announced, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "announced.json"
    assert main(["announced", str(folder), "--only", NAME, "--out", str(out), "--show"]) == 0
    count = sum(read.told.values())
    assert f"{NAME}: 0 of {count} announcements taken back" in capsys.readouterr().out
    assert json.loads(out.read_text(encoding="utf-8"))[0]["shown"]["Win"] == 1
    with pytest.raises(SystemExit, match="holds no film that matches"):
        main(["announced", str(folder)])
