"""``tilesight enroll`` of a game: certain tiles are named, doubtful ones asked about on a page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from playwright.sync_api import Browser

from engine.tiles import KINDS
from service.commands.enroll_play import gather
from service.main import run as tilesight
from tests.support.detectors import Blind
from tests.support.films import QUICKLY, film
from tests.support.gathered_tiles import embed, gathered, tile
from vision.camera.frames import Frame
from vision.camera.pictures import read_picture
from vision.table.view import TableView
from vision.tile_set.groups import grouped
from vision.tile_set.played_set import PlayedSet
from vision.tile_set.profile import PATCH_PX, Profile
from vision.tiles.classes import FACES

DRAGON = [tile(1, "1p") for _ in range(3)] + [tile(2, "1p") for _ in range(2)] + [tile(3, "4s")]
"""A set whose white dragon is taken for a one of dots."""


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """A profile with two questions in it."""
    path = tmp_path / "mine.tiles"
    PlayedSet(grouped(gathered(DRAGON), embed), {}).save(path)
    return path


def answers(asked: Path, given: object, mark: str | None = None) -> Path:
    played = PlayedSet.load(asked)
    assert played is not None
    path = asked.with_name("answers.json")
    path.write_text(json.dumps({"set": mark or played.mark, "answers": given}))
    return path


def enrolled(path: Path) -> set[str]:
    return {FACES[face] for face in Profile.load(path).faces}


def standing_film(picture: Path, path: Path, seconds: int = 1, fps: int = 4) -> Path:
    """A video in which nothing moves, and the table that fills it."""
    image = read_picture(picture)
    height, width = image.shape[:2]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps, options=QUICKLY | {"crf": "12"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for _ in range(seconds * fps):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        container.mux(stream.encode())
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    TableView(corners, (600, 450), (width, height)).save(path.with_name("table.toml"))
    return path


def test_a_game_becomes_a_profile_that_reads_like_one_from_pictures(
    own_set: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    video = standing_film(next((own_set / "laid").glob("*.jpg")), tmp_path / "game.mp4")
    profile = tmp_path / "mine.tiles"
    table = ["--table", str(tmp_path / "table.toml")]
    assert tilesight(["enroll", str(video), *table, "--set", str(profile)]) == 0
    said = capsys.readouterr().out
    assert "tiles lay face up" in said
    assert len(enrolled(profile) & set(KINDS)) >= 25
    questions = json.loads((tmp_path / "mine-questions.json").read_text())["questions"]
    if questions:
        assert f"{len(questions)} question" in said
    assert "data:image/jpeg" in (tmp_path / "mine-questions.html").read_text()
    # A net that is fitted to it reads it: that is measured where its gain is reported.
    fitted: list[Profile] = []
    monkeypatch.setattr("service.machine.weights.fit", lambda _, profile: fitted.append(profile))
    picture = str(max((own_set / "table").glob("*.jpg")))
    assert tilesight(["dev", "detect", picture, "--json", "--set", str(profile)]) == 0
    assert {FACES[face] for face in fitted[0].faces} == enrolled(profile)


def test_answers_name_what_was_doubtful_and_the_rest_follows(
    asked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enrolled(asked) == {"4s"}
    given = answers(asked, {"1": "5z"})
    assert tilesight(["enroll", "--set", str(asked), "--answers", str(given)]) == 0
    assert enrolled(asked) == {"4s", "5z", "1p"}
    assert "nothing is doubtful" in capsys.readouterr().out


def test_a_group_can_be_left_out_and_a_certain_one_put_right(asked: Path) -> None:
    given = answers(asked, {"1": "-", "2": "-", "3": "3s"})
    assert tilesight(["enroll", "--set", str(asked), "--answers", str(given)]) == 0
    assert enrolled(asked) == {"3s"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"1": "5x"}, "group 1: "),
        ({"1": "?"}, "names no tile"),
        ({"1": 5}, "names no tile"),
        ({"9": "5z"}, "there is no group '9', they are 1 to 3"),
        ({"one": "5z"}, "there is no group 'one'"),
        ({"1": "1p", "2": "1p"}, "5 such tiles lay on the table at one moment"),
        (["5z"], "is no file of answers"),
    ],
)
def test_answers_that_cannot_be_are_one_line_and_leave_the_profile_alone(
    asked: Path, given: object, says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before = asked.read_bytes()
    path = answers(asked, given)
    assert tilesight(["enroll", "--set", str(asked), "--answers", str(path)]) == 2
    error = capfd.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert asked.read_bytes() == before
    assert sorted(each.name for each in asked.parent.iterdir()) == ["answers.json", "mine.tiles"]


def test_answers_about_another_recording_are_refused(
    asked: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = answers(asked, {"1": "5z"}, mark="0" * 12)
    assert tilesight(["enroll", "--set", str(asked), "--answers", str(path)]) == 2
    assert "another set or another recording" in capfd.readouterr().err


@pytest.mark.parametrize(
    "content", [b"", b"junk", b"\xff\xfe", b"[1]", b'{"answers": 3}', 20_000 * b"["]
)
def test_a_file_of_no_answers_is_refused(
    asked: Path, content: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    path = asked.with_name("answers.json")
    path.write_bytes(content)
    assert tilesight(["enroll", "--set", str(asked), "--answers", str(path)]) == 2
    error = capfd.readouterr().err
    assert "is no file of answers" in error
    assert error.count("\n") == 1


def test_a_video_without_tiles_makes_no_profile(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.commands.enroll_play.load_detector", lambda _: Blind())
    video = film(tmp_path / "felt.mp4")
    corners = ((10.0, 10.0), (310.0, 10.0), (310.0, 170.0), (10.0, 170.0))
    TableView(corners, (800, 800), (320, 180)).save(tmp_path / "table.toml")
    out = tmp_path / "mine.tiles"
    table = ["--table", str(tmp_path / "table.toml")]
    assert tilesight(["enroll", str(video), *table, "--set", str(out)]) == 2
    assert "only 0 tiles lay still with their faces up" in capfd.readouterr().err
    assert not list(tmp_path.glob("mine*"))


def interrupted(count: int) -> Iterator[Frame]:
    """Frames of a camera at which a person presses Ctrl-C in the end."""
    for index in range(count):
        yield Frame(np.full((180, 320, 3), 90, np.uint8), index / 5, index)
    raise KeyboardInterrupt


def test_who_watches_a_camera_ends_it_and_keeps_what_was_seen() -> None:
    corners = ((10.0, 10.0), (310.0, 10.0), (310.0, 170.0), (10.0, 170.0))
    view = TableView(corners, (800, 800), (320, 180))
    assert gather(interrupted(5), Blind(), view, live=True).tiles == ()
    with pytest.raises(KeyboardInterrupt):
        gather(interrupted(5), Blind(), view)


def test_a_profile_is_neither_overwritten_nor_extended_while_it_has_questions(
    asked: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = asked.read_bytes()
    assert tilesight(["enroll", "game.mp4", "--set", str(asked)]) == 2
    assert "--extend to add to it" in capfd.readouterr().err
    assert tilesight(["enroll", "game.mp4", "--set", str(asked), "--extend"]) == 2
    assert "answer them first" in capfd.readouterr().err
    assert asked.read_bytes() == before


def test_a_profile_from_pictures_has_no_questions_to_answer(
    asked: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pictures = tmp_path / "laid.tiles"
    patches = np.full((1, PATCH_PX[1], PATCH_PX[0], 3), 9, np.uint8)
    Profile(patches, np.array([3])).save(pictures)
    given = answers(asked, {})
    assert tilesight(["enroll", "--set", str(pictures), "--answers", str(given)]) == 2
    assert "there are no questions in it" in capfd.readouterr().err


def test_the_page_asks_and_saves_the_answers_without_a_server(
    asked: Path, browser: Browser
) -> None:
    given = answers(asked, {})
    assert tilesight(["enroll", "--set", str(asked), "--answers", str(given)]) == 0
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(asked.with_name("mine-questions.html").as_uri())
    questions = page.locator(".question")
    assert questions.count() == 2
    first, second = questions.nth(0), questions.nth(1)
    first.get_by_role("button", name="another tile").click()
    page.get_by_role("dialog").get_by_role("button", name="5z", exact=True).click()
    second.locator("button[data-name='1p']").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the answers").click()
    assert saving.value.suggested_filename == "mine-answers.json"
    saved = asked.with_name("saved.json")
    shutil.copy(saving.value.path(), saved)
    assert tilesight(["enroll", "--set", str(asked), "--answers", str(saved)]) == 0
    assert enrolled(asked) == {"4s", "5z", "1p"}
    assert wrong == []
