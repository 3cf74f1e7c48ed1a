"""Drawn tile faces, and faces read from a folder."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.tiles import CODES
from studio.faces import FAMILIES, HELD_OUT, FaceSet, draw_faces, load_faces, style_family
from studio.faces.mix import pool
from studio.faces.motif import names
from studio.faces.style import FAMILY, style_of
from studio.faces.writing import CHARACTERS, SIMPLIFIED, has

SMALL = (48, 64)
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 40">'
    '<rect x="5" y="5" width="20" height="10" fill="#c00000"/></svg>'
)


def on_ivory(face: np.ndarray) -> np.ndarray:
    alpha = face[:, :, 3:].astype(float) / 255
    return face[:, :, :3] * alpha + 235 * (1 - alpha)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(on_ivory(one) - on_ivory(other)).mean())


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_draws_every_tile(family: str) -> None:
    faces = draw_faces(3, *SMALL, family=family)
    assert tuple(faces.images) == CODES
    for code, image in faces.images.items():
        assert image.shape == (64, 48, 4)
        assert image.dtype == np.uint8
        inked = float((image[:, :, 3] > 60).mean())
        assert inked < 0.75, f"{code} hides the body of the tile"
        assert inked > 0.01 or code == "5z", f"{code} is empty"


@pytest.mark.parametrize("family", FAMILIES)
def test_distinct_tiles_look_distinct(family: str) -> None:
    for seed in range(2):
        images = draw_faces(seed, *SMALL, family=family).images
        for one, other in combinations(CODES, 2):
            assert apart(images[one], images[other]) > 1.5, f"{one} looks like {other}"


def test_held_out_family_never_comes_from_a_seed_alone() -> None:
    drawn = {style_family(seed) for seed in range(200)}
    assert drawn == set(FAMILIES) - {HELD_OUT}


@pytest.mark.parametrize("part", ["dots", "rosettes", "sticks", "birds", "fonts", "whites"])
def test_held_out_family_shares_no_part_with_others(part: str) -> None:
    held_out = set(getattr(FAMILY[HELD_OUT], part))
    others = {p for name in FAMILIES if name != HELD_OUT for p in getattr(FAMILY[name], part)}
    assert held_out
    assert not held_out & others


@pytest.mark.parametrize("kind", ["sticks", "birds"])
def test_no_part_of_the_held_out_family_is_mixed_in(kind: str) -> None:
    assert set(pool(kind)) == set(names(kind)) - set(getattr(FAMILY[HELD_OUT], kind))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_font_or_its_fallback_draws_every_character(family: str) -> None:
    style = style_of(family, np.random.default_rng(0))
    for font in FAMILY[family].fonts:
        for character in {*CHARACTERS.values(), "萬", "伍"}:
            forms = (character, SIMPLIFIED.get(character, character))
            assert any(has(f, form) for f in (font, style.fallback) for form in forms)


def folder_of(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    red = np.full((80, 60, 3), 255, np.uint8)
    red[30:50, 20:40] = (0, 0, 200)
    assert cv2.imwrite(str(folder / "5m.png"), red)
    assert cv2.imwrite(str(folder / "w2.png"), red)
    assert cv2.imwrite(str(folder / "chun.jpg"), red)
    (folder / "7z.svg").write_text(SVG)
    (folder / "notes.txt").write_text("not a face")
    return folder


def test_folder_gives_the_faces_it_has(tmp_path: Path) -> None:
    faces = load_faces(folder_of(tmp_path), 0, *SMALL)
    assert isinstance(faces, FaceSet)
    assert tuple(faces.images) == ("5m", "2z", "7z", "1f")
    assert all(image.shape == (64, 48, 4) for image in faces.images.values())
