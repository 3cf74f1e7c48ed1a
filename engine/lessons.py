"""Short exercises of a game, from sets to scoring: made of a played hand, answered by the rules.

Each is asked of one seat at one moment, by what that seat knew, and has its right answers. What was
answered wrongly comes again after others, of another hand or in another form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from typing import Final, Literal, TypeVar

from engine.announce import HandResult, Payout
from engine.answers import KINDS, CanClaim, WhyNot, can_claim, why_not
from engine.events import Seat
from engine.play import IN_PLAY
from engine.played import PlayedEvent
from engine.possible_sets import runs_with
from engine.rules.base import RuleSet
from engine.state import Meld, Phase, SetKind, State
from engine.tiles import Tile

MOST_CHOICES: Final = 5
FARTHEST: Final = 4
REFUSALS: Final = ("not_left_neighbour", "no_run_held", "honour_in_no_run", "not_a_win")
CONDITIONS: Final = ("not_open", "no_terminal_or_dragon", "no_pung", "no_chow", "one_suit")
OTHERS: Final = ("no_pung", "not_open")
"""Conditions that many games do not ask for."""
VALUES: Final = ("points", "times", "han", "faan", "tai")
"""Units of what a hand counts."""
FRESH: Final = 2
"""Exercises of a topic besides the first, of other hands."""
LOOKED_AT: Final = 120
"""Moments after the first exercise among which others are looked for. A lesson then takes a second
of a processor; among all moments those of Hong Kong took 3.7."""
BETWEEN: Final = 2
"""Other questions that are asked before one that was answered wrongly comes again."""
CALLED: Final = {SetKind.CHOW: "chow", SetKind.PUNG: "pung"}


@dataclass(frozen=True)
class Choice:
    """One answer: a tile, a seat, a number, or the key of a text."""

    name: str
    tile: Tile | None = None
    seat: Seat | None = None
    number: int | None = None
    text: str = ""


@dataclass(frozen=True)
class Exercise:
    """One question with its answers; the moment is an index among the events played."""

    topic: str
    at: int
    seat: Seat
    choices: tuple[Choice, ...]
    right: tuple[str, ...]
    """Names of the right choices."""
    shown: tuple[Tile, ...] = ()
    """The tiles that the question is about."""
    said: Choice | None = None
    """Where the choices are yes and no: the answer to the question that is to be judged."""


YES_OR_NO: Final = (Choice("yes"), Choice("no"))
Lesson = Mapping[str, tuple[Exercise, ...]]
"""The exercises of each topic in the order in which they are asked, easy topics first."""
Form = TypeVar("Form")
Result = Literal["right", "wrong", "passed"]
"""How a question was answered, or that it was passed over."""


@dataclass(frozen=True)
class Answered:
    """What became of one question of a lesson."""

    topic: str
    result: Result


def next_topic(topics: Sequence[str], given: Sequence[Answered]) -> str | None:
    """The topic to ask now, after what was answered so far; None at the end of the lesson.

    Topics come in their order. One that was answered wrongly comes again after ``BETWEEN`` other
    questions, or once no other is left, until it is answered rightly or passed over.
    """
    last = {answer.topic: (at, answer.result) for at, answer in enumerate(given)}
    missed = [topic for topic in topics if topic in last and last[topic][1] == "wrong"]
    missed.sort(key=lambda topic: last[topic][0])
    due = (topic for topic in missed if len(given) - last[topic][0] > BETWEEN)
    fresh = (topic for topic in topics if topic not in last)
    return next((topic for among in (due, fresh, missed) for topic in among), None)


def tries_of(topic: str, given: Iterable[Answered]) -> int:
    """How many times a topic was answered wrongly."""
    return sum(answer == Answered(topic, "wrong") for answer in given)


def form_after(forms: Sequence[Form], tries: int) -> Form:
    """The form in which a topic is asked after so many wrong answers: never one twice running."""
    return forms[tries % len(forms)]


@dataclass(frozen=True)
class _Moment:
    """A seat whose turn it is to think."""

    at: int
    played: PlayedEvent
    rules: RuleSet
    state: State
    seat: Seat

    @cached_property
    def claims(self) -> CanClaim:
        """What may be done with the last discard; several topics ask for it."""
        return can_claim(self.rules, self.state, self.seat)

    @cached_property
    def why_not(self) -> WhyNot:
        """Why the hand does not win; several topics ask for it."""
        return why_not(self.rules, self.state, self.seat)

    def exercise(
        self,
        topic: str,
        choices: Iterable[Choice],
        right: Iterable[str],
        shown: Sequence[Tile] = (),
    ) -> Exercise | None:
        """None where nothing is to be chosen: no answer is right, or every one."""
        given, good = tuple(choices), tuple(right)
        names = [choice.name for choice in given]
        asked = [name for name in good if name in names]
        if not asked or len(asked) == len(names):
            return None
        return Exercise(topic, self.at, self.seat, given, tuple(asked), tuple(shown))


def lesson(played: Sequence[PlayedEvent]) -> Lesson:
    """The exercises of each topic that these events have an example of, two or more of each.

    First one whose answer is chosen among several, then such ones of other hands with other
    answers, last an answer that is to be judged.
    """
    moments, ends = list(_moments(played)), list(_ends(played))
    found: dict[str, tuple[Exercise, ...]] = {}
    for number, (topic, makes, of_end) in enumerate(TOPICS):
        among = ends if of_end else moments[number * len(moments) // len(TOPICS) :] + moments
        left = iter(among)
        made = (makes(topic, moment) for moment in left)
        first = next((exercise for exercise in made if exercise is not None), None)
        if first is not None:
            later = (makes(topic, moment) for moment in islice(left, LOOKED_AT))
            forms = (first, *_others(first, later))
            found[topic] = (*forms, _judged(forms[-1]))
    return found


def _others(first: Exercise, later: Iterable[Exercise | None]) -> list[Exercise]:
    """Up to ``FRESH`` of these with other answers, or about other tiles."""
    found: list[Exercise] = []
    seen = {(first.shown, first.right)}
    for exercise in later:
        if exercise is not None and (exercise.shown, exercise.right) not in seen:
            seen.add((exercise.shown, exercise.right))
            found.append(exercise)
            if len(found) == FRESH:
                break
    return found


def _judged(exercise: Exercise) -> Exercise:
    """The same question with an answer, which is right at every other moment."""
    is_right = exercise.at % 2 == 0
    said = next(one for one in exercise.choices if (one.name in exercise.right) == is_right)
    right = ("yes" if is_right else "no",)
    return replace(exercise, choices=YES_OR_NO, right=right, said=said)


def _moments(played: Sequence[PlayedEvent]) -> Iterator[_Moment]:
    for at, step in enumerate(played):
        state = step.state
        if step.rules is None or state.phase not in IN_PLAY:
            continue
        own = (state.turn,) if state.phase is Phase.TO_DISCARD else state.claimant_seats
        for seat in own:
            if state.players[seat].known and seat not in state.retired:
                yield _Moment(at, step, step.rules, state, seat)


def _ends(played: Sequence[PlayedEvent]) -> Iterator[_Moment]:
    """The events that announce the payout of the only win, or who deals the next hand."""
    for at, step in enumerate(played):
        if step.rules is None:
            continue
        for announcement in step.announcements:
            won = (
                isinstance(announcement, Payout)
                and announcement.seat is not None
                and len(step.state.wins) == 1
            )
            if won or isinstance(announcement, HandResult):
                seat = step.state.wins[0].seat if step.state.wins else 0
                yield _Moment(at, step, step.rules, step.state, seat)


# --- sets and shapes ---


def _set(topic: str, moment: _Moment) -> Exercise | None:
    """Which tile makes a run with these two."""
    hand = sorted({tile.kind for tile in moment.state.players[moment.seat].hand})
    for shown, other in combinations(hand, 2):
        makes = {tile for tile in _same_suit(shown) if _is_run(shown, other, tile)}
        if makes and shown.suit == other.suit:
            near = [tile for tile in _same_suit(shown) if tile not in makes]
            near.sort(key=lambda tile: abs(tile.rank - shown.rank))
            return moment.exercise(topic, _tiles((*makes, *near)), map(str, makes), (shown, other))
    return None


def _kind(topic: str, moment: _Moment) -> Exercise | None:
    """What a declared set is called."""
    for player in moment.state.players:
        for meld in player.melds:
            choices = (Choice(kind, text=f"learn.sets.{kind}.name") for kind in KINDS[:0:-1])
            return moment.exercise(topic, choices, (_called(meld),), meld.tiles)
    return None


def _waits(topic: str, moment: _Moment) -> Exercise | None:
    """Which tiles complete the hand."""
    if moment.state.players[moment.seat].holds_extra:
        return None
    waits = [w.tile for w in moment.rules.waits(moment.state, moment.seat) or () if not w.refused]
    near = [tile for wait in waits for tile in _same_suit(wait) if tile not in waits]
    near.sort(key=lambda tile: min(abs(tile.rank - wait.rank) for wait in waits))
    return moment.exercise(topic, _tiles((*waits, *near)), map(str, waits))


def _distance(topic: str, moment: _Moment) -> Exercise | None:
    """How many exchanges the hand is from ready."""
    now = moment.rules.hint(moment.state, moment.seat).now
    if now is None or now.distance is None or not 0 < now.distance <= FARTHEST:
        return None
    choices = (Choice(str(far), number=far) for far in range(FARTHEST + 1))
    return moment.exercise(topic, choices, (str(now.distance),))


def _useful(topic: str, moment: _Moment) -> Exercise | None:
    """Which tiles bring the hand nearer."""
    now = moment.rules.hint(moment.state, moment.seat).now
    if now is None or now.distance is None or not 0 < now.distance <= 2:
        return None
    held = moment.state.players[moment.seat].hand
    others = [tile.kind for tile in held if tile.kind not in now.useful]
    useful = now.useful[:2]
    return moment.exercise(topic, _tiles((*useful, *others)), map(str, useful))


def _discard(topic: str, moment: _Moment) -> Exercise | None:
    """Which discard leaves the hand nearest, with the most useful tiles."""
    if moment.state.phase is not Phase.TO_DISCARD:
        return None
    rows = moment.rules.hint(moment.state, moment.seat).discards
    best = rows[0] if rows else None
    if best is None or best.distance is None:
        return None
    alike = [row.tile for row in rows if (row.distance, row.left) == (best.distance, best.left)]
    if len(alike) > 2:
        return None
    hand = dict.fromkeys(moment.state.players[moment.seat].hand)
    return moment.exercise(topic, _tiles(hand, len(hand)), map(str, alike))


# --- claims and conditions ---


def _claim(topic: str, moment: _Moment) -> Exercise | None:
    """What may be done with the discard."""
    told = moment.claims
    if told.tile is None:
        return None
    choices = (Choice(kind, text=f"page.drill.offer.{kind}") for kind in KINDS)
    may = {answer.kind for answer in told.answers if answer.allowed}
    return moment.exercise(topic, choices, may, (told.tile,))


def _refused(topic: str, moment: _Moment) -> Exercise | None:
    """Why there is no chow, or no win."""
    told = moment.claims
    codes = [why.code for claim in told.answers if claim.kind == "chow" for why in claim.refused]
    if told.tile is None or len(codes) != 1 or codes[0] not in REFUSALS:
        return None
    choices = (Choice(code, text=f"refusal.{code}") for code in REFUSALS[:3])
    return moment.exercise(topic, choices, codes, (told.tile,))


def _first(topic: str, moment: _Moment) -> Exercise | None:
    """Which claim goes first."""
    told = moment.claims
    if told.tile is None or len(told.first) < 2:
        return None
    kinds = [kind for alike in told.first for kind in alike]
    choices = (Choice(kind, text=f"teach.first.{kind}") for kind in sorted(kinds))
    return moment.exercise(topic, choices, told.first[0], (told.tile,))


def _missing(topic: str, moment: _Moment) -> Exercise | None:
    """Which condition of the rules the hand does not meet yet."""
    if moment.state.players[moment.seat].holds_extra:
        return None  # what it lacks depends on the discard
    told = moment.why_not
    if not told.lacking:
        return None
    pool = CONDITIONS if set(told.lacking) <= set(CONDITIONS) else (*told.lacking, *OTHERS)
    choices = (Choice(code, text=f"needed.{code}") for code in pool)
    return moment.exercise(topic, choices, told.lacking)


def _win(topic: str, moment: _Moment) -> Exercise | None:
    """Whether a tile that completes the hand wins by the rules."""
    told = moment.why_not
    refused = {refusal.code for refusal in told.refused} - {"not_a_win", "not_ready", "not_drawn"}
    if told.tile is None or (told.win is None and not refused):
        return None
    return moment.exercise(topic, YES_OR_NO, ("no" if refused else "yes",), (told.tile,))


# --- scoring ---


def _payout(moment: _Moment) -> Payout | None:
    payouts = (
        announcement
        for announcement in moment.played.announcements
        if isinstance(announcement, Payout)
    )
    return next((announcement for announcement in payouts if announcement.seat is not None), None)


def _pattern(topic: str, moment: _Moment) -> Exercise | None:
    """What a winning hand counts."""
    paid = _payout(moment)
    if paid is None:
        return None
    # Where patterns count in a unit of their own, points are only what is paid beside them. Else
    # the first item is who pays; a game without patterns has nothing else.
    items = [item for item in paid.items if item.unit in VALUES]
    counted = [item.name for item in items if item.unit != "points"]
    counted = counted or [item.name for item in items[1:] or items]
    named = [item.name for item in paid.items]
    others = [name for name in moment.rules.payment.rows if name not in named]
    shown = (*counted[-2:], *others[:: max(1, len(others) // 3)])[:MOST_CHOICES]
    choices = (Choice(name, text=f"item.{name}") for name in sorted(shown))
    return moment.exercise(topic, choices, counted, _winning(moment))


def _points(topic: str, moment: _Moment) -> Exercise | None:
    """What the winner gets."""
    paid = _payout(moment)
    if paid is None or paid.seat is None or paid.deltas[paid.seat] <= 0:
        return None
    right = paid.deltas[paid.seat]
    numbers = sorted({right, 2 * right, right + max(right // 3, 1), max(right // 2, 1)})
    choices = (Choice(str(number), number=number) for number in numbers)
    return moment.exercise(topic, choices, (str(right),), _winning(moment))


def _payer(topic: str, moment: _Moment) -> Exercise | None:
    """Who pays most."""
    paid = _payout(moment)
    if paid is None:
        return None
    losers = [seat for seat in range(4) if seat != paid.seat]
    most = min(paid.deltas)
    choices = (Choice(f"seat{seat}", seat=seat) for seat in losers)
    right = (f"seat{seat}" for seat in losers if paid.deltas[seat] == most < 0)
    return moment.exercise(topic, choices, right, _winning(moment))


def _dealer(topic: str, moment: _Moment) -> Exercise | None:
    """Who deals the next hand."""
    said = (
        announcement
        for announcement in moment.played.announcements
        if isinstance(announcement, HandResult)
    )
    following = next(said, None)
    if following is None or following.dealer is None:
        return None
    choices = (Choice(f"seat{seat}", seat=seat) for seat in range(4))
    return moment.exercise(topic, choices, (f"seat{following.dealer}",))


Maker = Callable[[str, _Moment], Exercise | None]
TOPICS: Final[Sequence[tuple[str, Maker, bool]]] = (
    ("set", _set, False),
    ("kind", _kind, False),
    ("distance", _distance, False),
    ("useful", _useful, False),
    ("discard", _discard, False),
    ("waits", _waits, False),
    ("claim", _claim, False),
    ("refused", _refused, False),
    ("first", _first, False),
    ("missing", _missing, False),
    ("win", _win, False),
    ("pattern", _pattern, True),
    ("points", _points, True),
    ("payer", _payer, True),
    ("dealer", _dealer, True),
)
"""Topics from sets to scoring, and whether the end of a hand is asked about."""


def _called(meld: Meld) -> str:
    return CALLED.get(meld.kind, "kong")


def _same_suit(tile: Tile) -> list[Tile]:
    ranks = range(1, 8 if tile.suit == "z" else 10)
    return [Tile(f"{rank}{tile.suit}") for rank in ranks]


def _is_run(one: Tile, other: Tile, third: Tile) -> bool:
    return {one, other} in [set(pair) for pair in runs_with(third)]


def _tiles(tiles: Iterable[Tile], most: int = MOST_CHOICES) -> list[Choice]:
    """Choices sorted by tile, so that the place of the right one gives nothing away."""
    kinds = list(dict.fromkeys(tiles))[:most]
    return [Choice(str(tile), tile) for tile in sorted(kinds, key=lambda tile: tile.place)]


def _winning(moment: _Moment) -> tuple[Tile, ...]:
    player = moment.state.players[moment.seat]
    return (*player.hand, *(tile for meld in player.melds for tile in meld.tiles))
