"""``tilesight dev explain``: what a change in a film may have been, and what speaks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from engine.errors import Refused
from engine.events import Event
from engine.game import replay
from service.commands.options import Lang, Mirrored, OwnSet, SeatSide, TableFile, add_to
from service.machine.files import write_whole
from service.machine.records import load_record
from service.report.questions import choice_text
from service.table.options import Options
from service.table.questions import overview, upright
from service.table.reader_maker import ReaderMaker
from service.texts.catalogue import terminal_language
from vision.camera.video_file import VideoFile
from vision.decoder.question import Question
from vision.decoder.weighing import Weighing
from vision.draw import jpeg
from vision.pipeline import TableReader

LATER_S: Final = 6.0
"""The film is read for so long after the moment: what follows tells what came before."""
FAR_S: Final = 5.0
"""A change that is farther from the moment is not meant."""


def run(
    record: str,
    film: Path,
    at_s: float,
    out: Path,
    options: Options,
) -> int:
    """Read a film until after a moment, print what was weighed there and show its tiles.

    The record, or the folder that holds it, tells the rules and what is told of the change now.
    Raises ``SourceError``, ``Refused``, ``OSError``.
    """
    folder = Path(record)
    entries = load_record(str(folder / "record.jsonl") if folder.is_dir() else record)
    game = replay(entries).state
    source = VideoFile(film)
    maker = ReaderMaker.of(replace(options, rules=game.rules)).of_recordings()
    reader = maker()
    assert isinstance(reader, TableReader), "it makes readers of tables"
    with closing(maker.pace.frames(source)) as frames:
        until = (result.frame for result in reader.read(frames))
        last = next((frame for frame in until if frame.time_s > at_s + LATER_S), None)
    found = None if reader.decoder is None else reader.decoder.weighing(at_s)
    if found is None or abs(found.place.time_s - at_s) > FAR_S:
        raise Refused(f"{film}: nothing changed on the table within {FAR_S:g} s of {at_s:g} s")

    def worded(events: Sequence[Event]) -> str:
        return choice_text(events, game.names, options.lang, game.rules)

    print(
        found.place.id,
        *(worded([entry.event]) for entry in entries if entry.change == found.place.id),
    )
    for line in _lines(found, worded):
        print(line)
    asked = Question(found.place, (), 0, found.tiles)
    frame = source.frame_at(min(asked.shown_s, at_s + LATER_S if last is None else last.time_s))
    if frame is not None:
        shown = frame.mirror_image() if maker.mirrored else frame
        tiles = upright(shown.image_bgr, asked)
        write_whole(out, jpeg(overview(shown.image_bgr, asked) if tiles is None else tiles))
        print(out)
    return 0


def _lines(found: Weighing, worded: Callable[[Sequence[Event]], str]) -> Iterator[str]:
    """A line for each hypothesis: how likely it was and is, what it says and what it pays for."""
    for weighed in found.hypotheses:
        other = f" ({worded(weighed.elsewhere)})" if weighed.elsewhere else ""
        paid = sorted(weighed.pays.items(), key=lambda cost: -cost[1])
        prices = ", ".join(f"{name} {nats:.1f}" for name, nats in paid)
        shares = f"{weighed.share:5.1%} → {weighed.later:5.1%}"
        yield f"{shares}  {worded(weighed.events)}{other}  {prices}".rstrip()


app = typer.Typer(add_completion=False)


@add_to(app, "explain")
def command(
    record: Annotated[str, typer.Argument(help="help.explain.record")],
    film: Annotated[Path, typer.Option(metavar="VIDEO", help="help.explain.film")],
    at_s: Annotated[float, typer.Option("--at", min=0.0, help="help.explain.at")],
    table: TableFile = None,
    seat0: SeatSide = None,
    own_set: OwnSet = None,
    mirrored: Mirrored = None,
    out: Annotated[Path, typer.Option(help="help.explain.out")] = Path("tilesight-explain.jpg"),
    lang: Lang = None,
) -> int:
    given = Options("", lang or terminal_language(), table, seat0, own_set, mirrored=mirrored)
    return run(record, film, at_s, out, given)
