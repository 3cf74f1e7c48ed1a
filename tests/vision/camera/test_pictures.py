"""Pictures are read whole or refused."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.camera.pictures import (
    MOST_PIXELS,
    SourceError,
    find_pictures,
    read_picture,
    read_reduced,
)


def write(path: Path) -> Path:
    image = np.random.default_rng(5).integers(0, 255, (90, 160, 3), np.uint8)
    assert cv2.imwrite(str(path), image)
    return path


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp"])
def test_a_whole_picture_is_read_and_a_cut_off_one_refused(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"table.{suffix}")
    assert read_picture(path).shape == (90, 160, 3)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(SourceError, match=r"table.* (is cut off|is not a picture)"):
        read_picture(path)


def test_a_small_preview_inside_does_not_make_a_cut_off_picture_whole(tmp_path: Path) -> None:
    data = write(tmp_path / "table.jpg").read_bytes()
    preview = b"\xff\xd8 a whole small picture \xff\xd9"
    inside = b"\xff\xe1" + (len(preview) + 2).to_bytes(2, "big") + preview
    path = tmp_path / "phone.jpg"
    path.write_bytes(data[:2] + inside + data[2:])
    assert read_picture(path).shape == (90, 160, 3)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(SourceError, match="cut off"):
        read_picture(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "there is no picture"),
        (b"", r"table\.png"),
        (b"hello", r"table\.png"),
        (b"\xff\xd8", r"table\.png"),
        (b"\x89PNG", r"table\.png"),
    ],
)
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "table.png"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError, match=said):
        read_picture(path)


def test_a_folder_stands_for_its_pictures_by_name(tmp_path: Path) -> None:
    for name in ("b.jpg", "a.PNG"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "notes.txt").write_text("not a picture")
    single = tmp_path / "notes.txt"
    assert find_pictures([tmp_path, single]) == [tmp_path / "a.PNG", tmp_path / "b.jpg", single]
    (tmp_path / "none").mkdir()
    with pytest.raises(SourceError, match="no picture in the folder"):
        find_pictures([tmp_path / "none"])


def _scene() -> Image.Image:
    """A picture whose upper left quarter is red, the rest blue."""
    pixels = np.zeros((60, 80, 3), np.uint8)
    pixels[..., 2] = 200
    pixels[:30, :40] = 200, 0, 0
    return Image.fromarray(pixels)


def _deep(channels: int) -> Callable[[Path], object]:
    def write_deep(path: Path) -> object:
        pixels = np.array(_scene().convert("RGBA"))[..., [2, 1, 0, 3]].astype(np.uint16) * 257
        return cv2.imwrite(str(path), pixels[..., :channels])

    return write_deep


def _several(path: Path) -> object:
    other = Image.new("RGB", (80, 60), "green")
    return _scene().save(path, save_all=True, append_images=[other], duration=100)


COLOURED: dict[str, Callable[[Path], object]] = {
    "plain.png": lambda path: _scene().save(path),
    "palette.png": lambda path: _scene().convert("P").save(path),
    "see-through.png": lambda path: _scene().convert("RGBA").save(path),
    "16-bit.png": _deep(3),
    "16-bit see-through.png": _deep(4),
    "16-bit.tif": _deep(3),
    "for print.jpg": lambda path: _scene().convert("CMYK").save(path, quality=95),
    "progressive.jpg": lambda path: _scene().save(path, quality=95, progressive=True),
    "moving.gif": _several,
    "moving.webp": _several,
}


@pytest.mark.parametrize("name", COLOURED)
def test_every_kind_of_picture_is_read_in_its_colours(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    COLOURED[name](path)
    image = read_picture(path)
    assert image.shape == (60, 80, 3)
    assert image.dtype == np.uint8
    np.testing.assert_allclose(image[10, 10], (0, 0, 200), atol=12)
    np.testing.assert_allclose(image[50, 70], (200, 0, 0), atol=12)


@pytest.mark.parametrize(("mode", "suffix"), [("L", "png"), ("L", "jpg"), ("1", "png")])
def test_a_grey_picture_gets_equal_colours(tmp_path: Path, mode: str, suffix: str) -> None:
    path = tmp_path / f"grey.{suffix}"
    _scene().convert(mode).save(path)
    image = read_picture(path)
    assert image.shape == (60, 80, 3)
    assert (image == image[..., :1]).all()


def test_16_bits_of_grey_keep_their_upper_half(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    assert cv2.imwrite(str(path), np.full((20, 20), 0x80FF, np.uint16))
    assert (read_picture(path) == 0x80).all()


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "tif"])
def test_a_picture_is_turned_as_its_metadata_say(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"phone.{suffix}"
    exif = Image.Exif()
    exif[0x0112] = 6  # to be shown turned clockwise by 90 degrees
    _scene().save(path, exif=exif)
    image = read_picture(path)
    assert image.shape == (80, 60, 3)
    red = image[:, :, 2].astype(int) - image[:, :, 0] > 0
    assert red[:40, 30:].mean() > 0.9
    assert red[40:].mean() < 0.1


def _claiming(path: Path, width: int, height: int) -> Path:
    """A PNG of a few bytes whose head claims a picture of this size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + check

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(bytes(99)))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b""))
    return path


@pytest.mark.parametrize("sides", [(13_000, 10_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_picture_that_claims_to_be_huge_is_refused_by_its_head(
    tmp_path: Path, sides: tuple[int, int]
) -> None:
    assert sides[0] * sides[1] > MOST_PIXELS
    path = _claiming(tmp_path / "bomb.png", *sides)
    with pytest.raises(SourceError, match=r"^\S*bomb\.png has more than 128 million pixels"):
        read_picture(path)


def test_what_the_decoder_remarks_on_a_damaged_picture_is_kept_to_itself(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = _claiming(tmp_path / "damaged.png", 90, 60)
    with pytest.raises(SourceError, match="is not a picture that can be read"):
        read_picture(path)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(("most", "by"), [(4800, 1), (4799, 2), (1200, 2), (1199, 4)])
@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_a_very_large_picture_is_read_smaller_and_says_by_how_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, most: int, by: int
) -> None:
    monkeypatch.setattr("vision.camera.pictures.MOST_WHOLE", most)
    path = tmp_path / f"table.{suffix}"
    _scene().save(path)
    reduced = read_reduced(path)
    assert reduced.by == by
    assert reduced.image_bgr.shape == (60 // by, 80 // by, 3)
