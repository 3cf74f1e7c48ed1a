"""Figures as people read them: one minus sign everywhere, and places that are shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.events import Seat

MINUS = "\N{MINUS SIGN}"


def plain(value: int) -> str:
    return str(value).replace("-", MINUS)


def signed(value: int) -> str:
    """With its sign; nothing stands before zero."""
    return f"{value:+d}".replace("-", MINUS) if value else "0"


def place_of(places: Sequence[int], seat: Seat, texts: Mapping[str, str]) -> str:
    """A place such as ``1.``, or ``=2.`` where somebody shares it, by the texts of a language."""
    shared = places.count(places[seat]) > 1
    return texts["place.shared" if shared else "place"].format(place=places[seat])


def clock(time_s: float) -> str:
    minutes, seconds = divmod(time_s, 60)
    return f"{int(minutes)}:{seconds:04.1f}"
