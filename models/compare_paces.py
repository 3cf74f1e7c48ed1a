"""Compare the events of a film that are read as from a recording and as from a live camera.

``python models/compare_paces.py FILM --rules RULES [--table FILE] [--json]``
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table as Grid

from engine.codec import event_to_json, read_record
from engine.events import Entry, Event
from engine.rules import RULE_SETS
from vision.attention.schedule import LIVE, RECORDED, Schedule
from vision.camera.buffer import ahead
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile
from vision.compare import NOT_COUNTED, Report, compare
from vision.detect import Detector
from vision.pipeline import STEP_S, ReaderSettings, TableReader
from vision.table.view import TableView

WAYS: Final[Mapping[str, Schedule]] = {"recorded": RECORDED, "live": LIVE}
"""How ``score`` and ``serve --every-frame`` read a film; neither waits for a clock."""


@dataclass(frozen=True)
class PaceResult:
    """The events that one pace read from a film."""

    entries: tuple[Entry, ...]
    """The events in force at the end."""
    against: Report
    """Compared with the true record, or else with the events of the other pace."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("film", type=Path)
    parser.add_argument("--rules", required=True, choices=list(RULE_SETS))
    parser.add_argument("--table", type=Path, help="a table file; by default the table is found")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    try:
        return run(given.film, given.json, given.rules, given.table)
    except SourceError as error:
        parser.error(str(error))


def run(video: Path, as_json: bool, rules: str, table: Path | None) -> int:
    """Read a film at both paces and print what each found and missed."""
    told = {name: told_of(VideoFile(video), pace, rules, table) for name, pace in WAYS.items()}
    truth = truth_of(video)
    ways = compared(told, None if truth is None else read_record(truth.read_text("utf-8")))
    if as_json:
        print(json.dumps([to_json(name, way, truth) for name, way in ways.items()]))
    else:
        _show(video.name, ways, truth)
    return 0


def truth_of(video: Path) -> Path | None:
    """The true record beside a film."""
    names = (f"{video.stem}.seen.jsonl", "seen.jsonl")
    return next((place for name in names if (place := video.with_name(name)).is_file()), None)


def told_of(source: VideoFile, pace: Schedule, rules: str, table: Path | None) -> tuple[Entry, ...]:
    """Return the events in force when a film has been read to its end."""
    view = None if table is None else TableView.load(table)
    detector = Detector.load(readers=pace.readers)
    reader = TableReader(detector, rules, ReaderSettings(view, schedule=pace))
    with closing(ahead(source.frames(STEP_S))) as frames:
        told = [reading.decoding.told for reading in reader.read(frames) if reading.decoding]
    return told[-1] if told else ()


def compared(
    told: Mapping[str, tuple[Entry, ...]], true: Sequence[Entry] | None
) -> dict[str, PaceResult]:
    """Compare each pace with the true record, or else with the other pace."""
    first, second = told
    other = {first: told[second], second: told[first]}
    return {
        name: PaceResult(entries, compare(other[name] if true is None else true, entries))
        for name, entries in told.items()
    }


def to_json(name: str, way: PaceResult, truth: Path | None) -> dict[str, Any]:
    return {
        "way": name,
        "against": "the other way" if truth is None else truth.name,
        "events": _counted(way.entries),
        "matched": way.against.matched,
        "precision": way.against.precision,
        "recall": way.against.recall,
        "lost": [event_to_json(event) for event in way.against.missing],
        "made_up": [event_to_json(event) for event in way.against.extra],
    }


def _counted(entries: Sequence[Entry]) -> int:
    return sum(not isinstance(entry.event, NOT_COUNTED) for entry in entries)


def _show(name: str, ways: Mapping[str, PaceResult], truth: Path | None) -> None:
    beside = "what the other way told" if truth is None else truth.name
    grid = Grid(title=f"{name}: events, beside {beside}")
    for heading in ("read", "events", "right", "precision", "recall", "lost", "made up"):
        grid.add_column(heading, justify="left" if heading == "read" else "right")
    for way, read in ways.items():
        report = read.against
        shares = f"{report.precision:.1%}", f"{report.recall:.1%}"
        counts = map(str, (len(report.missing), len(report.extra)))
        grid.add_row(way, str(_counted(read.entries)), str(report.matched), *shares, *counts)
    console = Console()
    console.print(grid)
    for way, read in ways.items():
        for what, events in (("lost", read.against.missing), ("made up", read.against.extra)):
            for event in events:
                console.print(f"{way}: {what} {_words(event)}", highlight=False, markup=False)


def _words(event: Event) -> str:
    told = event_to_json(event)
    return " ".join(str(told[key]) if key == "type" else f"{key}={told[key]}" for key in told)


if __name__ == "__main__":
    sys.exit(main())
