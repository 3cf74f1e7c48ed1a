"""``tilesight check``: whether a camera is good enough for a game, and what to change first."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

import typer

from engine.errors import Refused
from engine.texts.files import filled
from service.commands import table_file
from service.commands.options import Lang, Mirrored, OwnSet, SeatSide, TableFile, add_to
from service.machine.files import write_whole
from service.machine.weights import load_detector
from service.texts.catalogue import terminal_language, texts_of
from vision.attention.mirror_watch import wrong_way
from vision.camera.address import shown
from vision.camera.frames import Frame, whole_of
from vision.camera.live import is_live, open_live
from vision.camera.pictures import SUFFIXES, read_reduced
from vision.camera.video_file import VideoFile
from vision.draw import jpeg
from vision.source_check import SourceCheck
from vision.table.quality import UNITS, QualityCheck, QualityGrade, good_enough
from vision.table.view import TableView

_MARKS: Final = {QualityGrade.BAD: "✗", QualityGrade.POOR: "!", QualityGrade.GOOD: "✓"}


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
    check = SourceCheck(load_detector(own_set), given, mirrored)
    with closing(_frames(source, seconds)) as frames:
        for frame in frames:
            check.take(frame.mirror_image() if mirrored else frame)
    findings = check.findings()
    write_whole(out, jpeg(check.picture()))
    good = check.view is not None and good_enough(findings)
    texts = texts_of(lang)
    told = [_sentence(finding, check, texts) for finding in findings]
    if check.view is None:
        told.insert(0, texts["page.setup.no_table"])
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
                    "picture": shown(out),
                }, ensure_ascii=False,
            )
        )  # fmt: skip
        return int(not good)
    for line in told:
        typer.echo(line)
    typer.echo(filled(texts["cli.check.good" if good else "cli.check.bad"], {"out": out}))
    return int(not good)


def _sentence(finding: QualityCheck, check: SourceCheck, texts: Mapping[str, str]) -> str:
    """A finding with its number, and what to do about it if it is not good."""
    if finding.name not in UNITS:
        return wrong_way(finding.name == "not_mirrored" or None, True) or ""
    values = {
        "value": finding.shown,
        "faces": check.faces,
        "doubtful": check.doubtful,
        "corners": ", ".join(texts[f"page.setup.corner.{at}"] for at in finding.corners),
    }
    good = finding.grade is QualityGrade.GOOD
    key = f"page.setup.{finding.name}.{'is' if good else finding.grade.value}"
    text = filled(texts[key], values)
    if finding.name == "tile_px" and not good:
        text = f"{filled(texts['page.setup.tile_px.is'], values)} {text}"
    number = f"{finding.name} {finding.shown} {UNITS[finding.name][2]}".rstrip()
    return f"{_MARKS[finding.grade]} {text} [{number}]"


def _frames(source: str, seconds: float) -> Generator[Frame, None, None]:
    path = Path(source)
    if path.suffix.lower() in SUFFIXES:
        yield Frame(read_reduced(path).image_bgr, 0.0, 0)
        return
    opened = open_live(source) if is_live(source) else VideoFile(path)
    with closing(opened.frames()) as frames:
        for frame in whole_of(frames):
            if frame.time_s > seconds:
                return
            yield frame


app = typer.Typer(add_completion=False)


@add_to(app, "check")
def command(
    source: Annotated[str, typer.Argument(help="help.check.source")],
    table: TableFile = None,
    seconds: Annotated[float, typer.Option(help="help.check.seconds")] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="help.check.json")] = False,
    out: Annotated[Path, typer.Option(help="help.check.out")] = Path("tilesight-check.jpg"),
    own_set: OwnSet = None,
    mirrored: Mirrored = None,
    lang: Lang = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="help.check.save")] = None,
    corners: Annotated[str | None, typer.Option(help="help.check.corners")] = None,
    size_mm: Annotated[float, typer.Option(min=100, help="help.check.size_mm")] = 800,
    seat0: SeatSide = None,
) -> int:
    if save is not None:
        return table_file.run(source, corners, size_mm, seat0, save, mirrored)
    if corners is not None or seat0 is not None:
        raise Refused("--corners and --seat0 go into the file that --save names")
    language = lang or terminal_language()
    return run(source, table, seconds, language, as_json, out, own_set, mirrored)
