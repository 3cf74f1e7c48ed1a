"""What people and rules say of tiles is kept with their pictures, and nothing else is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from engine.events import Correct, Discard, Entry, Event, GameStart, HandEnd, HandStart, Pung
from engine.tiles import Tile
from service.table.picture_files import TILES_LIST
from service.table.pictures import OF_FILM, Pictures
from service.table.tile_keeper import TileKeeper
from tests.support.placed_tiles import Lying, PlainLookResult, at
from vision.camera.frames import Frame
from vision.decoder.decoding import Decoding
from vision.decoder.question import Answer, AnswerChoice, EventPlace, Question

FIVE, SIX = Discard(0, Tile("5m")), Discard(0, Tile("6m"))
BEFORE = (at(100, "7p"), at(200, "2s"))
PERSON: Final = "person"


def look(
    keeper: TileKeeper, time_s: float, tiles: Sequence[Lying], *events: Event,
    asked: Sequence[Question] = (),
) -> None:  # fmt: skip
    """A look at the table, and the lines that are written of it."""
    picture = np.full((540, 960, 3), (40, 90, 40), np.uint8)
    frame = Frame(picture, time_s, round(10 * time_s))
    told = tuple(Entry(event, t=time_s) for event in events)
    result = PlainLookResult(frame, tuple(tiles), Decoding(told, questions=tuple(asked)))
    keeper.pictures.see(result)
    keeper.add(result)
    keeper.lines(told)


@pytest.fixture
def keeper(tmp_path: Path) -> TileKeeper:
    return TileKeeper(tmp_path / "tiles", Pictures(OF_FILM))


def played(keeper: TileKeeper, *new: Lying) -> None:
    """A hand begins, and a tile comes down that is told as the five of characters."""
    look(keeper, 0.0, BEFORE, GameStart("harbin-hlr"), HandStart())
    look(keeper, 5.0, (*BEFORE, *new), FIVE)


def kept(folder: Path) -> list[tuple[str, float, str, str]]:
    """What is said of which tile: face, place, by whom, and as what it was read."""
    path = folder / "tiles" / TILES_LIST
    lines = map(json.loads, path.read_text().splitlines()) if path.exists() else ()
    said = []
    for line in lines:
        assert (folder / "tiles" / line["picture"]).read_bytes().startswith(b"\xff\xd8")
        for tile in line["tiles"]:
            if "by" in tile:
                said.append((tile["tile"], tile["corners"][0][0], tile["by"], tile["read"]))
    return said


def asked(*choices: Event) -> Question:
    told = tuple(AnswerChoice((event,), 0.5) for event in choices)
    return Question(EventPlace("laid", 5.0), told, 2)


def test_nothing_is_kept_of_what_nobody_speaks_about(keeper: TileKeeper, tmp_path: Path) -> None:
    played(keeper, at(400, "5m"))
    keeper.finish()
    assert list((tmp_path / "tiles").iterdir()) == []


@pytest.mark.parametrize("read", ["5m", "?"])
def test_a_corrected_tile_has_the_name_that_people_gave_it(
    keeper: TileKeeper, tmp_path: Path, read: str
) -> None:
    played(keeper, at(400, read))
    line = Entry(Correct(2, (Entry(SIX, t=5.0, source=PERSON),)), t=5.0, source=PERSON)
    keeper.lines([line])
    assert kept(tmp_path) == [("6m", 400.0, "person", read)]
    first = json.loads((tmp_path / "tiles" / TILES_LIST).read_text())
    assert [tile["read"] for tile in first["tiles"]] == ["7p", "2s", read]


def test_corrections_of_the_camera_say_nothing(keeper: TileKeeper, tmp_path: Path) -> None:
    played(keeper, at(400, "5m"))
    keeper.lines([Entry(Correct(2, (Entry(SIX, t=5.0),)), t=5.0)])
    assert kept(tmp_path) == []


@pytest.mark.parametrize("new", [(), (at(400, "?"), at(500, "?")), (at(400, "5m"), at(500, "5m"))])
def test_a_tile_that_may_be_one_of_several_is_not_kept(
    keeper: TileKeeper, tmp_path: Path, new: tuple[Lying, ...]
) -> None:
    played(keeper, *new)
    keeper.answered(asked(FIVE, SIX), AnswerChoice((SIX,), 0.5))
    assert kept(tmp_path) == []


def test_a_tile_that_lay_there_before_is_not_the_new_one(
    keeper: TileKeeper, tmp_path: Path
) -> None:
    look(keeper, 0.0, BEFORE)
    look(keeper, 5.0, (at(100, "?"), at(200, "2s")), FIVE)
    keeper.answered(asked(FIVE, SIX), AnswerChoice((SIX,), 0.5))
    assert kept(tmp_path) == []


def test_a_doubt_is_kept_once_and_then_what_is_answered(keeper: TileKeeper, tmp_path: Path) -> None:
    played(keeper, at(400, "?"))
    question = asked(FIVE, SIX)
    for time_s in (6.0, 7.0):
        look(keeper, time_s, (*BEFORE, at(400, "?")), asked=[question])
    assert kept(tmp_path) == [("5m", 400.0, "asked", "?")]
    keeper.answered(question, question.choices[0])
    assert kept(tmp_path)[1:] == [("5m", 400.0, "person", "?")]


def test_answers_given_beforehand_count_when_their_moment_comes(tmp_path: Path) -> None:
    keeper = TileKeeper(
        tmp_path / "tiles", Pictures(OF_FILM), answers=[Answer(EventPlace("laid", 5.5), (FIVE,))]
    )
    played(keeper, at(400, "5m"))
    assert kept(tmp_path) == [("5m", 400.0, "person", "5m")]


def test_a_set_that_the_rules_accept_confirms_its_tiles(keeper: TileKeeper, tmp_path: Path) -> None:
    laid = (at(600, "5m"), at(626, "5m"), at(652, "5m"))
    five = Tile("5m")
    played(keeper, at(400, "5m"))
    look(keeper, 9.0, (*BEFORE, *laid), Pung(2, 0, five, (five, five)))
    assert kept(tmp_path) == []
    look(keeper, 20.0, (*BEFORE, *laid), HandEnd())
    assert kept(tmp_path) == [("5m", x, "rules", "5m") for x in (600.0, 626.0, 652.0)]


def test_a_set_that_the_rules_object_to_confirms_nothing(
    keeper: TileKeeper, tmp_path: Path
) -> None:
    laid = (at(600, "5m"), at(626, "5m"), at(652, "5m"))
    five = Tile("5m")
    played(keeper, at(400, "5m"))
    # Nobody has discarded what seat 3 is said to have claimed.
    look(keeper, 9.0, (*BEFORE, *laid), Pung(2, 3, five, (five, five)))
    keeper.finish()
    assert kept(tmp_path) == []


def test_a_full_disk_stops_no_game(
    keeper: TileKeeper, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    played(keeper, at(400, "5m"))
    (tmp_path / "tiles").rmdir()
    for choice in (SIX, FIVE):
        keeper.answered(asked(FIVE, SIX), AnswerChoice((choice,), 0.5))
    assert capfd.readouterr().err.count("tiles are not kept") == 1
