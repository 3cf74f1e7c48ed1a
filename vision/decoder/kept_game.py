"""A game that was decoded, kept hand by hand: what people answer explains it without its film."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Event
from vision.checkpoint import CheckpointError, packed, unpacked
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_looks import Begun, DamagedLooks, unpacked_looks
from vision.decoder.pin import Pins
from vision.decoder.question import SAME_S, Answer
from vision.seat_camera.witness import Witness

PAUSE_LOOKS: Final = 200
"""After so many looks whoever explains may stop, some 0.4 s."""


@dataclass(frozen=True)
class KeptHand:
    """What a decoder was given from the end of one hand until that of the next."""

    looks: bytes
    """As ``packed_looks`` makes them; those of the first hand say how the decoder began."""
    ends_s: float
    """Time of the last frame that was read for it."""


class KeptGame:
    """All hands of a film: one of which people say something else is explained again.

    The same game comes out as when the film is read with these answers.
    """

    def __init__(self, hands: Sequence[KeptHand], answers: Sequence[Answer] = ()) -> None:
        """``answers``: those with which the film was read. Raises ``DamagedLooks``."""
        begun = next(unpacked_looks(hands[0].looks), None) if hands else None
        if not isinstance(begun, Begun):
            raise DamagedLooks("these looks do not say how they begin")
        self._hands = tuple(hands)
        with _of_kept_bytes():
            decoder = Decoder(begun.rules, begun.view, begun.witness, (), begun.first_dealer)
            self._states = [packed(decoder)]
        """The decoder before each hand, as far as they were explained with these answers."""
        self._answers = tuple(answers)
        self.witness: Witness = begun.witness
        """What seat cameras saw, with their clocks as they were measured in what was explained."""

    def explain(self, answers: Sequence[Answer]) -> Iterator[Decoding | None]:
        """Yield what is told with these answers, after None on the way: whoever asks may stop then.

        Hands before the first of which these answers say something else are not explained again.
        Raises ``DamagedLooks``.
        """
        first = min(len(self._states) - 1, self._first_other(answers))
        del self._states[first + 1 :]
        self._answers = tuple(answers)
        decoder = _unpacked(self._states[first])
        with _of_kept_bytes():
            decoder.foresee(Pins(1, answers=self._answers))
        for at, hand in enumerate(self._hands[first:], start=first):
            for number, step in enumerate(unpacked_looks(hand.looks), start=1):
                with _of_kept_bytes():
                    decoder.play(step)
                if number % PAUSE_LOOKS == 0:
                    yield None
            if at + 1 < len(self._hands):
                with _of_kept_bytes():
                    self._states.append(packed(decoder))
        with _of_kept_bytes():
            decoding = decoder.close().until(self._hands[-1].ends_s)
        self.witness = decoder.witness
        yield decoding

    def _first_other(self, answers: Sequence[Answer]) -> int:
        """The first hand of which these answers say something else."""
        was, now = ({_said(answer): answer for answer in some} for some in (self._answers, answers))
        other = [(was.get(said) or now[said]) for said in was.keys() ^ now.keys()]
        first_s = min((answer.place.time_s for answer in other), default=math.inf) - SAME_S
        return sum(hand.ends_s <= first_s for hand in self._hands[:-1])


@contextlib.contextmanager
def _of_kept_bytes() -> Iterator[None]:
    """Whatever a decoder raises for what nobody saw is damage of the bytes."""
    try:
        yield
    except DamagedLooks:
        raise
    except Exception as error:
        raise DamagedLooks(f"these looks cannot be explained ({type(error).__name__})") from error


def _said(answer: Answer) -> tuple[str, tuple[Event, ...]]:
    return answer.place.id, answer.events


def _unpacked(state: bytes) -> Decoder:
    try:
        decoder = unpacked(state)
    except CheckpointError as error:
        raise DamagedLooks(str(error)) from error
    if not isinstance(decoder, Decoder):
        raise DamagedLooks("this is no decoder")
    return decoder
