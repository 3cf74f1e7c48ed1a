"""Play games and read them from the tables as they settle: what the tracker alone gets wrong.

python models/score_played.py --rules riichi --seeds 1 2 3 --show
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":  # run as a program from anywhere: the packages lie beside us
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(root), str(root / "datasets")]

from score_games import summary

from engine.codec import event_to_json
from engine.events import Entry
from engine.rules import RULE_SETS
from studio.play.settled_tables import observations, planned
from studio.play.truth import seen_entries
from vision.compare import NOTHING, Report, compare
from vision.decode import Decoder


def read_played(rules: str, seed: int, hands: int) -> tuple[list[Entry], list[Entry]]:
    """A played game as far as a camera could know it, and as its settled tables are read."""
    game = planned(rules, seed, hands)
    decoder = Decoder(rules, game.place.view)
    read = [entry for seen in observations(game) for entry in decoder.observe(seen)]
    return seen_entries(game.entries, False, rules), [*read, *decoder.close()]


def score(rules: str, seed: int, hands: int) -> Report:
    return compare(*read_played(rules, seed, hands))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", nargs="+", default=sorted(RULE_SETS), choices=sorted(RULE_SETS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--hands", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was missed or made up")
    given = parser.parse_args(arguments)
    for rules in given.rules:
        total, begun = NOTHING, time.monotonic()
        for seed in given.seeds:
            report = score(rules, seed, given.hands)
            if given.show and (report.missing or report.extra or _unpaid(report)):
                print(f"{rules} {seed}: {summary(report)}")
                for event in report.missing:
                    print("   missed ", event_to_json(event))
                for event in report.extra:
                    print("   made up", event_to_json(event))
                for hand in report.hands:
                    if not hand.right:
                        print("   paid   ", hand.number, hand.true, hand.read)
            total = total.together(report)
        took = time.monotonic() - begun
        print(f"{rules}: {summary(total)}, {took:.0f} s", flush=True)
    return 0


def _unpaid(report: Report) -> bool:
    return report.paid_right < len(report.hands)


if __name__ == "__main__":
    sys.exit(main())
