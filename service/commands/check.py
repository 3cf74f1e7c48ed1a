"""``tilesight check``: whether a camera is good enough for a game, and what to change first."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import typer

from service.atomic_files import write_whole
from service.errors import Refused
from service.weights import load_detector
from service.words.catalogue import words_of
from service.words.files import filled
from vision.attention.mirror_watch import wrong_way
from vision.camera.address import shown
from vision.camera.frames import Frame
from vision.camera.live import open_live
from vision.camera.pictures import SUFFIXES, Picture, read_reduced
from vision.camera.video_file import VideoFile
from vision.detect import Detection, Detector
from vision.draw import jpeg, overlay, table_overlay
from vision.table.calibrate import NoTable
from vision.table.quality import (
    GLARE_LEVEL,
    UNITS,
    QualityCheck,
    QualityGrade,
    doubts,
    good_enough,
    judge,
)
from vision.table.search import table_in, tiles_in
from vision.table.steadiness import SteadinessWatch
from vision.table.view import TableView
from vision.tiles.classes import Side
from vision.tiles.handedness import Handedness

READ_EACH_S: Final = 12.0
"""Time between two pictures whose tiles are read, which takes a second each."""
WORST_FIRST: Final = (QualityGrade.BAD, QualityGrade.POOR, QualityGrade.GOOD)
_MARKS: Final = {QualityGrade.BAD: "✗", QualityGrade.POOR: "!", QualityGrade.GOOD: "✓"}
GLARE_BGR: Final = (255, 0, 255)


def run(
    source: str,
    table: Path | None,
    seconds: float,
    lang: str,
    as_json: bool,
    out: Path,
    own_set: Path | None = None,
    mirrored: bool | None = None,
) -> int:
    """Print every finding; return 1 if a game should not be played so.

    ``out`` receives the last picture that was read, with what was found in it. Raises ``Refused``,
    ``SourceError``.
    """
    if not 0 < seconds <= 3600:
        raise Refused(f"--seconds are more than 0 and at most 3600, got {seconds:g}")
    given = None if table is None else TableView.load(table)
    check = _Check(load_detector(own_set), given, mirrored)
    with closing(_frames(source, seconds)) as frames:
        for frame in frames:
            check.take(frame.mirror_image() if mirrored else frame)
    findings = check.findings()
    write_whole(out, jpeg(check.picture()))
    good = check.view is not None and good_enough(findings)
    words = words_of(lang)
    told = [_sentence(finding, check, words) for finding in findings]
    if check.view is None:
        told.insert(0, words["page.setup.no_table"])
    rows = [
        {"name": one.name, "value": round(one.value, 3), "grade": one.grade.value, "text": text}
        for one, text in zip(findings, told[len(told) - len(findings) :], strict=True)
    ]
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "source": shown(source), "good": good, "table": check.view is not None,
                    "faces": check.faces, "doubtful": check.doubtful, "findings": rows,
                    "picture": str(out),
                }, ensure_ascii=False,
            )
        )  # fmt: skip
        return int(not good)
    for line in told:
        typer.echo(line)
    typer.echo(filled(words["cli.check.good" if good else "cli.check.bad"], {"out": out}))
    return int(not good)


class _Check:
    """What was seen of one source."""

    def __init__(self, detector: Detector, view: TableView | None, mirrored: bool | None) -> None:
        self.view = view
        self.faces = self.doubtful = 0
        self._detector = detector
        self._mirrored = mirrored
        self._handed = Handedness()
        self._steadiness = SteadinessWatch()
        self._judged: list[tuple[QualityCheck, ...]] = []
        self._read: tuple[Frame, Sequence[Detection]] | None = None

    def take(self, frame: Frame) -> None:
        """Judge one frame; the tiles of a few are read."""
        if self.view is not None:
            self.view = self.view.in_picture(*frame.size_px)
        due = self._read is None or frame.time_s - self._read[0].time_s >= READ_EACH_S
        if due:
            self._look(frame)
        self._steadiness.take(frame, self.view)

    def _look(self, frame: Frame) -> None:
        image = frame.image_bgr
        tiles = tiles_in(lambda px: self._detector.read(image, None, px), frame.size_px)
        self._handed.add(self._detector.handed(image, tiles))
        self._read = frame, tiles
        faces = [tile for tile in tiles if tile.side is Side.FACE]
        self.faces += len(faces)
        self.doubtful += sum(not tile.tile.known for tile in faces)
        if self.view is None:
            try:
                self.view = table_in(image, tiles)
            except NoTable:
                return
        self._judged.append(judge(image, self.view))

    def findings(self) -> list[QualityCheck]:
        """All findings, the worst first; of several pictures the one in the middle counts."""
        found = [
            sorted(of_name, key=lambda one: (WORST_FIRST.index(one.grade), one.value))[
                len(of_name) // 2
            ]
            for of_name in zip(*self._judged, strict=True)
        ]
        found += [*self._steadiness.findings(), *doubts(self.doubtful, self.faces)]
        if wrong_way(self._mirrored, self._handed.mirrored) is not None:
            name = "not_mirrored" if self._mirrored else "mirrored"
            found.append(QualityCheck(name, 1.0, QualityGrade.BAD))
        return sorted(found, key=lambda one: WORST_FIRST.index(one.grade))

    def picture(self) -> Picture:
        """The last picture that was read: table, tiles, and what is pure white on the table."""
        assert self._read is not None, "every source has a first frame"
        frame, tiles = self._read
        drawn = overlay(frame.image_bgr, tiles)
        white = frame.image_bgr.min(axis=2) >= GLARE_LEVEL
        drawn[white] = GLARE_BGR
        return drawn if self.view is None else table_overlay(drawn, self.view)


def _sentence(finding: QualityCheck, check: _Check, words: Mapping[str, str]) -> str:
    """A finding with its number, and what to do about it if it is not good."""
    if finding.name not in UNITS:
        return wrong_way(finding.name == "not_mirrored" or None, True) or ""
    values = {
        "value": finding.shown,
        "faces": check.faces,
        "doubtful": check.doubtful,
        "corners": ", ".join(words[f"page.setup.corner.{at}"] for at in finding.corners),
    }
    good = finding.grade is QualityGrade.GOOD
    key = f"page.setup.{finding.name}.{'is' if good else finding.grade.value}"
    text = filled(words[key], values)
    if finding.name == "tile_px" and not good:
        text = f"{filled(words['page.setup.tile_px.is'], values)} {text}"
    number = f"{finding.name} {finding.shown} {UNITS[finding.name][2]}".rstrip()
    return f"{_MARKS[finding.grade]} {text} [{number}]"


def _frames(source: str, seconds: float) -> Generator[Frame, None, None]:
    path = Path(source)
    if path.suffix.lower() in SUFFIXES:
        yield Frame(read_reduced(path).image_bgr, 0.0, 0)
        return
    live = source.isdecimal() or "://" in source
    with closing((open_live(source) if live else VideoFile(path)).frames()) as frames:
        for frame in frames:
            if frame.time_s > seconds:
                return
            yield frame
