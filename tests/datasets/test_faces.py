"""Drawn tile faces, and faces read from a folder."""

from __future__ import annotations

import json
import os
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.tiles import CODES
from studio.faces import FAMILIES, HELD_OUT, BadFaces, FaceSet, draw_faces, load_faces, style_family
from studio.faces.canvas import Canvas
from studio.faces.mix import MIXERS, pool
from studio.faces.motif import CLEAR, load, names
from studio.faces.photos import labelled_faces
from studio.faces.style import FAMILY, style_of
from studio.faces.writing import CHARACTERS, SIMPLIFIED, draw, has, outlines
from tests.support.paths import ROOT

INKS = {"red", "green", "blue", "black", "navy", "teal", "purple", CLEAR}
ART = ROOT / "datasets" / "studio" / "art"
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


def test_same_seed_same_faces() -> None:
    one, other = draw_faces(11, *SMALL), draw_faces(11, *SMALL)
    assert one.name == other.name
    assert all(np.array_equal(one.images[code], other.images[code]) for code in CODES)


def test_seeds_give_different_sets() -> None:
    sets = [draw_faces(seed, *SMALL) for seed in range(4)]
    for one, other in combinations(sets, 2):
        assert np.mean([apart(one.images[c], other.images[c]) for c in CODES]) > 3


@pytest.mark.parametrize("family", FAMILIES)
def test_distinct_tiles_look_distinct(family: str) -> None:
    for seed in range(2):
        images = draw_faces(seed, *SMALL, family=family).images
        for one, other in combinations(CODES, 2):
            assert apart(images[one], images[other]) > 1.5, f"{one} looks like {other}"


@pytest.mark.parametrize("code", ["0m", "0p", "0s"])
@pytest.mark.parametrize("family", FAMILIES)
def test_red_fives_are_red_all_over(family: str, code: str) -> None:
    image = draw_faces(5, *SMALL, family=family).images[code]
    paint = image[image[:, :, 3] > 90].astype(int)
    assert len(paint) > 50
    assert (paint[:, 0] > paint[:, 1:3].max(axis=1) + 15).mean() > 0.95


def test_held_out_family_never_comes_from_a_seed_alone() -> None:
    drawn = {style_family(seed) for seed in range(200)}
    assert drawn == set(FAMILIES) - {HELD_OUT}


@pytest.mark.parametrize("part", ["dots", "rosettes", "sticks", "birds", "fonts", "whites"])
def test_held_out_family_shares_no_part_with_others(part: str) -> None:
    held_out = set(getattr(FAMILY[HELD_OUT], part))
    others = {p for name in FAMILIES if name != HELD_OUT for p in getattr(FAMILY[name], part)}
    assert held_out
    assert not held_out & others


def test_seed_names_the_family_that_it_draws() -> None:
    assert all(draw_faces(seed, *SMALL).name == f"{style_family(seed)}-{seed}" for seed in range(3))


def test_unknown_family_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a family of faces"):
        draw_faces(0, *SMALL, family="martian")


@pytest.mark.parametrize("rank", range(2, 10))
def test_circles_show_as_many_dots_as_their_rank(rank: int) -> None:
    spots = load("layouts", f"{rank}p").shapes
    assert len(spots) == rank
    red = sum(spot.ink == "red" for spot in spots)
    assert red == {2: 0, 3: 1, 4: 0, 5: 1, 6: 4, 7: 4, 8: 0, 9: 3}[rank]


@pytest.mark.parametrize("rank", range(2, 10))
def test_bamboos_show_as_many_sticks_as_their_rank(rank: int) -> None:
    assert len(load("layouts", f"{rank}s").shapes) == rank


@pytest.mark.parametrize("path", sorted(ART.glob("*/*.svg")), ids=lambda path: path.stem)
def test_every_motif_lies_in_its_box_and_has_known_inks(path: Path) -> None:
    motif = load(path.parent.name, path.stem)
    assert motif.shapes
    assert {shape.ink for shape in motif.shapes} <= INKS
    points = np.concatenate([shape.points for shape in motif.shapes])
    assert (np.abs(points).max(axis=0) <= 1.45 * motif.size).all()
    assert np.ptp(points, axis=0).max() > 0.25 * motif.size.max()


@pytest.mark.parametrize("kind", ["dots", "rosettes", "sticks", "birds", "whites"])
def test_every_motif_of_a_family_is_drawn(kind: str) -> None:
    named = {name for family in FAMILY.values() for name in getattr(family, kind)}
    assert named - {"empty", "character"} <= set(names(kind))


def test_parts_of_a_motif_are_repeated_turned_and_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "one.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">'
        '<g class="arm" fill="red" transform="translate(10 20)" data-joint="1 2">'
        '<path id="bar" d="M0 0 L5 0 L5 1 Z"/><use href="#bar" transform="rotate(90)"/></g></svg>'
    )
    monkeypatch.setattr("studio.faces.motif._ART", tmp_path)
    motif = load("odd", "one")
    arm = motif.part("arm")
    assert arm is not None
    assert arm.joint.tolist() == [11, 22]
    assert arm.shapes[0].points.tolist() == [[10, 20], [15, 20], [15, 21], [10, 20]]
    np.testing.assert_allclose(arm.shapes[1].points, [[10, 20], [10, 25], [9, 25], [10, 20]])
    around = arm.put((0, 0), turn_deg=90, scale=2).shapes[0].points
    np.testing.assert_allclose(around[0], [4, -2], atol=1e-9)
    placed = motif.placed((1, 1), (50, 200))
    np.testing.assert_allclose(placed[0].points[0], [6, 41])


@pytest.mark.parametrize("kind", MIXERS)
def test_every_seed_mixes_another_motif(kind: str) -> None:
    def mixed(seed: int) -> bytes:
        motif = MIXERS[kind](np.random.default_rng(seed))
        assert {shape.ink for shape in motif.shapes} <= INKS
        return b"".join(shape.points.tobytes() for shape in motif.shapes)

    assert mixed(3) == mixed(3)
    assert len({mixed(seed) for seed in range(20)}) == 20


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


def test_character_outlines_lie_in_their_square() -> None:
    points = np.concatenate(outlines("ar-pl-ukai", "萬"))
    assert points.min() > -0.1
    assert points.max() < 1.1


def test_overlapping_strokes_of_a_character_stay_solid() -> None:
    canvas = Canvas(60, 80)
    draw(canvas, "noto-sans-sc", "東", (0, 0, 60, 60), (0, 0, 0))
    middle = canvas.picture()[25:60, 30, 3]
    assert (middle == 255).all(), "the upright stroke crosses two gaps of the box"


def test_hole_within_an_outline_stays_open() -> None:
    canvas = Canvas(60, 80)
    draw(canvas, "noto-sans-sc", "0", (0, 0, 40, 60), (0, 0, 0))
    assert canvas.picture()[40, 30, 3] == 0


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


def test_drawn_picture_on_white_loses_its_ground(tmp_path: Path) -> None:
    face = load_faces(folder_of(tmp_path), 0, *SMALL).images["5m"]
    assert face[2, 2, 3] == 0
    assert face[32, 24, 3] > 180
    assert face[32, 24, 0] > 150 > face[32, 24, 2], "red comes first"


def test_svg_is_drawn_where_it_says(tmp_path: Path) -> None:
    face = load_faces(folder_of(tmp_path), 0, *SMALL).images["7z"]
    assert face[16, 24].tolist() == [192, 0, 0, 255]
    assert face[50, 24, 3] == 0


def test_labelled_photographs_are_chosen_by_seed(tmp_path: Path) -> None:
    for name, value in (("a.jpg", 60), ("b.jpg", 180)):
        cv2.imwrite(str(tmp_path / name), np.full((40, 30, 3), value, np.uint8))
    rows = [{"file": name, "tile": "9s"} for name in ("a.jpg", "b.jpg")]
    (tmp_path / "faces.json").write_text(json.dumps(rows))
    shades = {int(load_faces(tmp_path, s, *SMALL).images["9s"][32, 24, 0]) for s in range(12)}
    assert len(shades) == 2


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("readme.txt", "nothing here", "holds no tile faces"),
        ("5m.png", "no picture", "cannot read the tile face"),
        ("5m.png", "", "cannot read the tile face"),
        ("5m.svg", "<svg", "cannot read the tile face"),
        ("tiles.otf", "no font", "cannot read the font of tiles"),
        ("faces.json", "{", "expected a list of"),
        ("faces.json", "[]", "expected a list of"),
        ("faces.json", '["5m.jpg"]', "expected a list of"),
        ("faces.json", '[{"file": "gone.jpg", "tile": "1m"}]', "cannot read the tile face"),
    ],
)
def test_bad_folder_says_so_in_one_line(tmp_path: Path, name: str, content: str, says: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(BadFaces, match=says) as caught:
        load_faces(tmp_path)
    assert "\n" not in str(caught.value)


def test_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadFaces, match="expected a folder"):
        load_faces(tmp_path / "gone")


@pytest.mark.parametrize(
    ("folder", "kinds"),
    [
        ("art/gl-mahjongtile-svg", 42),
        ("art/mahjong-graphic", 45),
        ("art/chinese-official-helper", 34),
        ("art/i-mahjong-fonts", 45),
        ("faces", 42),
    ],
)
def test_published_collections_are_understood(folder: str, kinds: int) -> None:
    shared = os.environ.get("TILESIGHT_SHARED")
    if shared is None:
        pytest.skip("TILESIGHT_SHARED names no folder")
    assert len(load_faces(Path(shared) / "data" / folder, 0, *SMALL).images) == kinds


def test_a_known_wrong_label_is_mended_and_no_other(tmp_path: Path) -> None:
    rows = [{"file": "a350.jpg", "tile": "8p"}, {"file": "a351.jpg", "tile": "8p"}]
    (tmp_path / "faces.json").write_text(json.dumps(rows))
    assert [row["tile"] for row in labelled_faces(tmp_path)] == ["9p", "8p"]
