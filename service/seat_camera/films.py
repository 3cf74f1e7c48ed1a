"""Parses the command line's options for seat cameras."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Seat
from service.errors import Refused
from vision.camera.address import shown

WINDS: Final = ("east", "south", "west", "north")


@dataclass(frozen=True)
class SeatFilm:
    seat: Seat
    source: str
    shift_s: float | None = None
    """Seconds by which it began later than the table's source; None where nobody said."""


def seat_films(
    given: Sequence[str], shifts: Sequence[str] = (), first_dealer: Seat = 0
) -> tuple[SeatFilm, ...]:
    """Parse ``--seat-camera east=FILE`` and ``--seat-shift east=2.5``; raises ``Refused``."""
    films: dict[Seat, SeatFilm] = {}
    for text in given:
        seat, source = _seat_and(text, "--seat-camera", "hand.mp4", first_dealer)
        if seat in films:
            raise Refused(f"--seat-camera: seat {seat} has a camera already; one is enough")
        films[seat] = SeatFilm(seat, source)
    for text in shifts:
        seat, value = _seat_and(text, "--seat-shift", "2.5", first_dealer)
        try:
            shift_s = float(value)
        except ValueError:
            raise Refused(f"--seat-shift {text}: expected seconds, such as east=2.5") from None
        if seat not in films or not abs(shift_s) < 1e5:
            raise Refused(f"--seat-shift {text}: that seat has no --seat-camera to be shifted")
        films[seat] = SeatFilm(seat, films[seat].source, shift_s)
    return tuple(films.values())


def _seat_and(text: str, option: str, example: str, first_dealer: Seat) -> tuple[Seat, str]:
    name, equals, value = text.partition("=")
    seat = _seat_called(name.strip().lower(), first_dealer)
    if seat is None or not equals or not value.strip():
        raise Refused(
            f"{option} {shown(name)}: expected a seat and what belongs to it, such as "
            f"east={example}; seats are 0 to 3, or east, south, west, north in the first hand"
        )
    return seat, value.strip()


def _seat_called(name: str, first_dealer: Seat) -> Seat | None:
    """A seat by its number, or by its wind in the first hand."""
    if name in WINDS:
        return (first_dealer + WINDS.index(name)) % 4
    return int(name) if name in ("0", "1", "2", "3") else None
