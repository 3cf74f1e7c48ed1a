"""Compare decoders in seconds: on looks that are stored, so that nothing is simulated anew.

    score.py store make runs/store --processes 2
    score.py store make runs/store --kinds films --films samples/harbin.mp4 runs/film7
    score.py store read runs/store --out runs/new.json --processes 2
    score.py store read runs/store --only 'labels/hard-*' --tree ../other --out runs/old.json
    score.py store compare runs/old.json runs/new.json
    score.py store knobs runs/store --only 'labels/hard-*' --table models/CONSTANTS.md

``make`` keeps what decoders are given of games of labels, scripted games, films that begin or end
at an odd moment, games on cluttered tables, evenings of several hands, and films of pictures; what
is there already stays. ``read`` runs the decoder of this tree or of another one over all of it, or
over the films whose names match. ``compare`` tells what two such runs differ in.
``knobs`` halves and doubles every constant of the decoder and of following tiles, one at a time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from games.store.comparing import changes, load_run, paired, save_run, table
from games.store.film import load, place_of, save, stored
from games.store.hands import CARRIED, COUNTERS, DEALER
from games.store.reading import FilmReading, decoder_named, read

import vision

if TYPE_CHECKING:
    from games.store.making import Wanted

T = TypeVar("T")
R = TypeVar("R")
KINDS = (
    "labels",
    "cases",
    "starts",
    "ends",
    "clutter",
    "evenings",
    "interrupted",
    "live",
    "clean",
    "films",
)
PROGRAM = Path(__file__).parents[1] / "score.py"
SAVED_S = 30.0
"""What has been read is saved this often."""
DECODER = "vision.decoder.decoder:Decoder"
PACKAGES = ("vision.tracking", "vision.decoder")
"""Whose constants are audited."""


def make(given: argparse.Namespace) -> int:
    from games.store.making import wanted  # loads nets and a renderer, which reading does not need

    left = [
        one
        for one in wanted(given.kinds, given.rounds, given.films, given.interrupted)
        if not all(place_of(name, given.folder).exists() for name in one.names)
        and any(_chosen(name, given.only) for name in one.names)
    ][: given.most]
    failed = 0
    for names, wrong in _each(partial(_made, given.folder), left, given.processes):
        print(wrong or f"made {', '.join(names)}", flush=True)
        failed += bool(wrong)
    return 1 if failed else 0


def _chosen(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _each(job: Callable[[T], R], of: Sequence[T], processes: int) -> Iterator[R]:
    """Yield what the job gives for each of these, as each is done."""
    if processes == 1:
        yield from map(job, of)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(job, of)


def _made(folder: Path, one: Wanted) -> tuple[tuple[str, ...], str]:
    try:
        for film in one.make():
            save(film, folder)
    except Exception:
        return one.names, f"{', '.join(one.names)}:\n{traceback.format_exc()}"
    return one.names, ""


def read_all(given: argparse.Namespace) -> int:
    if given.tree is not None:
        return in_tree(given.tree, _without_tree(sys.argv[1:]))
    films = {name: path for name, path in stored(given.folder).items() if _chosen(name, given.only)}
    if not films:
        raise SystemExit(f"{given.folder} holds no film that matches; make some with store make")
    done = _begun(given)
    films = {name: path for name, path in films.items() if name not in done}
    # The longest first, so that the last ones end together.
    order = sorted(films.values(), key=lambda path: -path.stat().st_size)
    job, saved_s = partial(_read, given.decoder), time.monotonic()
    for reading in _each(job, order, given.processes):
        print(line_of(reading), flush=True)
        for wrong in ("missing", "extra") if given.show else ():
            for event in getattr(reading, wrong):
                print(f"   {wrong:8}{json.dumps(event)}")
        done[reading.name] = reading
        if time.monotonic() - saved_s > SAVED_S:
            _save(given, done)
            saved_s = time.monotonic()
    _save(given, done)
    print(sums(list(done.values())))
    return 1 if any(reading.error for reading in done.values()) else 0


def _begun(given: argparse.Namespace) -> dict[str, FilmReading]:
    """What an interrupted run has read, if this one goes on with it."""
    if not given.go_on or given.out is None or not given.out.exists():
        return {}
    return load_run(given.out).films


def _save(given: argparse.Namespace, done: dict[str, FilmReading]) -> None:
    if given.out is not None:
        in_order = [done[name] for name in sorted(done)]
        save_run(given.out, str(Path(vision.__file__).parent), given.decoder, in_order)


def _read(decoder: str, path: Path) -> FilmReading:
    return read(load(path), decoder_named(decoder))


def in_tree(tree: Path, options: Sequence[str]) -> int:
    """Run this program with the engine and the reader of another checkout."""
    packages = [str(tree.resolve()), os.environ.get("PYTHONPATH", "")]
    path = os.pathsep.join(filter(None, packages))
    command = [sys.executable, str(PROGRAM), *options]
    return subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, check=False).returncode


def _without_tree(options: Sequence[str]) -> list[str]:
    at = next(at for at, word in enumerate(options) if word.startswith("--tree"))
    return [*options[:at], *options[at + (1 if "=" in options[at] else 2) :]]


def line_of(reading: FilmReading) -> str:
    worst_ms, worst_at_s = reading.slowest
    text = (
        f"{reading.name}: {reading.film_s:.0f} s, {reading.events} events, "
        f"{len(reading.missing)}+{len(reading.extra)} wrong, "
        f"paid {reading.paid_right}/{reading.hands}, {reading.questions} questions, "
        f"{reading.paid_wrong_unasked} wrong unasked, {_hands(reading)}, "
        f"{reading.decoder_s:.1f} s, "
        f"{1000 * reading.decoder_s / max(1, reading.events):.0f} ms an event, "
        f"look {reading.percentile_ms(50):.1f} / {reading.percentile_ms(99):.0f} / "
        f"{worst_ms:.0f} ms (at {worst_at_s:.1f} s)"
    )
    return f"{text}\n{reading.error}" if reading.error else text


def _hands(reading: FilmReading) -> str:
    """What hands begin with and what stands at the end, as far as it is wrong."""
    named = {"dealers": DEALER, "counters": COUNTERS, "points carried": CARRIED}
    counts = {name: reading.evening.wrong(of) for name, of in named.items()}
    counts |= {
        "standing": reading.standing_wrong,
        "paid wrong, end not asked": reading.wrong_unasked,
    }
    wrong = [f"{count:d} {name}" for name, count in counts.items() if count]
    return f"wrong: {', '.join(wrong)}" if wrong else "hands begun right"


def sums(done: Sequence[FilmReading]) -> str:
    """A line for each group and grade, and one for all."""
    rows = {(one.group, one.grade) for one in done}
    lines = []
    for group, grade in [*sorted(rows), ("all", "")]:
        here = [one for one in done if group == "all" or (one.group, one.grade) == (group, grade)]
        events, decoder_s = sum(one.events for one in here), sum(one.decoder_s for one in here)
        lines.append(
            f"{group} {grade}: {len(here)} films of {sum(one.film_s for one in here):.0f} s, "
            f"{events} events, {sum(len(one.missing) for one in here)}"
            f"+{sum(len(one.extra) for one in here)} wrong, "
            f"paid {sum(one.paid_right for one in here)}/{sum(one.hands for one in here)}, "
            f"{sum(one.questions for one in here)} questions, "
            f"{sum(one.paid_wrong_unasked for one in here)} wrong unasked "
            f"({sum(one.wrong_unasked for one in here)} without a question about that hand's end), "
            f"wrong: {sum(one.evening.wrong(DEALER) for one in here)} dealers, "
            f"{sum(one.evening.wrong(COUNTERS) for one in here)} counters, "
            f"{sum(one.evening.wrong(CARRIED) for one in here)} points carried, "
            f"{sum(one.standing_wrong for one in here)} standings, "
            f"{decoder_s:.1f} s + {sum(one.cpu_s for one in here) - decoder_s:.1f} s of following, "
            f"{1000 * decoder_s / max(1, events):.0f} ms an event, "
            f"worst look {max(one.slowest[0] for one in here):.0f} ms"
        )
    return "\n".join(lines)


def compare(given: argparse.Namespace) -> int:
    """Print what the runs differ in; every film that only one of them has is named."""
    old, new = load_run(given.first), load_run(given.second)
    pairs = [pair for pair in paired(old, new) if _chosen(pair[0].name, given.only)]
    if not pairs:
        raise SystemExit("the runs have no film in common")
    print(f"first: {old.about}\nsecond: {new.about}\n\n{table(pairs)}\n")
    alone = sorted(old.films.keys() ^ new.films.keys())
    if alone:
        print(f"{len(alone)} films are in one run alone: {', '.join(alone)}\n")
    told = list(changes(pairs))
    print(f"{len(told)} of {len(pairs)} films are told otherwise")
    for change in told[: given.most]:
        print(f"{change.name}: {len(change.gone)} gone, {len(change.new)} new")
        for sign, lines in (("-", change.gone), ("+", change.new)) if given.show else ():
            for line in lines:
                print(f"   {sign} {line}")
    return 0


def audit(given: argparse.Namespace) -> int:
    """Print what each constant, halved and doubled, changes; the table keeps what is known."""
    from games.store.audit_page import AuditPage
    from games.store.knobs import FACTORS, knobs, read_each

    films = [path for name, path in stored(given.folder).items() if _chosen(name, given.only)]
    if not films:
        raise SystemExit(f"{given.folder} holds no film that matches; make some with store make")
    page = AuditPage.of(given.table, list(knobs(PACKAGES)))
    turned = [
        (knob, factor)
        for knob in knobs(given.packages)
        if _chosen(str(knob), given.knobs) and str(knob) not in page.known
        for factor in FACTORS
    ]
    turned.sort(key=lambda one: not one[0].is_of_tracking)
    readings = read_each(turned, films)
    base = next(readings)
    if any(one["error"] for one in base):
        raise SystemExit(f"the decoder fails as it is: {base}")
    told: dict[str, list[str]] = {}
    for (knob, factor), reading in zip(turned, readings, strict=False):
        told.setdefault(str(knob), []).append(_effect(base, reading))
        print(f"{knob} x {factor:g}: {told[str(knob)][-1]}", flush=True)
        if len(told[str(knob)]) == len(FACTORS):
            page.add(knob, told[str(knob)], [_name(path) for path in films])
            given.table.write_text(page.text(), "utf-8")
    return 0


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _effect(base: Sequence[dict[str, Any]], turned: Sequence[dict[str, Any]]) -> str:
    """What a setting changes: films told otherwise, and wrong events; ``-`` if it fails."""
    if any(one["error"] for one in turned):
        return "-"
    pairs = list(zip(base, turned, strict=True))
    films = sum(was["told"] != now["told"] for was, now in pairs)
    wrong = sum(now["wrong"] - was["wrong"] for was, now in pairs)
    return f"{films} of {len(pairs)}, {wrong:+d}"


def add_options(parser: argparse.ArgumentParser) -> None:
    ways = parser.add_subparsers(dest="way", required=True)
    making = ways.add_parser("make", help="fill a folder")
    making.add_argument("folder", type=Path)
    making.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS[:-1]))
    making.add_argument("--rounds", type=int, default=2, help="of whole games, starts, evenings")
    making.add_argument("--films", nargs="+", type=Path, default=[], help="of pictures")
    making.add_argument("--interrupted", default="", help="as which evening, for films of pictures")
    making.add_argument("--most", type=int, help="number of films to make now")
    reading = ways.add_parser("read", help="run a decoder over the films")
    reading.add_argument("folder", type=Path)
    reading.add_argument("--out", type=Path, help="JSON, for compare")
    reading.add_argument("--go-on", action="store_true", help="keep what OUT holds of this run")
    reading.add_argument("--tree", type=Path, help="use vision and engine of this checkout")
    reading.add_argument("--decoder", default=DECODER, metavar="MODULE:CLASS")
    reading.add_argument("--show", action="store_true", help="print every error")
    for way in (making, reading):
        way.add_argument("--processes", type=int, default=1)
    comparing = ways.add_parser("compare", help="what two runs of read differ in")
    comparing.add_argument("first", type=Path, help="JSON of read")
    comparing.add_argument("second", type=Path)
    audits = ways.add_parser("knobs", help="what each constant changes")
    audits.add_argument("folder", type=Path)
    audits.add_argument(
        "--table", type=Path, required=True, help="Markdown; an audit goes on with it"
    )
    audits.add_argument("--knobs", nargs="+", default=["*"], help="MODULE:NAME, as patterns")
    audits.add_argument(
        "--packages", nargs="+", choices=PACKAGES, default=list(PACKAGES), metavar="PACKAGE"
    )
    for way in (making, reading, comparing, audits):
        way.add_argument("--only", nargs="+", default=["*"], help="names that match one of these")
    comparing.add_argument("--most", type=int, default=20, help="films that are named")
    comparing.add_argument("--show", action="store_true", help="print the events, too")


def run(given: argparse.Namespace) -> int:
    ways = {"make": make, "read": read_all, "compare": compare, "knobs": audit}
    return ways[given.way](given)
