"""Which events of the hypotheses are doubtful, and what else each may have been."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import (
    Chow,
    Claim,
    Discard,
    Draw,
    DrawnHand,
    Event,
    Foul,
    HandEnd,
    HandStart,
    Indicator,
    Reveal,
    Win,
)
from engine.state import State
from engine.tiles import UNKNOWN, Tile
from vision.decoder.changes import Cleared
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.layout import copies_cost
from vision.decoder.likelihood import TEMPERATURE
from vision.decoder.names import faces_of, shares_of
from vision.decoder.question import INTERRUPTS, AnswerChoice, EventPlace, Question, QuestionTile
from vision.decoder.search import events_of
from vision.decoder.table_evidence import TableEvidence

MOST_CHOICES: Final = 3
LEAST_SHARE: Final = 0.03
"""A reading that is less likely is not offered."""
SURE: Final = 0.95
"""What is surer than this is not asked, whatever hangs on it, and how a hand began or who paid for
it is told at once. 0.9, 0.975: no line changes."""
ASKED: Final = 0.015
"""What costs less than this on the mean is not asked."""
MOST_SHARE: Final = 0.04
"""Questions are asked on at most so many of the events."""
UNREAD: Final = 0.05
"""How likely an event of unknown face is right, beside each copy that is left."""
WRONG: Final = 0.15
"""What a wrong event costs that changes no payout yet, in payments of this hand."""

RIVAL: Final = 0.36
"""Another act that is so likely is asked, however many questions there are: acts of 0.36 to 0.59
were not asked on films of another renderer."""
SETTLES_DEALER: Final = 4
"""So many first discards in turn, the dealer's first, tell who dealt."""

PlaceOf = Callable[[int], tuple[EventPlace, tuple[QuestionTile, ...]]]
"""Where and when a change was, and the middles of its tiles, by its id."""


@dataclass(frozen=True)
class _Reading:
    """What a change may have been."""

    events: tuple[Event, ...]
    weight: float
    """How likely it is beside the best hypothesis."""
    paid: tuple[int, ...]
    """What the hand has paid each seat then."""


def doubts(
    hypotheses: Sequence[Hypothesis], table: TableEvidence, place_of: PlaceOf
) -> list[Question]:
    """All that is not sure in this hand, the greatest expected loss first."""
    best = hypotheses[0]
    changes = dict.fromkeys(step.change for step in best.hand if step.event is not None)
    if len(hypotheses) > 1:
        changes |= dict.fromkeys(s.change for s in hypotheses[1].hand if s.event is not None)
    payment = max(
        1, *(abs(points) for hypothesis in hypotheses for points in hypothesis.state.paid)
    )
    questions: list[Question] = []
    asked: list[int] = []
    steps = steps_of(best)
    for change in sorted(change for change in changes if change > BEFORE):
        here = steps.get(change, [])
        questions += _each_alone(best, change, here, table, place_of, payment)
        named = {place: _may_be_named(best, step, table) for place, step in here}
        more = sum(share for faces in named.values() for _, share in faces)
        readings = _readings(hypotheses, change, [], table)
        if readings[0].weight > SURE * (sum(reading.weight for reading in readings) + more):
            continue  # whatever these faces pay
        faces = list(_other_faces(best, here, named))
        readings = _readings(hypotheses, change, faces, table)
        loss = _loss(readings, payment)
        sure = readings[0].weight > SURE * sum(reading.weight for reading in readings)
        if len(readings) < 2 or sure or loss < ASKED:
            continue
        if _dealer(readings[0]) is not None and _dealer_is_settled(best):
            continue
        own = len({_end(reading.events) for reading in readings}) > 1
        own = own or _loss([readings[0], *faces], payment) >= ASKED
        own = own or any(_is_odd_hand(step, best) for _, step in here)
        if not own and _follows(hypotheses, change, asked):
            continue
        asked.append(change)
        place, tiles = place_of(change)
        choices = _choices(readings)
        number = number_of(best, change, here)
        waits = loss >= INTERRUPTS and _waits(readings, payment)
        questions.append(Question(place, choices, number, tiles, loss, waits))
    return sorted(questions, key=lambda question: -question.loss)


def how_it_ended(best: Hypothesis, cleared: Cleared, place_of: PlaceOf) -> list[Question]:
    """Why a hand is over that was cleared away before anybody showed it.

    Where nobody looked, somebody may have won with the last tile of the wall.
    """
    change = cleared.id
    here = [(at, step) for at, step in enumerate(best.hand) if step.change == change]
    unseen = next(
        (
            one
            for one in here
            if "no_sign" in one[1].charges
            or (cleared.unseen and isinstance(one[1].event, DrawnHand))
        ),
        None,
    )
    if unseen is None or not isinstance(unseen[1].event, DrawnHand | HandEnd | Win):
        return []
    at, step = unseen
    told = events_of(best, change)
    ways = [told]
    draws = [event for event in best.rules.legal(best.before[at]) if isinstance(event, DrawnHand)]
    if isinstance(step.event, Win):
        # Who deals next tells that somebody has won.
        ways.append((DrawnHand("exhausted"), HandEnd()))
    elif isinstance(step.event, HandEnd):
        # A foul has ended it, or what looked like one was none.
        ways += [(draw, *told) for draw in draws or [DrawnHand("exhausted")]]
    for event in draws if isinstance(step.event, DrawnHand) else ():
        if event != step.event:
            ways.append(tuple(event if isinstance(one, DrawnHand) else one for one in told))
    ways = [*ways[: MOST_CHOICES - 1], ()]
    place, tiles = place_of(change)
    choices = tuple(AnswerChoice(events, 1 / len(ways)) for events in ways)
    return [
        Question(
            place,
            choices,
            number_of(best, change, steps_of(best).get(change, [])),
            tiles,
            WRONG + 1.0,
        )
    ]


def indicator_due(best: Hypothesis, state: State) -> Indicator | None:
    """An indicator that is to be turned up in a state."""
    events = best.rules.legal(state)
    return next((event for event in events if isinstance(event, Indicator)), None)


def within_reason(questions: Sequence[Question], events: int, answered: int) -> list[Question]:
    """The questions that may be asked about so many events, in the order of play."""
    most = max(1, int(MOST_SHARE * events)) - answered
    worst = sorted(questions, key=lambda question: -question.loss)
    ends = [question for question in worst if _ended_unseen(question)]
    doubtful = [question for question in worst if question not in ends]
    rivals = [question for question in doubtful if _has_rival(question)]
    asked = dict.fromkeys([*ends, *doubtful[: max(0, most)], *rivals])
    return sorted(asked, key=lambda question: question.number)


def _ended_unseen(question: Question) -> bool:
    """Whether a hand is over, and nobody knows why, or what an indicator adds to it."""
    told, *others = question.choices
    events = [event for choice in others for event in choice.events]
    won = any(isinstance(event, Win) for event in told.events)
    unseen = won and any(isinstance(event, Indicator) and event.tile == UNKNOWN for event in events)
    return unseen or any(isinstance(event, DrawnHand | HandEnd) for event in told.events)


def _has_rival(question: Question) -> bool:
    """Whether another act, not only another face, is about as likely as what is told."""
    told, *others = question.choices
    acts = _acts(told.events)
    return any(
        choice.share >= RIVAL and choice.events and _acts(choice.events) != acts
        for choice in others
    )


def _acts(events: Sequence[Event]) -> list[tuple[object, ...]]:
    """Who did what, whatever the faces."""
    return [
        (type(event), getattr(event, "seat", None), getattr(event, "from_seat", None))
        for event in events
    ]


def _dealer_is_settled(best: Hypothesis) -> bool:
    """Whether the first discards were made in turn, from the dealer on, and all of them seen."""
    events = [step for step in best.hand if step.event is not None]
    thrown = [step for step in events if isinstance(step.event, Discard)][:SETTLES_DEALER]
    start = events[0].event
    if not isinstance(start, HandStart) or start.dealer is None or len(thrown) < SETTLES_DEALER:
        return False
    seen = all(step.tile is not None for step in thrown)
    seats = [step.event.seat for step in thrown if isinstance(step.event, Discard)]
    return seen and seats == [(start.dealer + turn) % 4 for turn in range(SETTLES_DEALER)]


def _loss(readings: Sequence[_Reading], payment: int) -> float:
    """What a change costs on the mean if the first reading of it is told, in payments."""
    told = readings[0]
    total = sum(reading.weight for reading in readings)
    return sum(reading.weight / total * _apart(reading, told, payment) for reading in readings[1:])


def _apart(one: _Reading, told: _Reading, payment: int) -> float:
    """What it costs to tell one reading where another is right."""
    if any(isinstance(event, Win) and event.hand is None for event in told.events):
        return WRONG + 1.0  # nobody can be paid for it
    if any(isinstance(event, Reveal) and UNKNOWN in event.tiles for event in told.events):
        return WRONG + 1.0  # nobody knows whether it was ready
    if _dealer(one) not in (None, _dealer(told)):
        return WRONG + 1.0  # this hand is paid otherwise, and the next one dealt by another seat
    moved = sum(abs(a - b) for a, b in zip(one.paid, told.paid, strict=True))
    return WRONG + moved / payment


def _waits(readings: Sequence[_Reading], payment: int) -> bool:
    """Whether hardly any points hang on it yet: other readings pay alike, and end the hand alike.

    Later looks settle most of it; where it pays otherwise once the hand is over, it is asked at
    once. Of the names of discards that were asked 35 of 35 were told right at clean tables, 7 of 11
    at worse ones. A face that nobody read is asked at once, while people remember it.
    """
    told, *others = readings
    if any(isinstance(one, Discard) and not one.tile.known for one in told.events):
        return False
    total = sum(reading.weight for reading in readings)
    moving = [one for one in others if _moves_points(one, told, payment)]
    if sum(one.weight for one in moving) < (1.0 - SURE) * total:
        return True  # what is paid is as sure as what is not asked
    return sum(one.weight / total * _apart(one, told, payment) for one in moving) < INTERRUPTS


def _moves_points(one: _Reading, told: _Reading, payment: int) -> bool:
    """Wins count also where neither reading pays: then a tile of the hand is not known."""
    won = any(isinstance(event, Win) for event in (*one.events, *told.events))
    return won or _end(one.events) != _end(told.events) or _apart(one, told, payment) > WRONG


def _dealer(reading: _Reading) -> int | None:
    starts = (event.dealer for event in reading.events if isinstance(event, HandStart))
    return next(starts, None)


_Placed = tuple[int, Explained]
"""A place among the events of a game, and its step."""
_Named = Sequence[tuple[Tile, float]]
"""Other faces that an event may have, with how likely each is beside the one it has."""


def steps_of(hypothesis: Hypothesis) -> dict[int, list[_Placed]]:
    """The events of a hand by their changes; draws are not seen."""
    at = sum(step.event is not None for step, _ in hypothesis.earlier)
    found: dict[int, list[_Placed]] = {}
    for step in hypothesis.hand:
        if step.event is not None:
            if not isinstance(step.event, Draw):
                found.setdefault(step.change, []).append((at, step))
            at += 1
    return found


def _unseen(here: Sequence[_Placed]) -> list[_Placed]:
    """Discards that no tile shows, where a change has several: no answer names two tiles."""
    unseen = [
        (place, step)
        for place, step in here
        if isinstance(step.event, Discard) and step.tile is None
    ]
    return unseen if len(unseen) > 1 else []


def _each_alone(
    best: Hypothesis, change: int, here: Sequence[_Placed], table: TableEvidence,
    place_of: PlaceOf, payment: int,
) -> Iterator[Question]:  # fmt: skip
    """Discards of which an answer names one: a question for each."""
    for number, step in _unseen(here):
        assert step.event is not None, "a discard that nobody saw is one"
        reading = _Reading((step.event,), 1.0, best.state.paid)
        readings = [reading, *_read_otherwise(best, step, _may_be_named(best, step, table))]
        if len(readings) > 1 and isinstance(step.event, Discard):
            place, tiles = place_of(change)
            alone = replace(place, seat=step.event.seat)
            loss = _loss(readings, payment)
            yield Question(alone, _choices(readings), number, tiles, loss)


def _follows(hypotheses: Sequence[Hypothesis], change: int, asked: Sequence[int]) -> bool:
    """Whether the likeliest other reading comes with another reading of what is asked before it."""
    best = hypotheses[0]
    now = events_of(best, change)
    other = next(
        (hypothesis for hypothesis in hypotheses[1:] if events_of(hypothesis, change) != now), None
    )
    return other is not None and any(
        events_of(other, earlier) != events_of(best, earlier) for earlier in asked
    )


def _end(events: Sequence[Event]) -> tuple[object, ...]:
    """Who deals, who wins from whom, or why nobody does; empty where the hand goes on."""
    ends: list[object] = []
    for event in events:
        match event:
            case HandStart():
                ends.append(event.dealer)
            case Win():
                ends.append((event.seat, event.from_seat))
            case DrawnHand():
                ends.append(event.reason)
    return tuple(ends)


def _readings(
    hypotheses: Sequence[Hypothesis], change: int, faces: Sequence[_Reading],
    table: TableEvidence,
) -> list[_Reading]:  # fmt: skip
    """What a change may have been: as the best hypothesis tells it, then the likeliest first."""
    best = hypotheses[0]
    here = events_of(best, change)
    now = _meant(here, best.state.paid)
    found: dict[str, _Reading] = {}
    for hypothesis in hypotheses:
        events, paid = events_of(hypothesis, change), hypothesis.state.paid
        # What pays otherwise and has the same events is asked where the events differ.
        mark = now if events == here else _meant(events, paid)
        # The best hypothesis of each reading: of those that differ elsewhere only some are kept.
        weight = math.exp((best.cost - hypothesis.cost) / TEMPERATURE)
        found.setdefault(mark, _Reading(events, weight, paid))
    for other in faces:
        mark = _meant(other.events, other.paid)
        if mark not in found or found[mark].weight < other.weight:
            found[mark] = other
    here_steps = [step for step in best.hand if step.change == change and step.event is not None]
    runs = [run for step in here_steps for run in _other_runs(best, step, table)]
    for run in runs:
        found.setdefault(_meant(run.events, run.paid), run)
    if runs or any(_is_odd_hand(step, best) for step in here_steps):
        # It is asked, however sure the hand or the run is.
        if len(found) == 1:
            found[""] = _Reading((), 1.0, (0,) * len(best.state.paid))
        others = sum(reading.weight for reading in found.values()) - found[now].weight
        found[now] = replace(found[now], weight=min(found[now].weight, others))
    told = found.pop(now)
    return [told, *sorted(found.values(), key=lambda one: -one.weight)]


def _choices(readings: Sequence[_Reading]) -> tuple[AnswerChoice, ...]:
    """The readings that a person chooses from."""
    total = sum(reading.weight for reading in readings)
    told, *others = readings
    likely = [reading for reading in others if reading.weight > LEAST_SHARE * total]
    # Of readings that end otherwise one is offered, however many tiles it may have been won with.
    ends = [reading for reading in likely if _end(reading.events) != _end(told.events)]
    if ends and ends[0] not in likely[: MOST_CHOICES - 1]:
        likely.insert(MOST_CHOICES - 2, ends[0])
    kept = [told, *(likely or others[:1])][:MOST_CHOICES]
    if _may_be_nothing(told) and all(reading.events for reading in kept):
        none = next((one for one in others if not one.events), _Reading((), 0.0, told.paid))
        room = MOST_CHOICES if len({_end(one.events) for one in kept}) > 1 else MOST_CHOICES - 1
        kept = [*kept[:room], none][:MOST_CHOICES]
    return tuple(AnswerChoice(reading.events, reading.weight / total) for reading in kept)


def _may_be_nothing(told: _Reading) -> bool:
    """Whether tiles that are told to be a set, a shown hand or a foul may mean nothing."""
    return any(isinstance(event, Claim | Reveal | Foul | Win) for event in told.events)


def _other_runs(best: Hypothesis, step: Explained, table: TableEvidence) -> Iterator[_Reading]:
    """Other runs that a chow may be, of which no more than one tile from the hand was read."""
    event = step.event
    if not isinstance(event, Chow) or step.by_person or not step.tiles:
        return
    tracks = [tile for tile in step.tiles if tile in table.tiles and table.is_face(tile)]
    read = {table.tiles[tile].tile.kind for tile in tracks if not table.doubtful(tile)}
    read &= {tile.kind for tile in event.own}
    if len(read) > 1:
        return
    place, kind = best.hand.index(step), event.tile.kind
    for low in range(max(1, kind.rank - 2), min(7, kind.rank) + 1):
        run = [Tile(f"{rank}{kind.suit}") for rank in range(low, low + 3)]
        own = tuple(tile for tile in run if tile != kind)
        if not read <= set(own) or set(own) == {tile.kind for tile in event.own}:
            continue
        other = replace(event, own=(own[0], own[1]))
        way = best.with_step(place, replace(step, event=other))
        if way is not None and kind in run:
            yield _Reading((other,), 1.0, way.state.paid)


def _is_odd_hand(step: Explained, best: Hypothesis) -> bool:
    """A hand of which a tile was not read, so that nobody can be paid, or a win against the rules.

    A hand that does not win is likelier one of which a tile was misread, or not found. What is
    turned up after it may show that.
    """
    if isinstance(step.event, Reveal):
        return UNKNOWN in step.event.tiles
    if not isinstance(step.event, Win):
        return False
    unpaid = (
        not best.playing and not any(best.state.paid) and indicator_due(best, best.state) is None
    )
    return step.event.hand is None or step.flawed or unpaid


def _meant(events: Sequence[Event], paid: tuple[int, ...]) -> str:
    """What a reading comes to: how the tiles of a winning hand are read matters by what it pays."""
    wins = [event for event in events if isinstance(event, Win)]
    compared = [replace(event, hand=None) if isinstance(event, Win) else event for event in events]
    if any(isinstance(event, Discard) for event in events):
        # Whether the rules end the hand with it is no question: what follows tells it.
        compared = [event for event in compared if not isinstance(event, DrawnHand)]
    return repr((compared, paid if wins else None))


def _other_faces(
    best: Hypothesis, here: Sequence[_Placed], named: Mapping[int, _Named]
) -> Iterator[_Reading]:
    """The same events with another face of the one tile that shows them, and with one unknown."""
    events = tuple(step.event for _, step in here if step.event is not None)
    alone = [place for place, _ in _unseen(here)]
    for at, (place, step) in enumerate(here):
        if place not in alone:
            for other in _read_otherwise(best, step, named[place]):
                yield replace(other, events=(*events[:at], *other.events, *events[at + 1 :]))


def _may_be_named(best: Hypothesis, step: Explained, table: TableEvidence) -> _Named:
    """Other faces of one event, the likeliest first; the rules may refuse them."""
    if step.by_person or not isinstance(step.event, Discard | Indicator):
        return ()
    if step.tile is not None and step.tile in table.tiles:
        faces = faces_of(step, best, table)
        shares = shares_of(faces) if faces else {}
        here = shares.get(step.face)
        if not here:
            return ()
    elif step.event.tile == UNKNOWN:
        wall = best.rules.wall.under(best.state.options)
        thrown = (face for face in wall if face.suit != "f")
        shares = {face: math.exp(-copies_cost(best, face)) for face in thrown}
        # Nothing speaks for any face: the record is surely not right here.
        here = UNREAD * sum(shares.values())
    else:
        return ()
    likely = sorted(shares.items(), key=lambda pair: -pair[1])[:MOST_CHOICES]
    return [
        (face, share / here)
        for face, share in likely
        if face != step.face and share >= LEAST_SHARE * here
    ]


def _read_otherwise(best: Hypothesis, step: Explained, named: _Named) -> Iterator[_Reading]:
    """One event with other faces, where the rules take them."""
    if not named:
        return
    place = best.hand.index(step)
    # While a hand is played, the face of a tile that nobody took moves no points.
    lies = (
        isinstance(step.event, Discard)
        and best.playing
        and not any(river.place == place and (river.claimed or river.won) for river in best.rivers)
    )
    for face, share in named:
        assert isinstance(step.event, Discard | Indicator), "only these show a face"
        event = replace(step.event, tile=face)
        if lies:
            yield _Reading((event,), share, best.state.paid)
            continue
        other = best.with_step(place, step.but(event=event))
        if other is not None:
            yield _Reading((event,), share, other.state.paid)


def number_of(best: Hypothesis, change: int, here: Sequence[_Placed]) -> int:
    """Place of the first event whose face is unknown, else of the last one of the change."""
    if not here:
        before = [step for step in best.events if step.change < change]
        return max(0, len(before) - 1)
    unknown = [
        place
        for place, step in here
        if isinstance(step.event, Discard) and step.event.tile == UNKNOWN
    ]
    return unknown[0] if unknown else here[-1][0]
