"""Read simulated games from their labels, with a detector's errors to order, and compare.

python models/score_games.py build/game7 build/game8 --errors ordinary
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":  # run as a program from anywhere: the packages lie beside us
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.oracle import HARD, ORDINARY, PERFECT, frames, looks, stills

from engine.codec import event_to_json, read_record
from engine.events import Entry, GameStart
from vision.compare import NOTHING, Report, compare
from vision.decode import Decoder
from vision.table.view import TableView

ERRORS = {"perfect": PERFECT, "ordinary": ORDINARY, "hard": HARD}


def read_game(folder: Path, errors: str, seed: int = 0, settled: bool = False) -> list[Entry]:
    """The record as the tracker reads it from the labels of a simulated game.

    ``settled``: the labels are those of settled tables only.
    """
    true = read_record((folder / "seen.jsonl").read_text(encoding="utf-8"))
    start = true[0].event
    assert isinstance(start, GameStart), "a record begins with the game"
    view = TableView.load(folder / "table.toml")
    decoder = Decoder(start.rules, view)
    entries = []
    shown = stills(folder) if settled else frames(folder)
    for look in looks(shown, view, ERRORS[errors], seed):
        entries += decoder.look(look)
    return entries + decoder.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", type=Path, help="folders of datasets/simulate.py")
    parser.add_argument("--errors", choices=sorted(ERRORS), default="ordinary")
    parser.add_argument("--seed", type=int, default=0, help="of the errors")
    parser.add_argument(
        "--settled", action="store_true", help="the labels are of settled tables only"
    )
    parser.add_argument("--show", action="store_true", help="print what was missed or made up")
    given = parser.parse_args(arguments)
    total = NOTHING
    for folder in given.games:
        begun = time.monotonic()
        read = read_game(folder, given.errors, given.seed, given.settled)
        true = read_record((folder / "record.jsonl").read_text(encoding="utf-8"))
        report = compare(true, read)
        print(f"{folder.name}: {summary(report)}, {time.monotonic() - begun:.0f} s", flush=True)
        if given.show:
            for event in report.missing:
                print("   missed ", event_to_json(event))
            for event in report.extra:
                print("   made up", event_to_json(event))
        total = total.together(report)
    print(f"all: {summary(total)}")
    return 0


def summary(report: Report) -> str:
    return (
        f"precision {report.precision:.4f}, recall {report.recall:.4f}, "
        f"hands paid right {report.paid_right}/{len(report.hands)}, "
        f"ready {report.ready_right}/{report.ready_all}"
    )


if __name__ == "__main__":
    sys.exit(main())
