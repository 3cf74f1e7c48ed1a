"""Write the played hands that lessons are made of: one short game of each rule set.

python datasets/lessons.py --out service/games
"""

from __future__ import annotations

import argparse
import lzma
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.codec import write_record
from engine.events import Entry
from engine.game import replay
from engine.lessons import lesson
from engine.rules import GAMES
from studio.play.players import play_game

HANDS = 2
NAMES = ("Anna", "Bo", "Chen", "Dana")
SEEDS = range(1, 9)
"""Games that are tried; the first with the most exercises is taken."""


def record_of(rules: str) -> str:
    """The record of the game that gives the most exercises."""
    best: tuple[int, str] = (0, "")
    for seed in SEEDS:
        start, hands, end = play_game(rules, seed, HANDS)
        start = replace(start, players=NAMES)
        events = (start, *(event for hand in hands for event in hand.events), end)
        entries = [Entry(event) for event in events]
        found = len(lesson(replay(entries).played))
        if found > best[0]:
            best = found, write_record(entries)
    return best[1]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, type=Path, help="a folder, created if missing")
    out: Path = parser.parse_args(arguments).out
    out.mkdir(parents=True, exist_ok=True)
    for game in GAMES:
        packed = lzma.compress(record_of(game.id).encode(), preset=9 | lzma.PRESET_EXTREME)
        (out / f"{game.id}.jsonl.xz").write_bytes(packed)
        print(f"{game.id}: {len(packed)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
