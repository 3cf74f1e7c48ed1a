"""A game that was decoded, kept hand by hand: what people answer explains it without its film."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Entry, Event, HandEnd, Seat
from vision.checkpoint import CheckpointError, packed, unpacked
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
from vision.seat_camera.witness import Witness
from vision.table.view import TableView
from vision.tracking.kept_looks import DamagedLooks, unpacked_looks

EARLIER_S: Final = 0.1
"""What an answer is about was seen so much earlier at most: its time is rounded."""


@dataclass(frozen=True)
class KeptHand:
    """What a decoder was given from the end of one hand until that of the next."""

    looks: bytes
    """As ``packed_looks`` makes them."""
    ends_s: float
    """Time of the last one."""
    state: bytes
    """The decoder after it, which goes on with the next hand."""


class KeptGame:
    """All hands of a film: one of which people say something else is explained again.

    The same game comes out as when the film is read with these answers.
    """

    def __init__(
        self,
        rules: str,
        first_dealer: Seat | None,
        hands: Sequence[KeptHand],
        until_s: float,
        answers: Sequence[Answer] = (),
        told: Sequence[Entry] = (),
        witness: bytes = b"",
    ) -> None:
        """``until_s``: time of the last frame. ``answers``: those with which this was ``told``.

        ``witness``: what seat cameras saw, packed; a decoder measures their clocks in it.
        """
        self._rules, self._first_dealer, self._until_s = rules, first_dealer, until_s
        self._hands = list(hands)
        self._answers = tuple(answers)
        self._told = tuple(told)
        self._questions: tuple[Question, ...] = ()
        self._witness = witness
        self._explained = len(hands) - 1
        """After so many hands the state is one that goes on with these answers."""

    @property
    def hands(self) -> Sequence[KeptHand]:
        """With the states after what was explained last."""
        return self._hands

    def explain(self, answers: Sequence[Answer]) -> Iterator[Decoding]:
        """Yield what is told with these answers after each hand that ends as it is explained again.

        The later hands stand in it as they were told before. Raises ``DamagedLooks``.
        """
        first = min(self._explained, self._first_other(answers))
        self._explained, self._answers = first, tuple(answers)
        decoder = self._decoder(first)
        decoder.foresee(Pins(1, answers=self._answers))
        for at, hand in enumerate(self._hands[first:], start=first):
            for step in unpacked_looks(hand.looks):
                decoder.play(step)
            if at + 1 < len(self._hands):
                self._hands[at] = replace(hand, state=packed(decoder))
                self._explained = at + 1
                if (now := decoder.decoding()).told and isinstance(now.told[-1].event, HandEnd):
                    yield self._with_later(decoder, now)
        decoding = decoder.close().until(self._until_s)
        self._told, self._questions = decoding.told, decoding.questions
        yield decoding

    def _first_other(self, answers: Sequence[Answer]) -> int:
        """The first hand of which these answers say something else."""
        was, now = ({_said(answer): answer for answer in some} for some in (self._answers, answers))
        other = [(was.get(said) or now[said]) for said in was.keys() ^ now.keys()]
        first_s = min((answer.place.time_s for answer in other), default=math.inf) - EARLIER_S
        return sum(hand.ends_s <= first_s for hand in self._hands[:-1])

    def _decoder(self, hand: int) -> Decoder:
        """The decoder before a hand."""
        if hand:
            state = self._hands[hand - 1].state
            try:
                decoder = unpacked(state)
            except CheckpointError as error:
                raise DamagedLooks(str(error)) from error
            if not isinstance(decoder, Decoder):
                raise DamagedLooks("this is no decoder")
            return decoder
        view = next(iter(unpacked_looks(self._hands[0].looks)), None)
        if not isinstance(view, TableView):
            raise DamagedLooks("these looks do not begin with a table")
        witness = unpacked(self._witness) if self._witness else Witness()
        return Decoder(self._rules, view, witness, first_dealer=self._first_dealer)

    def _with_later(self, decoder: Decoder, now: Decoding) -> Decoding:
        """What is told of the hands so far, and what was told of the later ones before."""
        told = (entry for entry in self._told if not decoder.knows(str(entry.change)))
        asked = (one for one in self._questions if not decoder.knows(one.place.happening.id))
        return replace(now, told=(*now.told, *told), questions=(*now.questions, *asked))


def _said(answer: Answer) -> tuple[str, tuple[Event, ...]]:
    return answer.place.id, answer.events
