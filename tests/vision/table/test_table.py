"""The table in the picture: from four corners to points at any height."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.camera.pictures import SourceError
from vision.table.view import SIDES, TableView, from_seat, to_seat

SIZE = (1920, 1080)


def seen_from(
    tilt_deg: float, height_mm: float = 1200, focal_px: float = 1700, seat0: str = "bottom"
) -> tuple[TableView, np.ndarray]:
    """A view of an 800 mm table, and the true camera that it was made with."""
    tilt = np.radians(tilt_deg)
    cos, sin = np.cos(tilt), np.sin(tilt)
    # The camera stands off towards seat 0 and looks at the middle.
    eye = np.array([0.0, height_mm * np.tan(tilt), height_mm])
    right, ahead = np.array([1.0, 0, 0]), -eye / np.linalg.norm(eye)
    down = np.array([0.0, cos, -sin])
    turn = np.stack([right, down, ahead])
    inner = np.array([[focal_px, 0, SIZE[0] / 2], [0, focal_px, SIZE[1] / 2], [0, 0, 1]])
    camera = inner @ np.column_stack([turn, -turn @ eye])
    corners = np.array([[-400, -400], [400, -400], [400, 400], [-400, 400]], float)
    seen = shoot(camera, corners, 0.0)
    return TableView(tuple(map(tuple, seen)), (800, 800), SIZE, seat0), camera


def shoot(camera: np.ndarray, points: np.ndarray, height: float) -> np.ndarray:
    ones = np.ones(len(points))
    flat = np.column_stack([points, ones * height, ones]) @ camera.T
    return np.asarray(flat[:, :2] / flat[:, 2:])


PLACES = np.array([[0.0, 0.0], [350, 350], [-350, 300], [120, -380]])


@pytest.mark.parametrize("tilt_deg", [5, 12, 25, 35])
@pytest.mark.parametrize("height_mm", [0.0, 20.0, 40.0])
def test_points_at_a_height_are_where_cameras_show_them(tilt_deg: float, height_mm: float) -> None:
    view, camera = seen_from(tilt_deg)
    seen = shoot(camera, PLACES, height_mm)
    np.testing.assert_allclose(
        view.to_table(seen, height_mm), PLACES, atol=3.5 if tilt_deg < 15 else 1.0
    )


def test_straight_down_a_usual_lens_is_assumed() -> None:
    view, camera = seen_from(0.0)
    seen = shoot(camera, PLACES, 35.0)
    np.testing.assert_allclose(view.to_table(seen, 35.0), PLACES, atol=4.0)


@pytest.mark.parametrize("height_mm", [0.0, 37.0])
def test_there_and_back_is_the_same_place(height_mm: float) -> None:
    view, _ = seen_from(20)
    back = view.to_table(view.to_image(PLACES, height_mm), height_mm)
    np.testing.assert_allclose(back, PLACES, atol=1e-6)


@pytest.mark.parametrize(
    ("seat0", "corner"), list(zip(SIDES, [(-1, -1), (1, -1), (1, 1), (-1, 1)], strict=True))
)
def test_the_pictures_top_left_is_another_corner_for_each_side_of_seat_0(
    seat0: str, corner: tuple[int, int]
) -> None:
    view, _ = seen_from(10, seat0=seat0)
    found = view.to_table(np.array([view.corners_px[0]]))
    np.testing.assert_allclose(found[0], np.array(corner) * 400, atol=1e-3)


def test_each_player_has_the_next_one_at_the_right_hand() -> None:
    for seat in range(4):
        next_player = from_seat(np.array([0.0, 300.0]), (seat + 1) % 4)
        u, v = to_seat(next_player, seat)
        assert u == pytest.approx(300)
        assert v == pytest.approx(0)


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    view, _ = seen_from(15, seat0="left")
    replace(view, tile_mm=31.5).save(tmp_path / "table.toml")
    again = TableView.load(tmp_path / "table.toml")
    np.testing.assert_allclose(again.corners_px, view.corners_px, atol=0.06)
    assert (again.seat0, again.size_mm, again.tile_mm) == ("left", (800, 800), 31.5)
    assert TableView.load(tmp_path / "table.toml", seat0="top").seat0 == "top"


FINE = (
    "[table]\ncorners_px = [[40, 20], [600, 20], [600, 500], [40, 500]]\n"
    "size_mm = [800, 800]\npicture_px = [640, 520]\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[table]\n",
        "not toml",
        "[table]\ncorners_px = " + "[" * 5_000,
        "[table]\ncorners_px = " + "[" * 900 + "]" * 900,
        f"[table]\ncorners_px = [[1{'0' * 400}, 0], [9, 0], [9, 9], [0, 9]]",
        FINE.replace("40, 20", "nan, 20"),
        FINE.replace("40, 20", "1e300, 20"),
        FINE + "tile_mm = nan\n",
        FINE + "tile_mm = -28\n",
        "[table]\ncorners_px = [[0, 0]]\nsize_mm = [1, 1]\npicture_px = [9, 9]\n",
    ],
)
def test_a_file_that_is_no_table_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.toml").write_text(text)
    with pytest.raises(SourceError, match=r"table\.toml") as refused:
        TableView.load(tmp_path / "table.toml")
    assert "\n" not in str(refused.value)


def test_a_file_of_the_same_form_is_taken(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(FINE)
    assert TableView.load(tmp_path / "table.toml").size_mm == (800, 800)


def test_corners_the_wrong_way_round_are_refused() -> None:
    with pytest.raises(SourceError, match="clockwise"):
        TableView(((0, 0), (0, 900), (900, 900), (900, 0)), (800, 800), SIZE)


def test_another_resolution_of_the_same_picture_shows_the_same_table() -> None:
    view, _ = seen_from(18)
    larger = view.in_picture(3840, 2160)
    np.testing.assert_allclose(
        larger.to_image(PLACES, 20), 2 * view.to_image(PLACES, 20), rtol=1e-6
    )
    with pytest.raises(SourceError, match="calibrate"):
        view.in_picture(1000, 1000)
