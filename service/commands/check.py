"""``tilesight check``: whether a camera is good enough for a game, and what to change first."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

import typer

from engine.errors import Refused
from engine.rules import DEFAULT
from engine.texts.files import filled
from service.commands import rehearse, table_file
from service.commands.options import (
    AnyRules,
    Lang,
    Mirrored,
    OwnSet,
    ReadTwice,
    SeatSide,
    TableFile,
    add_to,
)
from service.machine.files import write_whole
from service.machine.weights import load_detector
from service.report.rehearsed import finding_text
from service.texts.catalogue import terminal_language, texts_of
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
    text = finding_text(finding, texts, check.faces, check.doubtful)
    if finding.name not in UNITS:
        return text
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
    read_twice: ReadTwice = None,
    rehearses: Annotated[bool, typer.Option("--rehearse", help="help.check.rehearse")] = False,
    rules: AnyRules = None,
    cards: Annotated[Path | None, typer.Option(metavar="FILE", help="help.check.cards")] = None,
    record: Annotated[Path | None, typer.Option(metavar="FOLDER", help="help.check.record")] = None,
    moments: Annotated[Path | None, typer.Option(metavar="FILE", help="help.check.moments")] = None,
    laid_out: Annotated[
        Path | None, typer.Option(metavar="PICTURE", help="help.check.laid_out")
    ] = None,
) -> int:
    language = lang or terminal_language()
    if rehearses:
        if any(given is not None for given in (save, corners, seat0, read_twice)):
            raise Refused("--rehearse reads the table; save where it lies before, without it")
        asked = rehearse.RehearsalAsked(
            rules or DEFAULT, language, cards, record or Path(), moments, laid_out, table, own_set,
            mirrored, as_json,
        )  # fmt: skip
        return rehearse.run(source, asked)
    if any(given is not None for given in (rules, cards, record, moments, laid_out)):
        raise Refused("--rules, --cards, --record, --moments and --laid-out go with --rehearse")
    if save is not None:
        return table_file.run(source, corners, size_mm, seat0, save, mirrored, read_twice)
    if any(given is not None for given in (corners, seat0, read_twice)):
        raise Refused("--corners, --seat0 and --read-twice go into the file that --save names")
    return run(source, table, seconds, language, as_json, out, own_set, mirrored)
