"""Which discards were the tile just drawn, where the rules or the standing hand leave no doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.events import Chow, Discard, Draw, HandStart, Kong, Position, Pung
from vision.telling.story import Told

Stayed = Callable[[int, float, float], bool]
"""Whether the tile drawn by a seat since one moment stood there still after another."""


class DrawnTold:
    """Puts what is known of it into what is told; hands that have not changed are kept."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[tuple[Told, ...], tuple[Told, ...]]] = {}
        """Hands by the place of their start: as they were told, and with what is known."""
        self._stayed: dict[tuple[int, float], bool] = {}
        """Whether the drawn tile was seen to stay when a discard, by seat and time, was told."""

    def fill(self, told: tuple[Told, ...], stayed: Stayed) -> tuple[Told, ...]:
        """What is told of a game; the last hand is asked for anew."""
        starts = [at for at, one in enumerate(told) if isinstance(one.event, HandStart)]
        found = told[: starts[0]] if starts else told
        for start, end in zip(starts, [*starts[1:], len(told)], strict=False):
            hand = told[start:end]
            known = self._known.get(start)
            if end < len(told) and known is not None and known[0] == hand:
                found += known[1]
                continue
            filled = self._hand(hand, stayed)
            self._known[start] = hand, filled
            found += filled
        return found

    def _hand(self, hand: tuple[Told, ...], stayed: Stayed) -> tuple[Told, ...]:
        ready: set[int] = set()
        drew: dict[int, Told | None] = dict.fromkeys(range(4))
        before_s = dict.fromkeys(range(4), hand[0].time_s)
        claimed: int | None = None
        found = []
        for told in hand:
            event = told.event
            match event:
                case Position():
                    ready |= set(event.ready or ())
                case Draw():
                    drew[event.seat] = told
                case Chow() | Pung() | Kong():
                    claimed = event.seat
                    if not isinstance(event, Kong) and event.ready:
                        ready.add(event.seat)
                case Discard() if claimed != event.seat:
                    seat = event.seat
                    known = self._known_of(told, drew[seat], seat in ready)
                    if known is None and seat not in ready:
                        known = self._seen(seat, before_s[seat], told.time_s, stayed)
                    if known is not None and event.drawn is None:
                        told = replace(told, event=replace(event, drawn=known))
            if isinstance(event, Discard):
                ready |= {event.seat} if event.ready else set()
                drew[event.seat], claimed = None, None
                before_s[event.seat] = told.time_s
            found.append(told)
        return tuple(found)

    @staticmethod
    def _known_of(told: Told, draw: Told | None, ready: bool) -> bool | None:
        """What follows from the faces and the rules alone."""
        assert isinstance(told.event, Discard), "only discards come from a hand"
        drawn = draw.event.tile if draw is not None and isinstance(draw.event, Draw) else None
        if drawn is not None and drawn.known and told.event.tile.known:
            # Of two tiles with one face nobody knows which one it was.
            return None if drawn == told.event.tile and not ready else drawn == told.event.tile
        # Readiness fixes a hand, in all rule sets that have players claim it.
        return True if ready else None

    def _seen(self, seat: int, since_s: float, time_s: float, stayed: Stayed) -> bool | None:
        if (seat, time_s) not in self._stayed:
            # Asked once: what is seen of it later is not worth a correction of the record.
            self._stayed[seat, time_s] = stayed(seat, since_s, time_s)
        return False if self._stayed[seat, time_s] else None
