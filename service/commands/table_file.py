"""``tilesight check --save``: finds the table in a picture, or takes its corners by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

import typer

from engine.errors import Refused
from service.machine.weights import load_detector
from service.table.second_look import READ_TWICE
from service.texts.catalogue import terminal_texts
from vision.attention.mirror_watch import wrong_way
from vision.camera.address import shown as shown_source
from vision.camera.decoded import mirror_image
from vision.camera.frames import whole_of
from vision.camera.live import is_live, open_live
from vision.camera.pictures import SUFFIXES, Picture, ReducedPicture, read_reduced
from vision.camera.video_file import VideoFile
from vision.detect import Detector
from vision.draw import jpeg, table_overlay
from vision.table.search import look_for_table
from vision.table.view import Corners, TableView
from vision.tiles.handedness import Handedness

TRIED: Final = 8
"""Frames of a video or camera in which the table is searched for: hands may hide a corner."""
APART_S: Final = 1.0

CornerFinder = Callable[[ReducedPicture], Corners | None]
"""Returns the corners of the table in a picture; None where there is none."""


def run(
    source: str,
    corners: str | None,
    size_mm: float,
    seat0: str | None,
    out: Path,
    mirrored: bool | None = None,
    read_twice: int | None = None,
) -> int:
    """Write ``out`` and a picture to check it; raises ``Refused``, ``SourceError``.

    ``mirrored`` pictures are mirrored first: ``corners``, ``out`` and the picture belong to the
    result.
    """
    shown = out.with_suffix(".jpg")
    for path in (out, shown):
        if path.exists():
            raise Refused(f"{path} is there already; name another file with --save")
    given = None if corners is None else _corners(corners)
    picture, view = _seen(source, given, size_mm, mirrored)
    view = replace(view, seat0=seat0 or view.seat0, mirrored=bool(mirrored))
    shown.write_bytes(jpeg(table_overlay(picture, view)))
    try:
        view.save(out)
        if read_twice is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(f"{READ_TWICE} = {read_twice}\n")
    except OSError:
        shown.unlink()
        raise
    typer.echo(terminal_texts()["cli.check.saved"].format(out=out, shown=shown))
    return 0


def _seen(
    source: str, corners: Corners | None, size_mm: float, mirrored: bool | None
) -> tuple[Picture, TableView]:
    where = _looked_for(load_detector(), mirrored) if corners is None else _given(corners)
    for taken in _pictures(source):
        picture = mirror_image(taken.image_bgr) if mirrored else taken.image_bgr
        reduced = replace(taken, image_bgr=picture)
        height, width = picture.shape[:2]
        here = where(reduced)
        if here is not None:
            return picture, TableView(here, (size_mm, size_mm), (width, height))
    raise Refused(
        f"{shown_source(source)}: no table was found; show the whole felt with its four corners, "
        'or four hands that stand on it, or give the corners with --corners "x,y x,y x,y x,y"'
    )


def _looked_for(detector: Detector, mirrored: bool | None) -> CornerFinder:
    handed = Handedness()

    def found(reduced: ReducedPicture) -> Corners | None:
        picture = reduced.image_bgr
        search = look_for_table(lambda px: detector.read(picture, None, px), picture)
        handed.add(detector.handed(picture, search.readings))
        if wrong := wrong_way(mirrored, handed.mirrored):
            raise Refused(wrong)
        return None if search.view is None else search.view.corners_px

    return found


def _given(corners: Corners) -> CornerFinder:
    return lambda reduced: tuple((x / reduced.by, y / reduced.by) for x, y in corners)


def _pictures(source: str) -> Iterator[ReducedPicture]:
    path = Path(source)
    if path.suffix.lower() in SUFFIXES:
        yield read_reduced(path)
        return
    frames = (open_live(source) if is_live(source) else VideoFile(path)).frames(APART_S)
    for frame in islice(whole_of(frames), TRIED):
        yield ReducedPicture(frame.image_bgr, 1)


def _corners(text: str) -> Corners:
    """Parse four places in pixels such as ``100,80 1180,80 1260,700 20,700``."""
    try:
        corners = tuple((float(x), float(y)) for x, y in (word.split(",") for word in text.split()))
    except ValueError:
        corners = ()
    if len(corners) != 4:
        raise Refused(
            f'expected --corners "x,y x,y x,y x,y", clockwise from the top left, got {text!r}'
        )
    return corners
