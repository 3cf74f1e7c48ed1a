"""A game that was decoded, kept hand by hand: what people answer explains it without its film."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from engine.events import Event, HandEnd
from vision.checkpoint import packed, restored
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_looks import Begun, DamagedLooks, Step, unpacked_looks
from vision.decoder.pin import Pins
from vision.decoder.question import SAME_S, Answer, EventPlace
from vision.seat_camera.witness import NOBODY, Witness
from vision.tracking.observe import Observation

PAUSE_LOOKS: Final = 200
"""After so many looks whoever explains may stop, some 0.4 s."""
KEPT_LOOKS: Final = 400
"""After so many looks the decoder is kept, some 1.2 s: an answer begins at the last one before."""

KEPT_BYTES: Final = 64_000_000
"""Most that packed decoders take, each counted once, besides those at the ends of the hands of the
game that was asked for last: some MB each in a long game. What is told, and the looks, are not
counted. Beyond it the game is forgotten that was explained longest ago, and at last every second
decoder within hands."""
KEPT_COURSES: Final = 32
"""Of so many different answers the game is kept at most."""


@dataclass(frozen=True)
class KeptHand:
    """What a decoder was given from the end of one hand until that of the next."""

    looks: bytes
    """As ``packed_looks`` makes them; those of the first hand say how the decoder began."""
    ends_s: float
    """Time of the last frame that was read for it."""


@dataclass(frozen=True, eq=False)
class _KeptDecoder:
    """The decoder as it was before one of its looks."""

    hand: int
    steps: int
    """How many steps of this hand it was given."""
    time_s: float
    """Time of the last of them."""
    packed: bytes


@dataclass(frozen=True)
class _Told:
    """A whole game as it was told."""

    decoding: Decoding
    answers: tuple[Answer, ...]
    """Those it was told with."""
    passed_on: Mapping[int, object]
    """What each hand passed on to the next in it."""


@dataclass(eq=False)
class _Course:
    """A game as far as it was explained with some answers."""

    answers: tuple[Answer, ...]
    kept: list[_KeptDecoder]
    """In order of time."""
    passed_on: dict[int, object] = field(default_factory=dict)
    """What each of its hands passed on to the next."""
    early: _Told | None = None
    """The whole game as it was told before the later hands were explained."""
    whole: Decoding | None = None
    witness: Witness = NOBODY
    """What seat cameras saw, with their clocks as they were measured in the whole game."""

    def same_until(self, answers: Sequence[Answer]) -> float:
        """Until when the game is the same with other answers."""
        other = _other(self.answers, answers)
        return min(map(_known_s, other), default=math.inf) - SAME_S

    def last_before(self, answers: Sequence[Answer]) -> _KeptDecoder:
        """The last decoder that explains the game with other answers, too."""
        until_s = self.same_until(answers)
        return [one for one in self.kept if one.time_s <= until_s][-1]

    def with_answers(self, answers: tuple[Answer, ...]) -> _Course:
        """As far as it is the same with other answers."""
        last = self.last_before(answers)
        kept = self.kept[: self.kept.index(last) + 1]
        return _Course(
            answers, kept, {at: was for at, was in self.passed_on.items() if at < last.hand}
        )


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
            kept = [_KeptDecoder(0, 1, -math.inf, packed(decoder))]
        self._courses = [_Course(tuple(answers), kept)]
        """The game with different answers: the one asked for last, then what was explained last."""
        self._told: _Told | None = None
        """The game as it was told last: what was explained after it may have been given up."""
        self.witness: Witness = begun.witness
        """What seat cameras saw, with their clocks as they were measured in what was told."""

    def explain(self, answers: Sequence[Answer]) -> Iterator[Decoding | None]:
        """Yield what is told with these answers, after None on the way: whoever asks may stop then.

        What came before the first of which these answers say something else than any before is not
        explained again. After the hand of the last one the game is told once before, with the later
        hands as they were, if that hand passes on to them what it did before. Raises
        ``DamagedLooks``.
        """
        course, nearest = self._course(tuple(answers))
        self._courses = list(dict.fromkeys((course, nearest, *self._courses)))
        self._forget_beyond(course)
        if course.whole is None:
            for now in self._explain_rest(course):
                self._forget_beyond(course)
                if now is not None:
                    self._told = course.early
                yield now
        assert course.whole is not None, "the rest was explained"
        self._told = _Told(course.whole, course.answers, dict(course.passed_on))
        self.witness = course.witness
        yield course.whole

    def foresee(self, ways: Iterable[Sequence[Answer]]) -> Iterator[None]:
        """Explain the answered hand with each of these answers, as long as there is room.

        What is told first is then told at once if they are given. The game that was told last stays
        as it is kept, and nothing comes of answers with which these looks cannot be explained.
        """
        told, (newest, *_) = self._told, self._courses
        if told is None or _other(newest.answers, told.answers):
            return  # what was asked for last was not told
        held = [newest]
        for answers in ways:
            hand = self._answered_hand(told.answers, answers)
            course, _ = self._course(tuple(answers))
            if hand is None or course in held:
                continue
            held.append(course)
            self._courses = list(dict.fromkeys((newest, course, *self._courses)))
            with contextlib.suppress(DamagedLooks):
                for _ in self._explain_until(course, hand):
                    if not self._make_room(*held):
                        self._courses.remove(course)
                        return
                    yield None

    def _explain_until(self, course: _Course, hand: int) -> Iterator[None]:
        """Explain a game until it is told first, or a hand is over without that."""
        rest = self._explain_rest(course)
        while course.early is None and course.whole is None and course.kept[-1].hand <= hand:
            next(rest, None)
            yield None

    def _course(self, answers: tuple[Answer, ...]) -> tuple[_Course, _Course]:
        """The game with these answers, and the one that is the same for longest: it begins so."""
        same = next((one for one in self._courses if not _other(one.answers, answers)), None)
        if same is not None:
            return same, same
        nearest = max(self._courses, key=lambda one: one.last_before(answers).time_s)
        return nearest.with_answers(answers), nearest

    def _explain_rest(self, course: _Course) -> Iterator[Decoding | None]:
        before = course.kept[-1]
        if course.early is not None:
            yield replace(course.early.decoding, more=True)
        with _of_kept_bytes():
            decoder: Decoder = restored(before.packed)
            decoder.foresee(Pins(1, answers=course.answers))
        for at in range(before.hand, len(self._hands)):
            known = before.steps if at == before.hand else 0
            yield from self._explain_hand(decoder, course, at, known)
            if at + 1 == len(self._hands):
                break
            self._keep(course, decoder, at + 1, 0, self._hands[at].ends_s)
            with _of_kept_bytes():
                now = decoder.decoding()
                course.passed_on[at] = decoder.passed_on, len(_ends(now))
                early = self._early(course, now, at)
            course.early = early or course.early
            yield None if early is None else replace(early.decoding, more=True)
        with _of_kept_bytes():
            course.whole = decoder.close().until(self._hands[-1].ends_s)
        course.witness = decoder.witness

    def _early(self, course: _Course, now: Decoding, at: int) -> _Told | None:
        """The game once a hand is explained; None unless the rest is surely as it was told last."""
        was = self._told
        if was is None or was.passed_on.get(at) != course.passed_on[at]:
            return None
        last_s = _last_s(was.answers, course.answers)
        if last_s is None or at != self._answered_hand(was.answers, course.answers):
            return None
        early = _followed_as_before(now, was.decoding, last_s)
        if early is None:
            return None
        return _Told(early, course.answers, {**was.passed_on, **course.passed_on})

    def _answered_hand(self, was: Sequence[Answer], now: Sequence[Answer]) -> int | None:
        """The hand of the last answer in which both differ; None where they do not."""
        last_s = _last_s(was, now)
        if last_s is None:
            return None
        return sum(hand.ends_s <= last_s for hand in self._hands[:-1])

    def _explain_hand(
        self, decoder: Decoder, course: _Course, at: int, known: int
    ) -> Iterator[None]:
        """Give the steps of one hand to the decoder, which knows the first of them."""
        if self._first is not None and (at, known) == (0, 1):
            steps, self._first = self._first, None
        else:
            steps = islice(unpacked_looks(self._hands[at].looks), known, None)
        for number, step in enumerate(steps, start=known + 1):
            with _of_kept_bytes():
                decoder.play(step)
            if number % KEPT_LOOKS == 0 and isinstance(step, Observation):
                self._keep(course, decoder, at, number, step.time_s)
                yield None
            elif number % PAUSE_LOOKS == 0:
                yield None

    def _keep(
        self, course: _Course, decoder: Decoder, hand: int, steps: int, time_s: float
    ) -> None:
        with _of_kept_bytes():
            course.kept.append(_KeptDecoder(hand, steps, time_s, packed(decoder)))

    def _make_room(self, *held: _Course) -> bool:
        """Forget what was explained longest ago, none of these; return whether that is enough."""
        while self._is_full and self._courses[-1] not in held:
            self._courses.pop()
        return not self._is_full

    @property
    def _is_full(self) -> bool:
        return self.kept_bytes > KEPT_BYTES or len(self._courses) > KEPT_COURSES

    def _forget_beyond(self, course: _Course) -> None:
        """Forget other games, and decoders within the hands of this one, as many as needed."""
        self._make_room(course)
        while self._is_full and (within := [one for one in course.kept if one.steps > 1]):
            dropped = within[::2]
            course.kept = [one for one in course.kept if one not in dropped]

    @property
    def kept_bytes(self) -> int:
        """What is kept besides the ends of the hands of the game that was asked for last."""
        newest, *others = self._courses
        ends = {one for one in newest.kept if one.steps <= 1}
        every = {one for course in (newest, *others) for one in course.kept}
        return sum(len(one.packed) for one in every - ends)


def _other(before: Sequence[Answer], now: Sequence[Answer]) -> list[Answer]:
    """The answers in which both differ."""
    was, then = ({_said(answer): answer for answer in some} for some in (before, now))
    return [(was.get(said) or then[said]) for said in was.keys() ^ then.keys()]


def _last_s(before: Sequence[Answer], now: Sequence[Answer]) -> float | None:
    """Time of the last answer in which both differ; None where they do not."""
    return max((one.place.time_s for one in _other(before, now)), default=None)


def _known_s(answer: Answer) -> float:
    """When the change of an answer was known first: its name says that where it was seen later."""
    named = EventPlace.of_id(answer.place.change)
    return min(answer.place.time_s, math.inf if named is None else named.time_s)


def _followed_as_before(now: Decoding, before: Decoding, since_s: float) -> Decoding | None:
    """The hands that are over as they are told now, and what came after so many hands before.

    None where these are other hands, or where what happened at ``since_s`` is in none of them.
    """
    ends, was = _ends(now), _ends(before)
    if not 0 < len(ends) <= len(was):
        return None
    end, end_before = ends[-1], was[len(ends) - 1]
    if now.told[end].change != before.told[end_before].change:
        return None
    told = now.told[: end + 1]
    ends_s = round(max(entry.t or 0.0 for entry in told), 1)  # as times of questions are rounded
    if since_s > ends_s:
        return None
    questions = (
        *(one for one in now.questions if one.place.time_s <= ends_s),
        *(one for one in before.questions if one.place.time_s > ends_s),
    )
    return replace(now, told=(*told, *before.told[end_before + 1 :]), questions=questions)


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
