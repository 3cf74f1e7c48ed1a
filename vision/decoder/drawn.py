"""Which discards were the tile just drawn, where the rules or the standing hand leave no doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.events import Chow, Discard, Draw, HandStart, Kong, Position, Pung
from vision.decoder.explained import Explained

Stayed = Callable[[int, float, float], bool]
"""Whether the tile that a seat drew after the first moment still stood in its hand after the second
one."""


class DrawnTiles:
    """Notes on each discard whether it was the tile just drawn; hands that have not changed are not
    asked again."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[tuple[Explained, ...], tuple[Explained, ...]]] = {}
        """Hands by the place of their start: without and with these notes."""
        self._stayed: dict[tuple[int, float], bool] = {}
        """Whether the drawn tile was seen to stay in the hand, by seat and time of the discard."""
        self._last: tuple[tuple[Explained, ...], tuple[Explained, ...]] = (), ()
        """The events that were filled last, without and with these notes."""

    def fill(self, steps: tuple[Explained, ...], stayed: Stayed) -> tuple[Explained, ...]:
        """The events of a game with what is known; only the last hand and changed ones are worked
        out anew."""
        if steps == self._last[0]:
            return self._last[1]
        starts = [at for at, step in enumerate(steps) if isinstance(step.event, HandStart)]
        found = steps[: starts[0]] if starts else steps
        for start, end in zip(starts, [*starts[1:], len(steps)], strict=False):
            hand = steps[start:end]
            known = self._known.get(start)
            if end < len(steps) and known is not None and known[0] == hand:
                found += known[1]
                continue
            filled = self._hand(hand, stayed)
            self._known[start] = hand, filled
            found += filled
        self._last = steps, found
        return found

    def _hand(self, hand: tuple[Explained, ...], stayed: Stayed) -> tuple[Explained, ...]:
        ready: set[int] = set()
        drew: dict[int, Explained | None] = dict.fromkeys(range(4))
        before_s = dict.fromkeys(range(4), hand[0].time_s)
        claimed: int | None = None
        steps = []
        for step in hand:
            event = step.event
            match event:
                case Position():
                    ready |= set(event.ready or ())
                case Draw():
                    drew[event.seat] = step
                case Chow() | Pung() | Kong():
                    claimed = event.seat
                    if not isinstance(event, Kong) and event.ready:
                        ready.add(event.seat)
                case Discard() if claimed != event.seat and not step.by_person:
                    seat = event.seat
                    known = self._known_of(step, drew[seat], seat in ready)
                    if known is None and seat not in ready:
                        known = self._seen(seat, before_s[seat], step.time_s, stayed)
                    if known is not None and event.drawn is None:
                        step = replace(step, event=replace(event, drawn=known))
            if isinstance(event, Discard):
                ready |= {event.seat} if event.ready else set()
                drew[event.seat], claimed = None, None
                before_s[event.seat] = step.time_s
            steps.append(step)
        return tuple(steps)

    @staticmethod
    def _known_of(step: Explained, draw: Explained | None, ready: bool) -> bool | None:
        """What follows from the faces and the rules alone."""
        assert isinstance(step.event, Discard), "only discards come from a hand"
        drawn = draw.event.tile if draw is not None and isinstance(draw.event, Draw) else None
        if drawn is not None and drawn.known and step.event.tile.known:
            # Of two tiles with one face nobody knows which one it was.
            return None if drawn == step.event.tile and not ready else drawn == step.event.tile
        # Readiness fixes a hand, in all rule sets that have players claim it.
        return True if ready else None

    def _seen(self, seat: int, since_s: float, time_s: float, stayed: Stayed) -> bool | None:
        if (seat, time_s) not in self._stayed:
            # Asked only once: what is seen later is not worth a correction of the record.
            self._stayed[seat, time_s] = stayed(seat, since_s, time_s)
        return False if self._stayed[seat, time_s] else None
