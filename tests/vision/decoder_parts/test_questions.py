"""Which questions hypotheses raise, and which of them are asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.events import Discard, Event, GameStart, HandStart, Kong, Win
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile, parse
from tests.support.seen_inside import SeenInside
from tests.support.tables import discards, pung
from vision.decoder.changes import CHANGE_NAMES, TableChange, TilesBefore
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.question import INTERRUPTS, AnswerChoice, EventPlace, Question
from vision.decoder.questions import doubts, within_reason
from vision.decoder.table_evidence import TableEvidence


def costing(hypothesis: Hypothesis, cost: float) -> Hypothesis:
    return hypothesis.costing(settled=hypothesis.settled + cost - hypothesis.cost)


def with_event(hypothesis: Hypothesis, place: int, event: Event) -> Hypothesis:
    other = hypothesis.with_step(place, replace(hypothesis.hand[place], event=event))
    assert other is not None
    return other


def test_a_discard_that_nobody_saw_is_asked_beside_what_is_doubtful_before_it() -> None:
    """Each is for itself, also where the next hypothesis reads both of them otherwise."""
    seen = SeenInside("wsom")
    seen.deal()
    seen.discard(0, "7s", sure=0.6, other="8s")
    seen.discard(2, "9s", 2)
    best = seen.best
    number = best.hand[-1].change
    other = with_event(best, len(best.hand) - 3, Discard(0, Tile("8s")))
    other = with_event(other, len(best.hand) - 2, Discard(1, Tile("1m")))
    places = {change: (EventPlace("put", float(change)), ()) for change in range(number + 1)}
    found = doubts((best, other), seen.table, places.__getitem__)
    assert {question.place.time_s for question in found} == {number - 1, number}


def test_from_whom_a_hand_won_is_asked_however_many_tiles_it_may_have_won_with(
    seen: SeenInside,
) -> None:
    seen.stage.take(seen.discard(0, "7m"))
    seen.stage.stand(1, 0)
    seen.stage.lay(1, "234m 123s 777p 88p 567m", -170)
    seen.show(6.0)
    ways = [
        hypothesis
        for hypothesis in seen.decoder.search.hypotheses
        if isinstance(last(hypothesis).event, Win)
    ]
    claimed = next(way for way in ways if _won(way).from_seat == 0)
    alike = [way for way in ways if way.events[-2].event == claimed.events[-2].event]
    drawn = next(way for way in alike if _won(way).from_seat == 1)
    place, _ = drawn.last_event() or (0, None)
    with_others: list[Hypothesis] = []
    for face in ("2m", "8p", "1s"):
        other = with_event(drawn, place, Win(1, 1, Tile(face), None))
        with_others.append(costing(other, 1.0 + 0.5 * len(with_others)))
    best = (costing(drawn, 0.0), *with_others, costing(claimed, 2.5))
    number = last(drawn).change
    places = {change: (EventPlace("opened", float(change)), ()) for change in range(number + 1)}
    (question,) = doubts(best, seen.table, places.__getitem__)
    assert len(question.choices) == 3
    assert {
        won.from_seat
        for choice in question.choices
        for won in choice.events
        if isinstance(won, Win)
    } == {0, 1}
    assert question.interrupts


RULES = RULE_SETS["hong-kong"]
THROWN = discards((0, "1z"), (1, "2z"), (2, "7m"))
HAND = parse("77m 222p 333s 999p 88s")
"""It wins with 7m."""


def told(*changes: Sequence[Event], cost: float = 0.0) -> Hypothesis:
    """A hand of changes with the events of each, the first of which begin it."""
    steps = [
        Explained(float(change), change, event)
        for change, events in enumerate(((GameStart(RULES.id), HandStart(0)), *changes))
        for event in events
    ]
    found = Hypothesis(RULES, State()).all(steps)
    assert found is not None
    return costing(found, cost)


def asked_of(*hypotheses: Hypothesis) -> dict[int, Question]:
    """The questions by their changes, at a table of which nothing is seen now."""
    found = doubts(
        hypotheses,
        TableEvidence({}, frozenset(), 30.0),
        lambda change: (EventPlace("opened", float(change)), ()),
    )
    return {round(one.place.time_s): one for one in found}


def test_a_set_on_which_no_points_hang_yet_interrupts_nobody() -> None:
    first = THROWN[:1]
    asked = asked_of(told(first, [pung(1, 0, "1z")]), told(first, [], cost=0.5))
    assert asked.keys() == {2}
    assert asked[2].loss >= INTERRUPTS
    assert not asked[2].interrupts


def test_what_is_paid_as_surely_as_what_is_not_asked_interrupts_nobody() -> None:
    """The name of a discard is doubtful; that somebody else paid is not offered as a choice."""
    one, two, three = ([each] for each in THROWN)
    best = told(one, two, three, [Win(3, 2, Tile("7m"), HAND)])
    unnamed = told(one, discards((1, "?")), three, [Win(3, 2, Tile("7m"), HAND)], cost=2.5)
    other = told(one, [], discards((1, "7m")), [Win(3, 1, Tile("7m"), HAND)], cost=3.3)
    assert best.state.paid == unnamed.state.paid != other.state.paid
    asked = asked_of(best, unnamed, other)
    assert asked.keys() == {2}
    assert asked[2].loss >= INTERRUPTS
    assert not asked[2].interrupts
    nearer = asked_of(best, unnamed, costing(other, 2.0))
    assert nearer[2].interrupts


def test_a_discard_without_a_face_is_asked_while_people_remember_it() -> None:
    (question,) = asked_of(told(discards((0, "?")))).values()
    assert question.interrupts


def last(hypothesis: Hypothesis) -> Explained:
    return hypothesis.events[-1]


def _won(hypothesis: Hypothesis) -> Win:
    event = last(hypothesis).event
    assert isinstance(event, Win)
    return event


def test_two_discards_that_nobody_saw_are_two_questions() -> None:
    """Though only the discard after them has a place."""
    seen, unseen = SeenInside("riichi"), discards((1, "?"), (2, "?"))
    seen.deal()
    seen.plays((0, "1m"), (3, "9p"), place=2)
    seen.discard(0, "3s", 3)
    best = seen.best
    both = doubts((best,), seen.table, seen.decoder._places.__getitem__)
    assert [best.events[one.number].event for one in both] == unseen
    assert [one.choices[0].events for one in both] == [(event,) for event in unseen]
    assert len({one.id for one in both}) == 2


def test_a_win_against_the_rules_is_asked_however_sure_it_is(seen: SeenInside) -> None:
    """Players know what wins: a tile was misread, or not found."""
    seen.plays((0, "1m"), (1, "9s"))
    win = Win(3, 1, Tile("9s"), parse("23567m 56789p 234s"))
    number = last(seen.best).change + 1
    odd = seen.best.then(Explained(20.0, number, win))
    assert odd is not None
    assert last(odd).flawed
    places = {change: (EventPlace("opened", float(change)), ()) for change in range(number + 1)}
    (question,) = doubts((odd,), seen.table, places.__getitem__)
    assert question.choices[0].events == (last(odd).event,)
    assert question.number == len(odd.events) - 1


def test_a_win_against_the_rules_is_asked_beside_an_earlier_doubt_that_decides_it(
    seen: SeenInside,
) -> None:
    """The next hypothesis reads a discard otherwise, too, and that is asked before it."""
    seen.discard(0, "7s", sure=0.6, other="8s")
    seen.plays((1, "9s"))
    number = last(seen.best).change + 1
    odd = seen.best.then(
        Explained(20.0, number, Win(3, 1, Tile("9s"), parse("23567m 56789p 234s")))
    )
    assert odd is not None
    thrown = next(
        at for at, step in enumerate(odd.hand) if step.event in discards((0, "7s"), (0, "8s"))
    )
    other = with_event(odd, len(odd.hand) - 1, replace(_won(odd), hand=parse("22567m 56789p 234s")))
    face = "7s" if odd.hand[thrown].face == "8s" else "8s"
    other = costing(with_event(other, thrown, Discard(0, Tile(face))), odd.cost + 1.0)
    places = {change: (EventPlace("opened", float(change)), ()) for change in range(number + 1)}
    found = doubts((odd, other), seen.table, places.__getitem__)
    asked = [one.place.time_s for one in found]
    assert asked.count(float(number)) == 1, asked


def test_every_change_has_a_name_in_files_of_answers() -> None:
    assert set(CHANGE_NAMES) == set(TableChange.__subclasses__())
    assert CHANGE_NAMES[TilesBefore] == "opened"


def question(number: int, loss: float, *choices: tuple[Event, float]) -> Question:
    place = EventPlace("opened", float(number))
    offered = tuple(AnswerChoice((event,), share) for event, share in choices)
    return Question(place, offered, number, loss=loss)


def test_another_act_that_is_as_likely_is_asked_beside_what_costs_more() -> None:
    (five, six) = discards((0, "5m"), (0, "6m"))
    claim, kong = pung(1, 0, "5m"), Kong(1, "open", Tile("5m"), 0, parse("555m"))
    dear = question(3, 1.0, (five, 0.6), (six, 0.4))
    face = question(5, 0.1, (five, 0.6), (six, 0.4))
    act = question(7, 0.1, (claim, 0.6), (kong, 0.4))
    unlike = question(9, 0.1, (claim, 0.7), (kong, 0.3))
    assert within_reason([dear, face, act, unlike], 20, 0) == [dear, act]


def test_what_must_be_asked_is_counted_among_the_questions_that_may_be() -> None:
    """Another act that is as likely leaves no room for another face, nor do two such acts."""
    (five, six) = discards((0, "5m"), (0, "6m"))
    claim, kong = pung(1, 0, "5m"), Kong(1, "open", Tile("5m"), 0, parse("555m"))
    acts = [question(number, 0.8, (claim, 0.6), (kong, 0.4)) for number in (3, 5)]
    face = question(7, 0.1, (five, 0.6), (six, 0.4))
    assert within_reason([*acts, face], 20, 0) == acts
    assert within_reason([acts[0], face], 20, 0) == acts[:1]
    assert within_reason([acts[0], face], 60, 0) == [acts[0], face]
