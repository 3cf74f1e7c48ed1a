"""``tilesight score``: a recorded game becomes a record, a score sheet and a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.announce import Problem
from engine.codec import write_record
from engine.events import Correct, Entry, GameStart
from engine.rules import RULE_SETS
from service.errors import Refused
from service.evidence import Album
from service.readers import MakeReader
from service.reading import Reader
from service.report import to_report
from service.sheet import result_words, to_csv
from service.story import GameStory, tell
from service.whole import refuse_taken, whole_folder, write_whole
from vision.frames import Frame, VideoFile
from vision.pipeline import GATE_S

RECORD, SHEET, REPORT, EVIDENCE = "record.jsonl", "sheet.csv", "report.html", "evidence"

Advance = Callable[[float], None]
"""Told how many seconds of the video are done."""


@dataclass
class Scored:
    """What came out of a video."""

    entries: list[Entry] = field(default_factory=list)
    pictures: dict[int, bytes] = field(default_factory=dict)
    """JPEG files by event number."""


def run(video: Path, rules: str, out: Path | None, make_reader: MakeReader) -> int:
    """Score a video into a new folder; raises ``SourceError``, ``Refused``, leaving nothing."""
    refuse_unknown_rules(rules)
    folder = out or Path(video.stem)
    refuse_taken(folder)
    source = VideoFile(video)
    reader = make_reader()
    with whole_folder(folder) as filling:
        with _progress(source) as advance_to:
            scored = score(source.frames(GATE_S), reader, filling, advance_to)
        if not any(not isinstance(entry.event, GameStart) for entry in scored.entries):
            raise Refused(
                f"no game was seen in {video}; is the whole table in the picture? "
                "(tilesight calibrate shows what was found)"
            )
        write_folder(filling, scored, title=video.name)
    _say(tell(scored.entries), folder)
    return 0


def score(
    frames: Iterator[Frame],
    reader: Reader,
    folder: Path,
    advance_to: Advance = lambda _: None,
) -> Scored:
    """Read every frame; the pictures of the events go into ``folder`` as they come."""
    scored = Scored()
    album = Album()
    (folder / EVIDENCE).mkdir()
    for reading in reader.read(frames):
        album.add(reading)
        for entry in reading.entries:
            _take(scored, entry, album, folder)
        advance_to(reading.frame.time_s)
    return scored


def write_folder(folder: Path, scored: Scored, title: str) -> None:
    """Write the record, the sheet and the report into a folder."""
    write_whole(folder / RECORD, write_record(scored.entries))
    write_whole(folder / SHEET, to_csv(tell(scored.entries)))
    write_whole(folder / REPORT, to_report(scored.entries, scored.pictures, title))


def refuse_unknown_rules(rules: str) -> None:
    """Raise ``Refused`` unless the engine plays these rules."""
    if rules not in RULE_SETS:
        known = ", ".join(RULE_SETS)
        raise Refused(f"there is no rule set {rules!r}; give --rules one of {known}")


def _take(scored: Scored, entry: Entry, album: Album, folder: Path) -> None:
    number = shown = len(scored.entries)
    scored.entries.append(entry)
    seen: Entry | None = entry
    if isinstance(entry.event, Correct):
        # What takes the place of an event has its number, and takes the place of its picture.
        shown, seen = entry.event.of, next(iter(entry.event.events), None)
        scored.pictures.pop(shown, None)
    evidence = album.evidence(seen) if seen is not None else None
    if evidence is not None:
        (folder / EVIDENCE / f"{number:05}.jpg").write_bytes(evidence.whole)
        scored.pictures[shown] = evidence.part


@contextmanager
def _progress(source: VideoFile) -> Iterator[Advance]:
    """A bar on standard error that follows the time of the video."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("s of video"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    task = bar.add_task(source.name, total=round(source.duration_s))
    with bar:
        yield lambda time_s: bar.update(task, completed=round(time_s))


def _say(games: Sequence[GameStory], folder: Path) -> None:
    problems = 0
    for game in games:
        for hand in game.hands:
            moved = ", ".join(
                f"{name} {delta:+d}" for name, delta in zip(game.names, hand.deltas, strict=True)
            )
            print(f"hand {hand.number}: {result_words(game, hand)}; {moved}")
        problems += sum(isinstance(said, Problem) for event in game.happened for said in event.said)
    print(f"{problems} problem{'' if problems == 1 else 's'}; see {folder / REPORT}")
