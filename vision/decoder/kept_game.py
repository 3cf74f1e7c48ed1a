"""A game that was decoded, kept hand by hand: what people answer explains it without its film."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Entry, Event, HandEnd
from vision.checkpoint import CheckpointError, packed, unpacked
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
from vision.seat_camera.witness import Witness
from vision.tracking.kept_looks import Begun, DamagedLooks, unpacked_looks

EARLIER_S: Final = 0.1
"""What an answer is about was seen so much earlier at most: its time is rounded."""


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

    def __init__(
        self, hands: Sequence[KeptHand], answers: Sequence[Answer] = (), told: Sequence[Entry] = ()
    ) -> None:
        """``answers``: those with which this was ``told``. Raises ``DamagedLooks``."""
        begun = next(iter(unpacked_looks(hands[0].looks)), None) if hands else None
        if not isinstance(begun, Begun):
            raise DamagedLooks("these looks do not say how they begin")
        decoder = Decoder(begun.rules, begun.view, begun.witness, (), begun.first_dealer)
        self._hands = tuple(hands)
        self._states = [packed(decoder)]
        """The decoder before each hand, as far as they were explained with these answers."""
        self._answers = tuple(answers)
        self._told = tuple(told)
        self._questions: tuple[Question, ...] = ()

    @property
    def witness(self) -> Witness:
        """What seat cameras saw, with their clocks as they were measured in what was explained."""
        return _unpacked(self._states[-1]).witness

    def explain(self, answers: Sequence[Answer]) -> Iterator[Decoding | None]:
        """Yield what is told with these answers after each hand that is explained again.

        The later hands stand in it as they were told before. None where a hand does not end now
        that ended. Whoever stops may ask anew. Raises ``DamagedLooks``.
        """
        first = min(len(self._states) - 1, self._first_other(answers))
        del self._states[first + 1 :]
        self._answers = tuple(answers)
        decoder = _unpacked(self._states[first])
        decoder.foresee(Pins(1, answers=self._answers))
        for at, hand in enumerate(self._hands[first:], start=first):
            for step in unpacked_looks(hand.looks):
                decoder.play(step)
            if at + 1 < len(self._hands):
                self._states.append(packed(decoder))
                yield self._with_later(decoder)
        decoding = decoder.close().until(self._hands[-1].ends_s)
        self._told, self._questions = decoding.told, decoding.questions
        yield decoding

    def _first_other(self, answers: Sequence[Answer]) -> int:
        """The first hand of which these answers say something else."""
        was, now = ({_said(answer): answer for answer in some} for some in (self._answers, answers))
        other = [(was.get(said) or now[said]) for said in was.keys() ^ now.keys()]
        first_s = min((answer.place.time_s for answer in other), default=math.inf) - EARLIER_S
        return sum(hand.ends_s <= first_s for hand in self._hands[:-1])

    def _with_later(self, decoder: Decoder) -> Decoding | None:
        """What is told of the hands so far, and what was told of the later ones before.

        None where the last of them is played on now.
        """
        now = decoder.decoding()
        if not now.told or not isinstance(now.told[-1].event, HandEnd):
            return None
        told = (entry for entry in self._told if not decoder.knows(str(entry.change)))
        asked = (one for one in self._questions if not decoder.knows(one.place.happening.id))
        return replace(now, told=(*now.told, *told), questions=(*now.questions, *asked))


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
