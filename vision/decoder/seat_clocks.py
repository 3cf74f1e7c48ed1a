"""How far the clocks of recorded seat cameras are off."""

from __future__ import annotations

from typing import Final

from engine.events import Discard
from vision.decoder.hypothesis import Hypothesis
from vision.seat_camera.clock_offset import PutDown, shift_between
from vision.seat_camera.witness import Witness

SURELY_TOLD: Final = 0.8
"""Least confidence of the discards that set a clock."""


class SeatClocks:
    """Sets the clocks by discards that both the seat's and the table's camera saw."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._compared: dict[int, int] = {}
        """How many discards set the clock of each seat's camera."""

    def set(self, best: Hypothesis) -> None:
        """Measure again where more discards are known."""
        for seat, witness in self._witness.seats.items():
            if witness.given:
                continue
            known = [
                PutDown(step.time_s, step.event.tile)
                for step in best.steps
                if isinstance(step.event, Discard)
                and step.event.seat == seat
                and step.sure > SURELY_TOLD
            ]
            if len(known) > self._compared.get(seat, 0):
                self._compared[seat] = len(known)
                shift_s = shift_between(known, witness.hands.stood)
                witness.shift_s = witness.shift_s if shift_s is None else shift_s
