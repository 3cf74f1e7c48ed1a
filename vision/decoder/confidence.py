"""How sure an event is that is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.events import Chow, Discard, Event, HandStart, Kong, Pung, Reveal, Win
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import TEMPERATURE
from vision.decoder.names import faces_of, shares_of
from vision.decoder.put_down_by import share_of_place
from vision.decoder.question import as_read
from vision.decoder.search import BeamSearch
from vision.decoder.table_evidence import TableEvidence

READ_TOGETHER: Final = (Chow, Pung, Kong, Win, Reveal)
"""Events of several faces."""
REFUSED: Final = 0.5
"""A win against the rules is at most so sure, as it is asked: a tile of it was misread, or it is a
foul. At the simulated installation 1011 a misread one was told with 0.86."""


def confidence(
    step: Explained, search: BeamSearch, table: TableEvidence, temperature: float = TEMPERATURE
) -> float:
    """How far the hypotheses agree on an event, at most how sure its one face is.

    The faces of sets and hands are read together: hypotheses that read them otherwise count.
    """
    event = step.event
    assert event is not None, "only events are told"
    if step.by_person:
        return 1.0
    either = isinstance(step.told_as, Discard)  # red or not: it is told without its face
    same = sum(
        share
        for hypothesis, share in search.shares(temperature)
        if any(
            other.change == step.change and _agrees(other, step, either)
            for other in _near(hypothesis, step.change)
        )
    )
    sure = 1.0 if isinstance(event, READ_TOGETHER) else step.sure
    if isinstance(event, Win) and step.flawed:
        sure = REFUSED
    if step.tile is not None and step.tile in table.tiles:
        faces = faces_of(step, search.best, table)
        shares = shares_of(faces) if faces else {}
        told = [face for face in shares if either and face.kind == step.face.kind]
        sure = sum(map(shares.__getitem__, told)) or shares.get(step.face, sure)
    return round(min(same, sure, _share_of_order(step, search)), 3)


def _share_of_order(step: Explained, search: BeamSearch) -> float:
    """How sure the place of a discard is among discards that nobody saw come and that appeared
    at one moment."""
    shown = {change.id: change for change in search.together(step.change)}
    together = [
        (other, other.event, shown[other.change])
        for other in search.best.hand
        if other.change in shown and isinstance(other.event, Discard)
    ]
    at = next((at for at, (_, event, _) in enumerate(together) if event == step.event), None)
    if at is None or len(together) < 2:
        return 1.0
    seats = [event.seat for _, event, _ in together]
    tiles = [(other.face, change.seats) for other, _, change in together]
    return share_of_place(at, seats, tiles)


def _near(hypothesis: Hypothesis, change: int) -> Iterator[Explained]:
    """The steps of a change, the last one first."""
    found = False
    for step in reversed(hypothesis.steps):
        if step.change == change:
            found = True
            yield step
        elif found and isinstance(step.event, HandStart):
            return


def _agrees(other: Explained, step: Explained, either: bool) -> bool:
    """Whether a step is the same event as another one, or its tile has no name yet."""
    one, event = other.event, step.event
    if one is None or event is None:
        return False
    if isinstance(one, Discard) and isinstance(event, Discard) and other.tile == step.tile:
        one = one if one.tile.known else replace(one, tile=event.tile)
    return _plain(one, either) == _plain(event, either)


def _plain(event: Event, either: bool = False) -> Event:
    """The event as readings hold it; ``either``: a discarded five may be the red one or not."""
    read = as_read(event)
    if either and isinstance(read, Discard):
        return replace(read, tile=read.tile.kind)
    return read
