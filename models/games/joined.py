"""Games joined in the middle: the camera is switched on at some second and watches for a while."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from games.labels import ERRORS, CameraFollower, planned_frames
from games.outcome import GameCase
from games.simulated_detector import looks
from games.starts import FPS

from engine.codec import read_record, write_record
from engine.events import Entry
from engine.game import replay
from engine.tiles import Tile
from studio.film.game_film import PlannedGame

PLAIN = (bool, int, float, str, Tile, type(None))


class NotPlain(AssertionError):
    """A value that left vision has a type of another library."""


def read_joined(case: GameCase, planned: PlannedGame, from_s: float, for_s: float) -> list[Entry]:
    """Return the lines that the decoder writes for this part of the game alone.

    The lines and the open questions must be plain Python values. The record must read back as it
    was written, and replay.
    """
    follower = CameraFollower(planned, case)
    shown = planned_frames(planned, FPS, from_s, from_s + for_s)
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
    """Raise ``NotPlain`` if the value or any part of it is not of a Python or engine type."""
    if isinstance(value, tuple | list):
        for part in value:
            check_plain(part, place)
    elif is_dataclass(value):
        for field in fields(value):
            check_plain(getattr(value, field.name), f"{type(value).__name__}.{field.name}")
    elif type(value) not in PLAIN and value != {}:
        raise NotPlain(f"{place} is {value!r} of {type(value)}")


def moments(planned: PlannedGame, every_s: float, seed: int) -> Iterator[float]:
    """Yield one random second from each stretch of ``every_s`` seconds."""
    rng = random.Random(seed)
    for number in range(int(planned.director.now / every_s) + 1):
        yield round(every_s * (number + rng.random()), 1)
