"""A scored folder that somebody else has made or changed is looked through before it is used."""

from __future__ import annotations

import json
import lzma
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import Refused
from service.film.film import asked_pictures
from service.film.kept_looks import (
    ABOUT,
    LOOKS,
    NoLooks,
    drop_other_looks,
    kept_game,
    looks_about,
    write_about,
)
from service.film.mended import MendedFolder
from tests.support.answered_film import Blind, answers_file, asked, ids, opened, say, score_again
from tests.support.folders import files
from tests.support.patience import until
from vision.decoder.kept_looks import Begun, packed_looks, unpacked_looks

pytestmark = pytest.mark.film

SECRET = b"secret\xff\xd9"


@pytest.mark.parametrize("name", ["evidence/../../secret.jpg", "evidence/", "/secret.jpg"])
def test_a_picture_outside_the_folder_is_none(folder: Path, name: str, video: Path) -> None:
    question = asked(folder)[0]
    pictures = folder.with_name("secret.jpg")
    pictures.write_bytes(next((folder / "evidence").glob("0*.jpg")).read_bytes() + SECRET)
    (folder / "crops" / "secret.jpg").write_bytes(pictures.read_bytes())
    lines = (folder / "record.jsonl").read_text().splitlines()
    lines = [json.dumps(json.loads(line) | {"evidence": name}) for line in lines]
    (folder / "record.jsonl").write_text("\n".join(lines) + "\n")
    file = json.loads((folder / "questions.json").read_text())
    for row in file["questions"]:
        row["tiles"] = name
    (folder / "questions.json").write_text(json.dumps(file))
    assert asked_pictures(folder) == {}
    assert score_again(video, folder, answers_file(folder, {question.id: 2}), Blind()) == 0
    there = files(folder)
    assert not [one for one, data in there.items() if SECRET in data if one != "crops/secret.jpg"]


@pytest.mark.parametrize("part", ["evidence", "crops"])
def test_a_link_in_place_of_a_picture_is_refused(folder: Path, part: str, video: Path) -> None:
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    linked = next((folder / part).glob("0*.jpg"))
    linked.rename(folder.with_name("secret.jpg"))
    linked.symlink_to(folder.with_name("secret.jpg"))
    with pytest.raises(Refused, match=f"{linked.name} is a link"):
        MendedFolder(folder)
    with pytest.raises(Refused, match=f"{linked.name} is a link"):
        score_again(video, folder, answers, Blind())
    shutil.move(folder / part, folder.with_name(part))
    (folder / part).symlink_to(folder.with_name(part))
    with pytest.raises(Refused, match=f"{part} is a link"):
        MendedFolder(folder)


@pytest.mark.parametrize("part", ["evidence", "crops", "looks", "answered", "answered/looks"])
def test_a_link_is_refused_before_anything_is_moved_or_deleted(
    folder: Path, part: str, video: Path
) -> None:
    """An empty folder of answers is what an interruption leaves of one that was moved."""
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    (folder / "answered").mkdir()
    foreign = folder.with_name("foreign")
    foreign.mkdir()
    for name in ("holiday.jpg", "900"):
        (foreign / name).write_bytes(b"of somebody else")
    place = folder / part
    if place.is_dir():
        shutil.rmtree(place)
    place.symlink_to(foreign)
    with pytest.raises(Refused, match=f"{part} is a link"):
        MendedFolder(folder)
    with pytest.raises(Refused, match=f"{part} is a link"):
        score_again(video, folder, answers, Blind())
    assert sorted(files(foreign)) == ["900", "holiday.jpg"]


@pytest.mark.parametrize("data", [b"", b"any text"])
def test_tiles_that_are_no_whole_picture_are_not_shown(folder: Path, data: bytes) -> None:
    for path in (folder / "evidence").glob("asked-*"):
        path.write_bytes(data)
    assert asked_pictures(folder) == {}


@pytest.mark.parametrize("spoil", ["record.jsonl", "looks"])
def test_looks_of_another_reading_than_the_record_are_not_used(folder: Path, spoil: str) -> None:
    if spoil == "looks":
        (folder / LOOKS / "001").write_bytes((folder / LOOKS / "000").read_bytes())
    else:
        lines = (folder / spoil).read_text().splitlines(keepends=True)
        (folder / spoil).write_text("".join([lines[0], *lines[2:]]))
    with pytest.raises(NoLooks, match=r"not of this record\.jsonl"):
        kept_game(folder, (), folder / "record.jsonl")


def test_looks_stay_those_of_a_record_in_which_names_are_changed(folder: Path) -> None:
    record = folder / "record.jsonl"
    record.write_text(record.read_text().replace("Zoe", "Zoey Ann"))
    assert kept_game(folder, (), record)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"notices": [{"kind": [], "time_s": 1.0, "text": "", "lasts": False}]},
        {"notices": [{"kind": "gap", "time_s": "1", "text": "", "lasts": False}]},
        {"ends_s": [float("nan")]},
        {"record_lines": None},
    ],
)
def test_what_says_what_the_looks_are_is_checked(folder: Path, spoilt: dict[str, object]) -> None:
    about = folder / LOOKS / ABOUT
    about.write_text(json.dumps(json.loads(about.read_text()) | spoilt))
    with pytest.raises(NoLooks, match="is damaged"):
        looks_about(folder)


def of_no_rules(looks: Path) -> None:
    """With a whole file of another beginning, of which the digest is right."""
    folder = looks.parent
    first, *rest = unpacked_looks((looks / "000").read_bytes())
    assert isinstance(first, Begun)
    spoilt = packed_looks([replace(first, rules="nope"), *rest])
    (looks / "000").write_bytes(spoilt)
    write_about(folder, looks_about(folder), folder / "record.jsonl")


def without_tiles(looks: Path) -> None:
    """With a second hand that names tiles which nobody has seen."""
    folder = looks.parent
    data = lzma.decompress((looks / "001").read_bytes())
    (looks / "001").write_bytes(lzma.compress(data[: len(data) // 2]))
    write_about(folder, looks_about(folder), folder / "record.jsonl")


@pytest.mark.parametrize("spoil", [of_no_rules, without_tiles])
def test_hostile_looks_leave_answers_that_change_their_line(
    folder: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(folder / LOOKS)
    question, *others = asked(folder)
    with opened(folder) as server:
        say(server, question)
        until(lambda: ids(server) == [one.id for one in others])


def test_no_looks_are_deleted_where_nothing_says_how_many_there_are(folder: Path) -> None:
    (folder / LOOKS / ABOUT).write_text("{")
    there = files(folder)
    drop_other_looks(folder)
    assert files(folder) == there
