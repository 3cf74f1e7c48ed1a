"""Join played games at every few seconds, read from their labels: nothing may go wrong in any.

python models/join_games.py --seeds 1 2 3 --every 5
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path

if __name__ == "__main__":  # run as a program from anywhere: the packages lie beside us
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(root), str(root / "datasets")]

from games.frames import label_frames
from games.game import GameCase
from games.labels import ERRORS, FPS, CameraFollower
from games.oracle import looks

from engine.codec import read_record, write_record
from engine.events import Entry
from engine.game import replay
from engine.rules import RULE_SETS
from engine.tiles import Tile
from studio.film.game_film import PlannedGame, Settings, plan

PLAIN = (bool, int, float, str, Tile, type(None))


class NotPlain(AssertionError):
    """A value that left vision is of another program's type."""


def game_of(case: GameCase) -> PlannedGame:
    settings = Settings(case.rules, case.seed, Path(), fps=FPS, grade=case.grade, video=False)
    return plan(settings)


def read_joined(case: GameCase, planned: PlannedGame, from_s: float, for_s: float) -> list[Entry]:
    """The lines of a camera that watches only this part of the game, and what it asks at its end.

    They must be plain Python, written and read again without a change, and replayed.
    """
    follower = CameraFollower(planned, case)
    shown = label_frames(planned, FPS, from_s, from_s + for_s)
    lines: list[Entry] = []
    errors, seed = ERRORS[case.grade], case.seed + round(from_s)
    for look in looks(shown, planned.place.view, errors, seed, follower.looks_everywhere):
        lines += follower.take(look)
    check_plain(follower.decoder.questions())
    lines += follower.decoder.close()
    check_plain(lines)
    read = read_record(write_record(lines))
    assert read == lines, "a record reads as it was written"
    replay(read)
    return lines


def check_plain(value: object, place: str = "") -> None:
    """Raise ``NotPlain`` where a value, or a part of it, is of no type of Python or the engine."""
    if isinstance(value, tuple | list):
        for part in value:
            check_plain(part, place)
    elif is_dataclass(value):
        for field in fields(value):
            check_plain(getattr(value, field.name), f"{type(value).__name__}.{field.name}")
    elif type(value) not in PLAIN and value != {}:
        raise NotPlain(f"{place} is {value!r} of {type(value)}")


def moments(planned: PlannedGame, every_s: float, seed: int) -> Iterator[float]:
    """When to join a game: at some time within each so many seconds."""
    rng = random.Random(seed)
    for number in range(int(planned.director.now / every_s) + 1):
        yield round(every_s * (number + rng.random()), 1)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", nargs="+", default=sorted(RULE_SETS), choices=sorted(RULE_SETS))
    parser.add_argument("--grades", nargs="+", default=list(ERRORS), choices=list(ERRORS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two moments")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long is watched")
    given = parser.parse_args(arguments)
    failed = 0
    for case in (GameCase(g, r, s) for s in given.seeds for g in given.grades for r in given.rules):
        planned = game_of(case)
        at, lines = list(moments(planned, given.every, case.seed)), 0
        for from_s in at:
            try:
                lines += len(read_joined(case, planned, from_s, given.seconds))
            except Exception:
                failed += 1
                print(f"{case.name} at {from_s} s:\n{traceback.format_exc()}", flush=True)
        print(f"{case.name}: joined {len(at)} times, {lines} lines", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
