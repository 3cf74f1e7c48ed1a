"""Discarded fives of which nobody saw the colour: the record names none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from engine.events import Chow, Discard, Event, Kong, Position, Pung, Reveal, Win
from engine.tiles import REDS, UNKNOWN, Tile
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.layout import copies_left
from vision.decoder.table_evidence import TableEvidence

SETS: Final = (Chow, Pung, Kong, Win)
"""What takes a discard, and shows it beside other tiles."""

_Key = tuple[int, int]
"""A change, and the track of a discard that it explains; in a position -1 minus its place there."""


class UnseenColours:
    """Remembers which discards were seen without colours: their tracks are forgotten before they
    are."""

    def __init__(self) -> None:
        self._unseen: dict[_Key, int] = {}
        """With their tracks."""

    def fill(
        self, steps: tuple[Explained, ...], best: Hypothesis, table: TableEvidence
    ) -> tuple[Explained, ...]:
        """The events as they are told.

        What else decides is a red five that was seen, a set in colour, another look, or a person.
        """
        if not any(table.red_of(Tile(red).kind) for red in REDS):
            return steps
        here = {step.change for step in best.hand}
        self._unseen = {
            key: track
            for key, track in self._unseen.items()
            if key[0] not in here or track not in table.tiles
        } | dict(_unseen(best, table))
        return tuple(map(self._told, steps)) if self._unseen else steps

    def _told(self, step: Explained) -> Explained:
        event = step.event
        if step.by_person:
            return step
        if isinstance(event, Discard) and (step.change, step.tile) in self._unseen:
            return step.but(told_as=replace(event, tile=UNKNOWN))
        if isinstance(event, Position) and any(step.change == key[0] for key in self._unseen):
            places = count()
            rivers = tuple(
                tuple(
                    replace(thrown, tile=UNKNOWN)
                    if (step.change, -1 - next(places)) in self._unseen
                    else thrown
                    for thrown in river
                )
                for river in event.rivers or ()
            )
            return step.but(told_as=replace(event, rivers=rivers))
        return step


def _unseen(best: Hypothesis, table: TableEvidence) -> Iterator[tuple[_Key, int]]:
    """Discards of this hand of which nothing decides whether they were red fives."""
    tracks = (thrown.track for thrown in best.rivers if thrown.track in table.tiles)
    if not any(track is not None and table.tiles[track].either_five for track in tracks):
        return
    for red in map(Tile, REDS):
        found = list(_either(best, red.kind, table))
        if found and copies_left(best, red) + _red_by_guess(best, red, table) > 0:
            yield from found


def _either(best: Hypothesis, kind: Tile, table: TableEvidence) -> Iterator[tuple[_Key, int]]:
    for place, step in enumerate(best.hand):
        event, tile = step.event, step.tile
        if step.by_person:
            continue
        if isinstance(event, Position):
            there = [thrown for thrown in best.rivers if thrown.place is None]
            for at, thrown in enumerate(there):
                track = thrown.track
                if track is not None and thrown.face.kind == kind and table.either_five(track):
                    yield (step.change, -1 - at), track
        elif isinstance(event, Discard) and tile is not None and event.tile.kind == kind:
            grey = table.either_five(tile, step.thrown_by)
            if grey and not _taken_in_colour(best.hand[place + 1 :], event, table):
                yield (step.change, tile), tile


def _taken_in_colour(after: Sequence[Explained], thrown: Discard, table: TableEvidence) -> bool:
    """Whether the discard was taken at once, and lies in colour beside what it was taken for."""
    step = next((step for step in after if step.event is not None), None)
    if step is None or not isinstance(step.event, SETS):
        return False
    if step.by_person:
        return step.event.tile == thrown.tile
    faces = [table.tiles[tile] for tile in step.tiles if tile in table.tiles]
    fives = [tile for tile in faces if tile.either_five or tile.tile.kind == thrown.tile.kind]
    return bool(fives) and not any(tile.either_five for tile in fives)


def _red_by_guess(best: Hypothesis, red: Tile, table: TableEvidence) -> int:
    """How many tiles are named red that were seen without colours, too."""
    named = 0
    for step in best.hand:
        tracks = {*step.tiles, *(() if step.tile is None else (step.tile,))}
        grey = any(table.either_five(tile) for tile in tracks)
        named += 0 if step.by_person or not grey else _faces(step.event).count(red)
    return named


def _faces(event: Event | None) -> list[Tile]:
    match event:
        case Discard(tile=tile):
            return [tile]
        case Chow() | Pung() | Kong():
            return [event.tile, *(event.own or ())]
        case Win():
            return [event.tile, *(event.hand or ())]
        case Reveal():
            return list(event.tiles)
        case Position(rivers=rivers):
            return [thrown.tile for river in rivers or () for thrown in river]
        case _:
            return []
