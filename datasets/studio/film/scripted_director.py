"""Acts scripted hands: with gestures between the events, each event in its own manner."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Final

from engine import events as ev
from studio.film.director import Director
from studio.film.timeline import Stop
from studio.play.manner import PLAIN, Gesture, Retracted
from studio.play.played_hand import SimulatedHand
from studio.table.layout import to_table

BETWEEN_CARDS_S: Final = 1.5
"""Somebody taps, and everybody reads the next card."""


class ScriptedDirector(Director):
    """A director who follows the manners of a hand."""

    _begun_s = 0.0
    """When the motion of the last event began."""
    cards: Sequence[tuple[str, float]] = ()
    """The cards of a rehearsal, each with the second from which it is done."""
    _forgotten: tuple[ev.Seat, float] | None = None
    """Who has not drawn, and how long after the discard that is made up for."""

    def _play(self, hand: SimulatedHand, number: int) -> None:
        manner = hand.manners.get(number, PLAIN)
        for gesture in manner.first:
            self._make(gesture)
        if manner.after_s is not None:
            self.now = self._begun_s + manner.after_s
        self._begun_s = self.now
        arms, pace = self._arms, self._arms.pace
        arms.pace, arms.stays_s = pace * manner.pace, manner.stays_s
        self._laid_turned = manner.turned
        event = hand.events[number]
        if manner.late_s and isinstance(event, ev.Draw):
            self._forgotten = event.seat, manner.late_s
            self.mark(event, self.now)
        else:
            super()._play(hand, number)
        arms.pace, arms.stays_s, self._laid_turned = pace, 0.0, None
        if self._forgotten is not None and isinstance(event, ev.Discard):
            self._draw_late(*self._forgotten)
            self._forgotten = None

    def _draw_late(self, seat: ev.Seat, late_s: float) -> None:
        """Draw the tile that was forgotten before the discard."""
        self.now = self._hands_gone() + late_s
        landed, left = self._pick_up(seat, self._wall.draw())
        self._seats[seat].drawn = None
        self.now = max(left, self._rows.tidy(seat, landed, inserted=True))

    def _make(self, gesture: Gesture | Retracted) -> None:
        match gesture:
            case Retracted(event, stays_s):
                self._retract(event, stays_s)
            case Gesture("begin_film"):
                self.now = self.begins_s = self._hands_gone()
            case Gesture("wait", for_s=for_s):
                self.now = self._hands_gone() + for_s
            case Gesture("card", card=card):
                self.now = self._hands_gone()
                self.cards = (*self.cards, (card, self.now))
                self.now += BETWEEN_CARDS_S
            case Gesture("cover_middle", for_s=for_s):
                self._cover_middle(for_s)
            case Gesture("straighten", seat):
                self._straighten(seat)
            case Gesture("lay_down", seat):
                self.now = self._rows.lay_down(seat, self.now)
            case Gesture("take_up", seat):
                self.now = self._rows.take_up(seat, self.now)
            case Gesture("touch_wall", seat):
                tile = self._wall.next_tile()
                start = max(self.now, self.stage.free_at(seat))
                back = self.stage.jittered(self.stage.spots[tile], 0.4, 0.8)
                self.now = self._arms.lift_and_return(seat, tile, back, start)

    def _cover_middle(self, for_s: float) -> None:
        """Everybody holds an arm over the discards."""
        begin = self._hands_gone() + 0.6
        for seat in range(4):
            u = self.rng.gauss(0, 40)
            x, y = to_table(seat, u, self.table.inner_mm * 0.2)
            stops = [Stop(begin, x, y, 70.0, 0.6), Stop(begin + for_s, x, y, 60.0, 0.6)]
            self.stage.reach(seat, stops, 0.5, 0.5)
        self.now = self._hands_gone()

    def _straighten(self, seat: int) -> None:
        """Push a river's tiles by a few millimetres, one after the other."""
        begin = self._hands_gone() + 0.4
        for number, tile in enumerate(self._seats[seat].river):
            now = self.stage.spots[tile]
            at = begin + 0.12 * number
            self.stage.move(tile, at, at + 0.2, self.stage.jittered(now, 2.5, 2.5), 0.0)
            self._arms.touch(seat, now, at, 0.25)
        self.now = self._hands_gone()

    def _hands_gone(self) -> float:
        hands = [(seat, hand) for seat in range(4) for hand in (0, 1)]
        return max(self.now, *(self.stage.free_at(*hand) for hand in hands))

    def _retract(self, event: ev.Event, stays_s: float) -> None:
        """Act an event, then put every tile back; nothing of it is recorded."""
        if not isinstance(event, ev.Draw | ev.Discard | ev.Chow | ev.Pung | ev.Kong | ev.Win):
            raise ValueError(f"cannot film how {event!r} is taken back")
        spots, marks = dict(self.stage.spots), len(self.marks)
        seats, wall = self._seats.kept(), copy.deepcopy(self._wall)
        self._act(event)
        del self.marks[marks:]
        self._seats.restore(seats)
        self._wall = wall
        self.now = self._rows.put_back(event.seat, spots, self.now + stays_s)
