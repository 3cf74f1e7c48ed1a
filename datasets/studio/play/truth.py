"""The true record of a filmed game, and the part of it that a camera can know."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from engine import events as ev
from engine.rules import RULE_SETS
from engine.tiles import COPIES, UNKNOWN
from studio.film.director import Mark


def true_entries(marks: Sequence[Mark]) -> list[ev.Entry]:
    """Return every event with its time, nothing hidden."""
    return [ev.Entry(mark.event, t=round(mark.t_s, 2)) for mark in marks]


def seen_entries(
    entries: Iterable[ev.Entry], open_hands: Collection[int], rules: str, dice: bool = False
) -> list[ev.Entry]:
    """Replace each face that no camera above the table could see by ``?``.

    Hands of ``open_hands`` lie face up; ``dice`` tells whether rolled dice are seen.
    """
    return [replace(entry, event=_seen(entry.event, open_hands, rules, dice)) for entry in entries]


def _seen(event: ev.Event, open_hands: Collection[int], rules: str, dice: bool) -> ev.Event:
    hidden = len(RULE_SETS[rules].layout.closed_kong_down) == COPIES
    match event:
        case ev.HandStart() if not dice:
            return replace(event, dice=None)
        case ev.Deal(seat, tiles) if seat not in open_hands:
            return replace(event, tiles=(UNKNOWN,) * len(tiles))
        case ev.Position():
            hands = tuple(
                hand if seat in open_hands else (UNKNOWN,) * len(hand)
                for seat, hand in enumerate(event.hands or ())
            )
            flowers = event.flowers and tuple((UNKNOWN,) * len(row) for row in event.flowers)
            return replace(event, hands=hands or None, flowers=flowers)
        case ev.Draw(seat) if seat not in open_hands:
            return replace(event, tile=UNKNOWN)
        case ev.Discard():
            return replace(event, drawn=None)
        case ev.Flower():
            return replace(event, tile=UNKNOWN, drawn=UNKNOWN)  # every set draws its own
        case ev.Kong(seat, kind="closed") if hidden and seat not in open_hands:
            return replace(event, tile=UNKNOWN, own=None)
        case _:
            return event
