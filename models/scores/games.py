"""Score the tracker on simulated games that are read without pictures.

    score.py games settled --rules riichi hangzhou --seeds 1 2 3 --show
    score.py games films runs/game7 runs/game8 --errors ordinary
    score.py games joined --seeds 1 2 3 --every 10
    score.py games cases robbed-kong float --films runs/cases

``settled`` plays games and reads the table at rest after each event: every error is the tracker's.
``films`` reads the labels of filmed games through a simulated detector. ``joined`` switches the
camera on at every few seconds of a game, and fails on any exception and on any record that does
not read back and replay. ``cases`` reads the scripted games of ``datasets/studio/play/cases``
from their labels, or with ``--films`` from films, which are made where they are missing.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from games.joined import moments, read_joined
from games.labels import ERRORS, planned_game
from games.outcome import GameCase
from games.recorded import RecordedDecoder
from games.scripted import DETECTORS, READERS, ScriptLabels, read_script_film
from games.simulated_detector import label_frames, looks

from engine.codec import event_to_json, read_record
from engine.events import Entry, GameStart
from engine.rules import RULE_SETS
from studio.play.scripts import names, read_script
from studio.play.settled_tables import observations, planned
from studio.play.truth import seen_entries
from vision.compare import NOTHING, Report, compare
from vision.table.view import TableView


def read_film(folder: Path, errors: str, seed: int) -> Report:
    """Read the labels of a filmed game through a simulated detector."""
    true = read_record((folder / "seen.jsonl").read_text(encoding="utf-8"))
    start = true[0].event
    assert isinstance(start, GameStart), "a record begins with the game"
    view = TableView.load(folder / "table.toml")
    decoder, read = RecordedDecoder(start.rules, view), list[Entry]()
    for look in looks(label_frames(folder / "labels.jsonl"), view, DETECTORS[errors], seed):
        read += decoder.look(look)
    record = read_record((folder / "record.jsonl").read_text(encoding="utf-8"))
    return compare(record, read + decoder.close())


def read_settled(rules: str, seed: int, hands: int) -> Report:
    """Play a game and read the table at rest after each event."""
    game = planned(rules, seed, hands)
    decoder = RecordedDecoder(rules, game.place.view)
    read = [entry for seen in observations(game) for entry in decoder.observe(seen)]
    return compare(seen_entries(game.entries, (), rules), [*read, *decoder.close()])


def read_scripts(chosen: Sequence[str], films: Path | None) -> Iterator[tuple[str, Report]]:
    """Read scripted games: their films if a folder is given, or else their labels."""
    for name in chosen:
        script = read_script(name)
        if films is not None:
            yield name, read_script_film(script, films / name)
            continue
        labels = ScriptLabels.of(script)
        for errors, seed in READERS:
            yield f"{name} {errors} {seed}", labels.read(errors, seed)


def summary(report: Report) -> str:
    return (
        f"precision {report.precision:.4f}, recall {report.recall:.4f}, "
        f"hands paid right {report.paid_right}/{len(report.hands)}, "
        f"ready {report.ready_right}/{report.ready_all}"
    )


def show(report: Report) -> None:
    """Print every missed and invented event, and every hand with a wrong payment."""
    for event in report.missing:
        print("   missed  ", event_to_json(event))
    for event in report.extra:
        print("   invented", event_to_json(event))
    for hand in report.hands:
        if not hand.right:
            print("   paid    ", hand.number, hand.true, hand.read)


def score(games: Iterable[tuple[str, Report]], errors_too: bool) -> None:
    """Print a line for each game as it is read, and one for all of them."""
    total, begun = NOTHING, time.monotonic()
    for name, report in games:
        print(f"{name}: {summary(report)}", flush=True)
        if errors_too:
            show(report)
        total = total.together(report)
    print(f"all: {summary(total)}, {time.monotonic() - begun:.0f} s")


def join(cases: Iterable[GameCase], every_s: float, for_s: float) -> int:
    """Join each game at every few seconds; return how often something went wrong."""
    failed = 0
    for case in cases:
        planned = planned_game(case)
        at, lines = list(moments(planned, every_s, case.seed)), 0
        for from_s in at:
            try:
                lines += len(read_joined(case, planned, from_s, for_s))
            except Exception:
                failed += 1
                print(f"{case.name} at {from_s} s:\n{traceback.format_exc()}", flush=True)
        print(f"{case.name}: joined {len(at)} times, {lines} lines", flush=True)
    return failed


def add_options(parser: argparse.ArgumentParser) -> None:
    ways = parser.add_subparsers(dest="way", required=True)
    films = ways.add_parser("films", help="read the labels of films with simulated errors")
    films.add_argument("games", nargs="+", type=Path, help="folders of datasets/simulate.py")
    films.add_argument("--errors", choices=sorted(DETECTORS), default="ordinary")
    films.add_argument("--seed", type=int, default=0, help="of the errors")
    settled = ways.add_parser("settled", help="read tables at rest, without errors")
    settled.add_argument("--hands", type=int, default=1)
    joined = ways.add_parser("joined", help="start to watch in the middle of games")
    joined.add_argument("--grades", nargs="+", default=list(ERRORS), choices=list(ERRORS))
    joined.add_argument("--every", type=float, default=10.0, help="seconds between two starts")
    joined.add_argument("--seconds", type=float, default=20.0, help="watched from each start")
    for way in (settled, joined):
        way.add_argument("--rules", nargs="+", default=sorted(RULE_SETS), choices=sorted(RULE_SETS))
        way.add_argument("--seeds", nargs="+", type=int, default=[1])
    cases = ways.add_parser("cases", help="read scripted games")
    cases.add_argument("games", nargs="*", choices=[[], *names()], help="all if none is named")
    cases.add_argument("--films", type=Path, help="read films, kept in this folder")
    for way in (films, settled, cases):
        way.add_argument("--show", action="store_true", help="print every error")


def run(given: argparse.Namespace) -> int:
    if given.way == "joined":
        order = ((g, r, s) for s in given.seeds for g in given.grades for r in given.rules)
        return 1 if join((GameCase(*one) for one in order), given.every, given.seconds) else 0
    if given.way == "cases":
        read = read_scripts(given.games or names(), given.films)
    elif given.way == "films":
        read = ((game.name, read_film(game, given.errors, given.seed)) for game in given.games)
    else:
        read = (
            (f"{rules} {seed}", read_settled(rules, seed, given.hands))
            for rules in given.rules
            for seed in given.seeds
        )
    score(read, given.show)
    return 0
