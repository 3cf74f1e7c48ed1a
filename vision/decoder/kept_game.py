"""A game that was decoded, kept hand by hand: what people answer explains it without its film."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from engine.events import Event, HandEnd
from vision.checkpoint import CheckpointError, packed, unpacked
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_looks import Begun, DamagedLooks, Step, unpacked_looks
from vision.decoder.pin import Pins
from vision.decoder.question import SAME_S, Answer, EventPlace
from vision.seat_camera.witness import Witness
from vision.tracking.observe import Observation

PAUSE_LOOKS: Final = 200
"""After so many looks whoever explains may stop, some 0.4 s."""
KEPT_LOOKS: Final = 400
"""After so many looks the decoder is kept, some 1.2 s: an answer begins at the last one before."""


@dataclass(frozen=True)
class KeptHand:
    """What a decoder was given from the end of one hand until that of the next."""

    looks: bytes
    """As ``packed_looks`` makes them; those of the first hand say how the decoder began."""
    ends_s: float
    """Time of the last frame that was read for it."""


@dataclass(frozen=True)
class _KeptDecoder:
    """The decoder as it was before one of its looks."""

    hand: int
    steps: int
    """How many steps of this hand it was given."""
    time_s: float
    """Time of the last of them."""
    packed: bytes


class KeptGame:
    """All hands of a film: one of which people say something else is explained again.

    The same game comes out as when the film is read with these answers.
    """

    def __init__(self, hands: Sequence[KeptHand], answers: Sequence[Answer] = ()) -> None:
        """``answers``: those with which the film was read. Raises ``DamagedLooks``."""
        first = unpacked_looks(hands[0].looks) if hands else iter(())
        begun = next(first, None)
        if not isinstance(begun, Begun):
            raise DamagedLooks("these looks do not say how they begin")
        self._hands = tuple(hands)
        self._first: Iterator[Step] | None = first
        """What follows in the first hand, until it is explained."""
        with _of_kept_bytes():
            decoder = Decoder(
                begun.rules, begun.view, begun.witness, (), begun.first_dealer, begun.options
            )
            self._kept = [_KeptDecoder(0, 1, -math.inf, packed(decoder))]
        """As far as the hands were explained with these answers."""
        self._answers = tuple(answers)
        self._passed_on: dict[int, object] = {}
        """What each hand passed on to the next, in the game ..."""
        self._told: Decoding | None = None
        """... as it was told last."""
        self.witness: Witness = begun.witness
        """What seat cameras saw, with their clocks as they were measured in what was explained."""

    def explain(self, answers: Sequence[Answer]) -> Iterator[Decoding | None]:
        """Yield what is told with these answers, after None on the way: whoever asks may stop then.

        What came before the first of which these answers say something else is not explained
        again. After the hand of the last one the game is told once before, with the later hands as
        they were, if that hand passes on to them what it did before. Raises ``DamagedLooks``.
        """
        other = self._other(answers)
        first_s = min(map(_known_s, other), default=math.inf) - SAME_S
        last_s = max((answer.place.time_s for answer in other), default=math.inf)
        last = sum(hand.ends_s <= last_s for hand in self._hands[:-1])
        self._kept = [one for one in self._kept if one.time_s <= first_s]
        self._answers = tuple(answers)
        before, passed_on = self._kept[-1], dict[int, object]()
        decoder = _unpacked(before.packed)
        with _of_kept_bytes():
            decoder.foresee(Pins(1, answers=self._answers))
        for at in range(before.hand, len(self._hands)):
            yield from self._explain_hand(decoder, at, before.steps if at == before.hand else 0)
            if at + 1 == len(self._hands):
                break
            self._keep(decoder, at + 1, 0, self._hands[at].ends_s)
            with _of_kept_bytes():
                now = decoder.decoding()
            passed_on[at] = decoder.passed_on, len(_ends(now))
            if at == last and self._told is not None and self._passed_on.get(at) == passed_on[at]:
                self._told = _followed_as_before(now, self._told)
                self._passed_on |= passed_on
                yield self._told
        with _of_kept_bytes():
            self._told = decoder.close().until(self._hands[-1].ends_s)
        self._passed_on |= passed_on
        self.witness = decoder.witness
        yield self._told

    def _explain_hand(self, decoder: Decoder, at: int, known: int) -> Iterator[None]:
        """Give the steps of one hand to the decoder, which knows the first of them."""
        if self._first is not None and (at, known) == (0, 1):
            steps, self._first = self._first, None
        else:
            steps = islice(unpacked_looks(self._hands[at].looks), known, None)
        for number, step in enumerate(steps, start=known + 1):
            with _of_kept_bytes():
                decoder.play(step)
            if number % KEPT_LOOKS == 0 and isinstance(step, Observation):
                self._keep(decoder, at, number, step.time_s)
            if number % PAUSE_LOOKS == 0:
                yield None

    def _keep(self, decoder: Decoder, hand: int, steps: int, time_s: float) -> None:
        with _of_kept_bytes():
            self._kept.append(_KeptDecoder(hand, steps, time_s, packed(decoder)))

    def _other(self, answers: Sequence[Answer]) -> list[Answer]:
        """The answers that say something else than those of before."""
        was, now = ({_said(answer): answer for answer in some} for some in (self._answers, answers))
        return [(was.get(said) or now[said]) for said in was.keys() ^ now.keys()]


def _known_s(answer: Answer) -> float:
    """When the change of an answer was known first: its name says that where it was seen later."""
    named = EventPlace.of_id(answer.place.change)
    return min(answer.place.time_s, math.inf if named is None else named.time_s)


def _followed_as_before(now: Decoding, before: Decoding) -> Decoding:
    """The hands that are over as they are told now, and what came after so many hands before."""
    ends, was = _ends(now), _ends(before)
    told = now.told[: ends[-1] + 1] if ends else ()
    later = before.told[was[len(ends) - 1] + 1 if ends else 0 :] if len(ends) <= len(was) else ()
    ends_s = max((entry.t or 0.0 for entry in told), default=0.0)
    questions = (
        *(one for one in now.questions if one.place.time_s <= ends_s),
        *(one for one in before.questions if one.place.time_s > ends_s),
    )
    return replace(now, told=(*told, *later), questions=questions)


def _ends(decoding: Decoding) -> list[int]:
    """Places of the ends of hands among what is told."""
    return [at for at, one in enumerate(decoding.told) if isinstance(one.event, HandEnd)]


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
