"""Measure the speed of the engine, compared with the ``mahjong`` package.

``python models/speed_engine.py [RECORD...] [--json]``
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from mahjong.shanten import Shanten
from rich.console import Console
from rich.table import Table as Grid

from engine import hands
from engine.codec import BadRecord, read_record
from engine.events import Deal, Entry, Event, GameStart, HandStart, Indicator
from engine.game import replay
from engine.hands import HandForm
from engine.hands.complete import tables
from engine.hands.suit_tables import table
from engine.rules import RULE_SETS
from engine.tiles import KINDS, Tile

HANDS: Final = 10_000
LISTS: Final = 30
SEED: Final = 1
WILD: Final = 3
WITH_PAIRS: Final = frozenset({HandForm.SETS, HandForm.PAIRS})
SHIPPED: Final = ("suit", "honours", "wild_suit", "wild_honours", "marked_suit")
PACKAGE: Final = "shanten of the mahjong package"
_ALL: Final = tuple(map(Tile, KINDS))

Hand = tuple[Tile, ...]


@dataclass(frozen=True)
class EngineTiming:
    """One measured task and its baseline."""

    name: str
    seconds: float
    """For all hands together, or for the one task."""
    baseline: str = ""
    """What the time is compared with; empty without a comparison."""
    baseline_seconds: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the baseline."""
        return None if self.baseline_seconds is None else self.baseline_seconds / self.seconds


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path, nargs="*", help="records to replay")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    try:
        games = [(path.name, read_record(path.read_text("utf-8"))) for path in given.records]
    except (OSError, BadRecord) as error:
        parser.error(str(error))
    return run(games, given.json)


def run(games: Sequence[tuple[str, Sequence[Entry]]], as_json: bool) -> int:
    """Measure the engine and print the figures; ``games``: names and records to replay."""
    rows = judged(HANDS)
    shanten_s = (rows[1].baseline_seconds or 0.0) / HANDS
    rows += [taught(rules, shanten_s) for rules in RULE_SETS]
    rows += [replayed(name, game, shanten_s) for name, game in games]
    if as_json:
        print(json.dumps([asdict(row) | {"ratio": row.ratio} for row in rows]))
    else:
        _show(rows)
    return 0


def judged(count: int) -> list[EngineTiming]:
    """Time random hands, and hands that lack one tile; nothing but the tables is cached."""
    random = Random(SEED)
    wall = [tile for tile in _ALL for _ in range(4)]
    dealt = [tuple(random.sample(wall, 13)) for _ in range(count)]
    others = [tuple(random.sample(wall, 13 - WILD)) for _ in range(count)]
    near = [_one_away(random) for _ in range(count)]
    near_wild = [_one_away(random)[WILD:] for _ in range(count)]
    made = _seconds(_make_tables)
    package = _package_seconds(dealt)
    plain = _seconds(lambda: [hands.waits(hand) for hand in dealt])
    plain_near = _seconds(lambda: [hands.waits(hand) for hand in near])
    wild = _seconds(lambda: [hands.waits(hand, WILD, WITH_PAIRS) for hand in others])
    wild_near = _seconds(lambda: [hands.waits(hand, WILD, WITH_PAIRS) for hand in near_wild])
    far = _seconds(lambda: [hands.distance(hand) for hand in dealt])
    hangzhou = f"waits of {count:,} hands, {WILD} tiles wild, seven pairs too"
    return [
        EngineTiming("tables unpacked and built", made),
        EngineTiming(f"waits of {count:,} hands", plain, PACKAGE, package),
        EngineTiming("  of hands that lack one tile", plain_near, PACKAGE, _package_seconds(near)),
        EngineTiming(hangzhou, wild, "waits without wild tiles", plain),
        EngineTiming(
            "  of hands that lack one tile", wild_near, "waits without wild tiles", plain_near
        ),
        EngineTiming(f"distance of {count:,} hands", far, PACKAGE, package),
    ]


def taught(rules: str, shanten_s: float) -> EngineTiming:
    """Time the ranked discard list of hands that were not seen before; return the median."""
    random = Random(f"{SEED} {rules}")
    times = []
    for _ in range(LISTS):
        game = replay(map(Entry, _first_turn(rules, random)))
        times.append(_seconds(partial(game.hint, 0)))
    compared = 14 * (1 + len(_ALL)) * shanten_s
    baseline = f"{PACKAGE}, every discard and every draw after it"
    return EngineTiming(f"ranked discard list, {rules}", median(times), baseline, compared)


def replayed(name: str, entries: Sequence[Entry], shanten_s: float) -> EngineTiming:
    """Time the replay of a record with all its announcements."""
    seconds = _seconds(lambda: replay(entries).announcements())
    baseline = f"{PACKAGE}, four hands after each event"
    return EngineTiming(
        f"{name}: {len(entries)} events replayed", seconds, baseline, 4 * len(entries) * shanten_s
    )


def _first_turn(rules: str, random: Random) -> Iterator[Event]:
    wall = [tile for tile, copies in RULE_SETS[rules].wall.items() for _ in range(copies)]
    random.shuffle(wall)
    yield from (GameStart(rules), HandStart(), Deal(0, tuple(wall[:14])))
    layout = RULE_SETS[rules].layout
    if layout.indicator_stack_out:
        yield Indicator(wall[14], layout.indicator_kinds[0])


def _one_away(random: Random) -> Hand:
    """Sets and a pair, without one tile."""
    while True:
        tiles = [random.choice(_ALL)] * 2
        for _ in range(4):
            low = random.choice(_ALL)
            chow = low.suit != "z" and low.rank <= 7 and random.random() < 0.7
            tiles += [Tile(f"{low.rank + step}{low.suit}") if chow else low for step in range(3)]
        if max(map(tiles.count, tiles)) <= 4:
            random.shuffle(tiles)
            return tuple(tiles[1:])


def _make_tables() -> None:
    table.cache_clear()
    tables.cache_clear()
    for name in SHIPPED:
        table(name)
    tables()


def _package_seconds(dealt: Sequence[Hand]) -> float:
    """Time the package alone, without the conversion to its own form."""
    prepared = [[hand.count(tile) for tile in _ALL] for hand in dealt]
    return _seconds(lambda: [Shanten.calculate_shanten(counts) for counts in prepared])


def _seconds(work: Callable[[], object]) -> float:
    """Measure processor time, so that other programs do not count."""
    begun_s = time.process_time()
    work()
    return time.process_time() - begun_s


def _show(rows: Sequence[EngineTiming]) -> None:
    grid = Grid(title=f"the engine, {os.cpu_count()} cores of {platform.machine()}")
    for name in ("", "ms", "times as fast", "as"):
        grid.add_column(name, justify="left" if name in ("", "as") else "right")
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.{1 if row.ratio >= 1 else 2}f}"
        grid.add_row(row.name, f"{row.seconds * 1000:.1f}", ratio, row.baseline)
    Console().print(grid)


if __name__ == "__main__":
    sys.exit(main())
