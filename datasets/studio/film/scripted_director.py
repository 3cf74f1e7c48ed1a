"""Acts scripted hands: with gestures between the events, each event in its own manner."""

from __future__ import annotations

import copy

from engine import events as ev
from studio.film.director import Director
from studio.play.manner import PLAIN, Gesture, Retracted
from studio.play.played_hand import SimulatedHand


class ScriptedDirector(Director):
    """A director who follows the manners of a hand."""

    _begun_s = 0.0
    """When the motion of the last event began."""

    def _play(self, hand: SimulatedHand, number: int) -> None:
        manner = hand.manners.get(number, PLAIN)
        for gesture in manner.first:
            self._make(gesture)
        if manner.after_s is not None:
            self.now = self._begun_s + manner.after_s
        self._begun_s = self.now
        arms, pace = self._arms, self._arms.pace
        arms.pace, arms.stays_s = pace * manner.pace, manner.stays_s
        super()._play(hand, number)
        arms.pace, arms.stays_s = pace, 0.0

    def _make(self, gesture: Gesture | Retracted) -> None:
        match gesture:
            case Retracted(event, stays_s):
                self._retract(event, stays_s)
            case Gesture("begin_film"):
                self.now = self.begins_s = self._hands_gone()
            case Gesture("wait", for_s=for_s):
                self.now = self._hands_gone() + for_s
            case Gesture("lay_down", seat):
                self.now = self._rows.lay_down(seat, self.now)
            case Gesture("take_up", seat):
                self.now = self._rows.take_up(seat, self.now)
            case Gesture("touch_wall", seat):
                tile = self._wall.next_tile()
                start = max(self.now, self.stage.free_at(seat))
                back = self.stage.jittered(self.stage.spots[tile], 0.4, 0.8)
                self.now = self._arms.lift_and_return(seat, tile, back, start)

    def _hands_gone(self) -> float:
        hands = [(seat, hand) for seat in range(4) for hand in (0, 1)]
        return max(self.now, *(self.stage.free_at(*hand) for hand in hands))

    def _retract(self, event: ev.Event, stays_s: float) -> None:
        """Act an event, then put every tile back; nothing of it is recorded."""
        if not isinstance(event, ev.Draw | ev.Discard | ev.Chow | ev.Pung | ev.Kong):
            raise ValueError(f"cannot film how {event!r} is taken back")
        spots, marks = dict(self.stage.spots), len(self.marks)
        seats, wall = self._seats.kept(), copy.deepcopy(self._wall)
        self._act(event)
        del self.marks[marks:]
        self._seats.restore(seats)
        self._wall = wall
        self.now = self._rows.put_back(event.seat, spots, self.now + stays_s)
