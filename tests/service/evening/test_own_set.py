"""The owner's set, laid out before the camera while a table is set up."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from engine.tiles import KINDS
from service.evening.preview import SourcePreview
from tests.support.browsing import PHONE, opened
from tests.support.detectors import Blind, Still
from tests.support.films import still_film
from tests.support.screens import in_every_language
from tests.support.setting_up import Setting, set_up_at
from vision.camera.pictures import read_picture
from vision.tile_set.gain import ProfileGain, ReadShares
from vision.tile_set.profile import Profile
from vision.tiles.classes import FACES

EMPTY = np.full((720, 1280, 3), 90, np.uint8)


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    with set_up_at(tmp_path) as setting:
        yield setting


@pytest.fixture
def camera(setting: Setting, own_set: Path) -> Still:
    """A camera that sees the set laid out."""
    camera = Still(read_picture(next((own_set / "laid").glob("*.jpg"))))
    show(setting, camera)
    return camera


def show(setting: Setting, camera: Still) -> None:
    setting.set_up.preview = SourcePreview(camera, Blind)


GAIN = ProfileGain(34, 34, 816, False, True, ReadShares(0.8, 0.1, 0.1), ReadShares(1, 0, 0), ())
IMPOSSIBLE = [
    ({"picture": 3, "tile": 1, "face": "1m"}, "there are pictures 1 to 2"),
    ({"picture": 1, "tile": 99, "face": "1m"}, "there is no tile 99"),
    ({"picture": 1, "tile": 1, "face": "xx"}, "expected a tile"),
]


def test_a_set_laid_out_is_named_learnt_and_played_with(
    setting: Setting, camera: Still, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a set gains is measured by the test of ``enroll --report``: it takes long."""
    measured: list[Profile] = []

    def gain_of(_: object, profile: Profile) -> ProfileGain:
        measured.append(profile)
        return GAIN

    monkeypatch.setattr("service.evening.own_set.gain_of", gain_of)
    taken = [setting.ask("/api/setup/set/pictures", {}) for _ in range(2)]
    names = [tile["face"] for tile in taken[0]["tiles"]]
    assert set(names) >= set(KINDS)
    assert taken[0]["missing"] == []
    assert all(tile["crop"].startswith("data:image/jpeg") for tile in taken[0]["tiles"])

    # What is refused loses nothing.
    for impossible, says in IMPOSSIBLE:
        refused = setting.ask("/api/setup/set", {"names": [impossible]})
        assert refused["status"] == 422
        assert says in refused["detail"]
    none = [
        {"picture": picture, "tile": tile["number"], "face": None}
        for picture, answer in enumerate(taken, 1)
        for tile in answer["tiles"]
    ]
    refused = setting.ask("/api/setup/set", {"names": none})
    assert refused["status"] == 422
    assert refused["detail"].startswith("no tile is left in the pictures")
    away = setting.folder.with_name("away")
    shutil.move(setting.folder, away)
    assert setting.ask("/api/setup/set", {"names": []})["status"] == 507
    shutil.move(away, setting.folder)
    assert not list(setting.folder.glob("*.tiles"))

    wrong, gone = names.index("1m") + 1, names.index("9p") + 1
    told = [
        {"picture": picture, "tile": tile, "face": face}
        for picture in (1, 2)
        for tile, face in ((wrong, "1m"), (gone, None))
    ]
    gain = setting.ask("/api/setup/set", {"names": told})
    assert gain["status"] == 200
    assert (gain["before"]["right"], gain["after"]["right"]) == (0.8, 1)
    profile = setting.folder / gain["file"]
    faces = [FACES[face] for face in Profile.load(profile).faces]
    assert [FACES[face] for face in measured[-1].faces] == faces
    assert "9p" not in faces, "a person said that it is no tile"
    assert faces.count("1m") == 2, "one of each picture"
    assert setting.set_up.options.own_set == profile
    again = setting.ask("/api/setup/set", {"names": []})
    assert "take a picture of the set laid out first" in again["detail"]


def test_a_picture_without_a_set_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with set_up_at(tmp_path, load_fitted=lambda _: Blind()) as setting:  # type: ignore[arg-type,return-value]
        no_camera = setting.ask("/api/setup/set/pictures", {})
        assert (no_camera["status"], no_camera["detail"]) == (422, "choose a camera first")
        show(setting, Still(EMPTY))
        refused = setting.ask("/api/setup/set/pictures", {})
        assert refused["status"] == 422
        assert refused["detail"].startswith("only 0 tiles were found face up: lay out all 34 kinds")


def test_the_page_guides_through_it(
    browser: Browser, setting: Setting, own_set: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.evening.own_set.gain_of", lambda *_: GAIN)
    complaints: list[str] = []
    picture = setting.folder / "laid.mp4"
    still_film(next((own_set / "laid").glob("*.jpg")), picture)
    page = opened(browser, setting.server.url, PHONE, complaints)
    page.get_by_text("Something else", exact=True).click()
    page.get_by_role("button", name="laid.mp4").click()
    page.get_by_role("button", name="2 Table").click()
    page.get_by_text("Your own set of tiles").click()
    page.get_by_role("button", name="Take the picture").click()
    expect(page.locator("#set-told")).to_contain_text("Look through the names")
    assert page.locator(".set-tiles li").count() >= len(KINDS)
    in_every_language(page, "own-set")
    page.get_by_label("Name of tile 1", exact=True).select_option("no tile")
    page.get_by_role("button", name="Use this set").click()
    expect(page.locator("#set-told")).to_contain_text(".tiles")
    assert len(list(setting.folder.glob("*.tiles"))) == 1
    assert page.locator(".set-tiles li").count() == 0
    assert complaints == []
