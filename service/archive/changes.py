"""What the latest reading of each film says otherwise than the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from service.archive.hands_table import FoundHands, HandRow
from service.archive.ledger import Ledger

COMPARED: Final = ("outcome", "reason", "winners", "patterns", *(f"points_{s}" for s in range(4)))


def changes(ledger: Ledger) -> Iterator[str]:
    """Yield a line for each hand that is told otherwise, or that only one reading has."""
    found = FoundHands(ledger.engine)
    for before, after in ledger.repeated():
        old, new = found.of(before), found.of(after)
        for number in range(max(len(old), len(new))):
            was = old[number] if number < len(old) else None
            is_now = new[number] if number < len(new) else None
            if told := _difference(was, is_now):
                shown = is_now or was
                assert shown is not None
                yield f"{shown.film}, game {shown.game}, hand {shown.hand}: {told}"


def _difference(was: HandRow | None, is_now: HandRow | None) -> str:
    if was is None or is_now is None:
        return "new" if was is None else "no longer found"
    pairs = [(name, getattr(was, name), getattr(is_now, name)) for name in COMPARED]
    return ", ".join(f"{name} {old} is now {new}" for name, old, new in pairs if old != new)
