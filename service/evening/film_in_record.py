"""Films in a record: the same one is known by its content, and read on where the record ends."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Entry, GameStart
from service.machine.files import fingerprint
from vision.camera.frames import Frames, FrameSource, RecordedSource

FILM: Final = "film "
"""How the evidence of a ``game_start`` begins that a film brought; what it is known by follows."""


@dataclass(frozen=True)
class FilmPlace:
    """What a source shows of the game that a record ends with."""

    frames: Frames
    film: str | None = None
    """What a film is known by; None for a camera."""
    goes_on: bool = True
    """Whether it shows this game; a camera does, and a film that is another one does not."""


def place_of_film(source: FrameSource, entries: Sequence[Entry], step_s: float) -> FilmPlace:
    """The frames that the record does not hold yet, ``step_s`` apart; raises ``OSError``."""
    if not isinstance(source, RecordedSource):
        return FilmPlace(source.frames(step_s))
    mark = film_mark(source)
    held_s = recorded_s(entries, mark)
    if not held_s:
        return FilmPlace(source.frames(step_s), mark, not entries or held_s is not None)
    return FilmPlace(frames_after(source, step_s, held_s), mark)


def film_mark(source: RecordedSource) -> str:
    """What a film is known by, whatever its file is called; raises ``OSError``."""
    return FILM + fingerprint([source.path])[:32]


def recorded_s(entries: Sequence[Entry], mark: str) -> float | None:
    """How many seconds of a film a record holds.

    None where it does not end with this film: what the film shows is another game.
    """
    first = _first_of(entries, mark)
    if first is None:
        return None
    return _last_s(entries) - _last_s(entries[:first])


def film_begins_s(entries: Sequence[Entry], mark: str) -> float | None:
    """When a film begins, in the time of a record that ends with it; None where it does not."""
    first = _first_of(entries, mark)
    return None if first is None else _last_s(entries[:first])


def _first_of(entries: Sequence[Entry], mark: str) -> int | None:
    """The line with which the games of a film begin that a record ends with."""
    starts = [
        (number, entry.evidence)
        for number, entry in enumerate(entries)
        if isinstance(entry.event, GameStart) and entry.source != "person"
    ]
    first: int | None = None
    for number, evidence in reversed(starts):
        if evidence != mark:
            break
        first = number
    return first


def frames_after(source: RecordedSource, step_s: float, since_s: float) -> Frames:
    """The frames of a film after a time, which is their zero."""
    begun_s: float | None = None
    with closing(source.hurried().frames(step_s)) as frames:
        for frame in frames:
            if frame.time_s <= since_s:
                continue
            time_s = frame.time_s - since_s
            if not source.is_hurried:
                begun_s = time.monotonic() - time_s if begun_s is None else begun_s
                time.sleep(max(0.0, begun_s + time_s - time.monotonic()))
            yield replace(frame, time_s=time_s)


def _last_s(entries: Sequence[Entry]) -> float:
    return max((entry.t for entry in entries if entry.t is not None), default=0.0)
