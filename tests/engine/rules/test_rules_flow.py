"""What every rule set does alike: nothing raises, corrections are possible, nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Literal

import pytest

from engine.announce import Announcement, Item, Payout, Problem, Ready, Turn
from engine.declare import is_set
from engine.events import (
    Chow,
    Correct,
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    Foul,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.game import Game
from engine.opening import start_hand
from engine.possible_sets import Stock, claims_of
from engine.rules import RULE_SETS
from engine.rules.base import IMPOSSIBLE_CODES, Option, RuleSet
from engine.rules.claims import ClaimRules
from engine.rules.flow import Step
from engine.rules.harbin.hlr import HARBIN_HLR
from engine.rules.payment import Payment, Winners
from engine.state import LastDiscard, Phase, State
from engine.tiles import KINDS, UNKNOWN, Tile, parse
from tests.support.cases import position
from tests.support.golden import WITH_GAME

STEPS = 120
SEEDS = range(6)


def any_tile(random: Random, rules: RuleSet) -> Tile:
    strange = (UNKNOWN, Tile("1f"), Tile("0m"), Tile("4z"))
    return random.choice(strange if random.random() < 0.1 else tuple(rules.wall))


def any_event(random: Random, rules: RuleSet, state: State) -> Event:
    """An event that can be written in a record; often one that nearly fits."""
    seat: Seat = random.choice((state.turn, random.randrange(4)))
    other, tile = random.randrange(4), any_tile(random, rules)
    if state.last_discard is not None and random.random() < 0.8:
        other, tile = state.last_discard.seat, state.last_discard.tile
    own = (any_tile(random, rules), any_tile(random, rules))
    size = len(state.players[seat].hand)
    shown = tuple(
        random.choice((UNKNOWN, any_tile(random, rules)))
        for _ in range(max(0, size - random.randrange(-1, 3)))
    )
    ready = random.random() < 0.2
    held = random.choice((*state.players[seat].hand, tile))
    legal = rules.legal(state) or (GameStart(rules.id),)
    kind: Literal["open", "closed", "added"] = random.choice(("open", "closed", "added"))
    rare = (HandStart(), HandStart(seat), HandEnd(), DrawnHand("exhausted"), GameEnd())
    choices: tuple[Event, ...] = (
        *(random.choice(legal) for _ in range(14)),
        random.choice(rare) if random.random() < 0.2 else Dice((1, 2)),
        Deal(seat, shown),
        Indicator(tile, random.choice(("dora", "treasure"))),
        Draw(seat, tile),
        Discard(seat, held, ready, random.choice((None, True, False))),
        Chow(seat, other, tile, own, ready),
        Pung(seat, other, tile, (tile, tile), ready),
        Kong(seat, kind, tile, random.choice((None, other)), random.choice((None, (tile,) * 3))),
        Win(seat, random.choice((seat, other)), tile, random.choice((None, shown))),
        Reveal(seat, shown),
        Foul(seat, random.choice(("false_win", "dead_hand", "something")), None),
        Position(turn=seat, wall_left=random.choice((None, 4, 8, 30)), ready=(other,)),
        Correct(0, ()),
    )
    return random.choice(choices)


def any_value(random: Random, option: Option) -> object:
    if not option.values:
        return option.default
    if isinstance(option.default, tuple):
        return tuple(value for value in option.values if random.random() < 0.5)
    return random.choice(option.values)


def walk(rules: RuleSet, seed: int) -> Iterator[tuple[State, Entry, int, Step]]:
    """States of a wild game, each with the event that came next and what came of it."""
    random = Random(seed)
    options = {option.name: any_value(random, option) for option in rules.options}
    state = rules.apply(State(), Entry(GameStart(rules.id, options)), 0).state
    for number in range(1, STEPS):
        event = any_event(random, rules, state)
        if state.phase is Phase.BEFORE_HAND and random.random() < 0.8:
            event = HandStart()
        step = rules.apply(state, Entry(event), number)
        yield state, Entry(event), number, step
        state = step.state


def _but_turns(step: Step) -> list[Announcement]:
    """What a trial has to announce too."""
    return [one for one in step.announcements if not isinstance(one, Ready | Turn)]


@pytest.mark.parametrize("name", WITH_GAME)
@pytest.mark.parametrize("seed", SEEDS)
def test_any_event_is_taken_or_refused_and_points_are_never_lost(name: str, seed: int) -> None:
    rules, suggested, refused = RULE_SETS[name], 0, 0
    for state, entry, number, step in walk(rules, seed):
        if not isinstance(entry.event, GameStart):
            assert sum(step.state.points) + step.state.pot == sum(state.points) + state.pot
        impossible = [
            said for said in step.announcements if isinstance(said, Problem) and said.impossible
        ]
        assert step.taken is not bool(impossible)
        assert step.taken or step.state is state
        assert rules.attempt(state, entry, number) == (step if step.taken else None)
        quick = rules.attempt(state, entry, number, tells=False)
        assert (quick is not None) == step.taken
        if quick is not None:
            assert quick.state == step.state
            assert _but_turns(quick) == _but_turns(step)
        refused += not step.taken
        for said in impossible:
            assert said.code in IMPOSSIBLE_CODES
            assert len(set(said.suggestions)) == len(said.suggestions)
            for way in said.suggestions:
                after = state
                for correction in way:
                    tried = rules.apply(after, correction, number)
                    assert tried.taken, (entry, way)
                    after = tried.state
                suggested += 1
        for event in rules.legal(state) if number % 4 == 1 else ():
            regular = rules.apply(state, Entry(event), number)
            problems = [said for said in regular.announcements if isinstance(said, Problem)]
            assert regular.taken, event
            assert not problems, event
    assert suggested
    assert 0 < refused < STEPS


def harbin(*events: Event) -> Game:
    game = Game()
    for event in (GameStart("harbin-hlr"), HandStart(), *events):
        game.submit(Entry(event))
    return game


def test_missing_draws_are_counted() -> None:
    game = harbin(Discard(0, Tile("1m")), Discard(1, Tile("1m")), Discard(2, Tile("1m")))
    assert game.state.wall_left == 60 - 3
    assert all(len(player.hand) == 13 for player in game.state.players)


def test_a_kong_supplies_its_replacement() -> None:
    own = (Tile("1m"),) * 3
    game = harbin(
        Discard(0, Tile("1m")), Kong(2, "open", Tile("1m"), 0, own), Discard(2, Tile("9p"))
    )
    assert game.state.wall_left == 60 - 2
    assert (game.state.turn, len(game.state.players[2].hand)) == (3, 10)


def test_the_first_turn_is_announced_with_the_tile_that_the_dealer_has_more() -> None:
    game = Game()
    game.submit(Entry(GameStart("harbin-hlr")))
    said = game.submit(Entry(HandStart()))
    assert said == (Turn(0, 59, of=1),)
    game.submit(Entry(Discard(0, Tile("9m"))))
    assert game.state.wall_left == 59


@pytest.mark.parametrize(
    "call",
    [
        (Discard(0, Tile("9p"), ready=True),),
        (
            Draw(0, Tile("1s")),
            Discard(0, Tile("1s")),
            Discard(1, Tile("1m")),
            Chow(0, 1, Tile("1m"), (Tile("2m"), Tile("3m")), ready=True),
            Discard(0, Tile("9p")),
        ),
    ],
)
def test_everybody_learns_of_a_call_of_ready_and_its_seat_alone_of_the_waits(
    call: tuple[Event, ...],
) -> None:
    game = Game()
    chow = any(isinstance(event, Chow) for event in call)
    hand = "23m 789m 46s 22s 9p" if chow else "123m 789m 46s 22s 9p"
    table = position({"0": hand}, {"0": ["555p"]}, turn=0)
    for event in (GameStart("harbin-hlr"), HandStart(), table, *call):
        game.submit(Entry(event))
    ready = [said for said in game.announcements() if isinstance(said, Ready)]
    assert [said.waits for said in ready if said.unknown and said.audience is None] == [()]
    assert {wait.tile for said in ready for wait in said.waits if said.audience == 0} == {"5s"}


@pytest.mark.parametrize(
    ("before", "taken"),
    [
        ((Deal(0, parse("123m 789m 46s 22s 555p 9p")),), True),
        ((position({"0": "123m 789m 46s 22s 9p"}, {"0": ["555p"]}, turn=0),), True),
        ((Discard(0, Tile("1m")), Pung(1, 0, Tile("1m"), (Tile("1m"), Tile("1m")))), False),
    ],
)
def test_the_tile_drawn_may_be_discarded_unless_a_set_was_claimed(
    before: tuple[Event, ...], taken: bool
) -> None:
    game = Game()
    for event in (GameStart("harbin-hlr"), HandStart(), *before):
        game.submit(Entry(event))
    said = game.submit(Entry(Discard(game.state.turn, Tile("9p"), drawn=True)))
    assert taken is not any(isinstance(one, Problem) and one.impossible for one in said)


def test_claims_of_a_concealed_hand_are_told_to_its_seat_only() -> None:
    hand = parse("46s 123m 99m 22p 77z 5p 8p")
    game = harbin(Deal(1, hand[:13]))
    said = game.submit(Entry(Discard(0, Tile("5s"))))
    turns = [one for one in said if isinstance(one, Turn)]
    assert [turn.audience for turn in turns] == [None, 1]
    assert turns[0].claims == ()
    assert turns[1].claims == (Chow(1, 0, Tile("5s"), (Tile("4s"), Tile("6s"))),)


def test_claims_of_a_shown_hand_are_told_to_everybody() -> None:
    game = harbin(Reveal(1, parse("46s 123m 99m 22p 77z 5p 8p")[:13]))
    said = game.submit(Entry(Discard(0, Tile("5s"))))
    turns = [one for one in said if isinstance(one, Turn)]
    assert [turn.audience for turn in turns] == [None]
    assert len(turns[0].claims) == 1


def test_no_problem_or_public_announcement_tells_a_concealed_hand() -> None:
    """The waits of a concealed hand are for its seat, whoever causes them to be said."""
    game = harbin(Deal(1, parse("46s 123m 99m 22p 77z 5p 8p")[:13]), Discard(0, Tile("2p")))
    said = game.submit(Entry(Pung(1, 0, Tile("2p"), (Tile("2p"), Tile("2p")))))
    said += game.submit(Entry(Discard(1, Tile("5p"), ready=False)))
    assert all(one.audience == 1 for one in said if isinstance(one, Ready))


def test_a_hand_shown_with_one_tile_more_has_drawn_it() -> None:
    game = harbin()
    said = game.submit(Entry(Reveal(0, parse("46s 123m 99m 22p 77z 5p 88p"))))
    assert not said
    assert (game.state.phase, game.state.wall_left) == (Phase.TO_DISCARD, 59)
    assert game.state.players[0].known


def test_a_refused_win_without_a_call_of_ready_asks_where_it_was() -> None:
    game = harbin(Discard(0, Tile("1m")), Discard(1, Tile("5s")))
    said = game.submit(Entry(Win(0, 1, Tile("5s"))))
    problem = next(one for one in said if isinstance(one, Problem))
    assert (problem.code, problem.follows) == ("not_ready", "was_ready_claimed")
    claimed = Correct(2, (Entry(Discard(0, Tile("1m"), ready=True)),))
    assert [entry.event for entry in problem.suggestions[0]] == [claimed, Win(0, 1, Tile("5s"))]


def test_a_hand_that_people_end_over_a_foul_has_no_winner() -> None:
    game = harbin(Discard(0, Tile("1m")), Foul(2, "false_win"))
    game.submit(Entry(HandEnd()))
    assert game.state.phase is Phase.BEFORE_HAND
    assert game.state.dealer == 1


def test_a_hand_does_not_end_by_itself() -> None:
    said = harbin(Discard(0, Tile("1m"))).submit(Entry(HandEnd()))
    problem = said[0]
    assert isinstance(problem, Problem)
    assert (problem.code, problem.follows) == ("contradicts", "no_result")
    assert problem.suggestions[0][0].event == DrawnHand("exhausted")


def test_the_next_hand_ends_the_one_that_is_settled() -> None:
    game = harbin(DrawnHand("exhausted"), HandStart())
    assert (game.state.hand_number, game.state.dealer) == (2, 1)


def test_a_chow_from_across_asks_whether_ready_was_claimed() -> None:
    chow = Chow(2, 0, Tile("5s"), (Tile("4s"), Tile("6s")))
    said = harbin(Discard(0, Tile("5s"))).submit(Entry(chow))
    problem = next(one for one in said if isinstance(one, Problem))
    assert problem.code == "not_left_neighbour"
    assert problem.suggestions == ((Entry(replace(chow, ready=True)),),)


class TwoWinners(Payment):
    """Two may win on a discard: each is paid one point by its discarder."""

    rows = ()

    def winners(self, state: State) -> Winners:
        return Winners(2)

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        deltas = [0, 0, 0, 0]
        for won in wins:
            deltas[won.seat] += 1
            deltas[won.from_seat] -= 1
        return Payout(
            None, tuple(deltas), state.points, tuple(Item("each", 1, "points") for _ in wins)
        )


def two_winners(*wins: Win) -> list[Announcement]:
    game = Game({"harbin-hlr": replace(HARBIN_HLR, payment=TwoWinners())})
    hand, sets = "123m 789m 46s 22s", ["555p"]
    other = {"2": "123p 789m 46s 99s", "3": "123m 789p 46s 77z"}
    ready = position(
        {"0": hand, **other}, {"0": sets, "2": ["888p"], "3": ["222p"]}, turn=1, ready=(0, 2, 3)
    )
    events: tuple[Event, ...] = (
        GameStart("harbin-hlr"),
        HandStart(),
        ready,
        Discard(1, Tile("5s")),
        *wins,
        HandEnd(),
    )
    return [said for event in events for said in game.submit(Entry(event))]


def test_several_winners_are_settled_at_the_end_of_the_hand() -> None:
    said = two_winners(Win(0, 1, Tile("5s")), Win(2, 1, Tile("5s")))
    payouts = [one for one in said if isinstance(one, Payout)]
    assert [payout.deltas for payout in payouts] == [(1, -2, 1, 0)]
    assert payouts[0].of == 6
    assert not [one for one in said if isinstance(one, Problem)]


def test_one_winner_too_many_is_outranked() -> None:
    said = two_winners(*(Win(seat, 1, Tile("5s")) for seat in (2, 3, 0)))
    problems = [one.code for one in said if isinstance(one, Problem)]
    assert problems == ["outranked"]
    assert [one.deltas for one in said if isinstance(one, Payout)] == [(0, -2, 1, 1)]


def test_stand_ins_make_sets_as_the_tile_that_they_stand_for() -> None:
    """As white dragons do in the place of a fortune tile (002)."""
    state = State(stand_ins={Tile("5z"): Tile("5m")})
    assert is_set(state, Chow(1, 0, Tile("4m"), (Tile("5z"), Tile("6m"))))
    assert is_set(state, Pung(1, 0, Tile("5z"), (Tile("5z"), Tile("5m"))))
    assert not is_set(State(), Chow(1, 0, Tile("4m"), (Tile("5z"), Tile("6m"))))
    table = start_hand(State(phase=Phase.BEFORE_HAND), HandStart(), 136, 13)
    table = replace(table, stand_ins=state.stand_ins, last_discard=LastDiscard(0, Tile("4m"), 1))
    chows = [
        one.own
        for one in claims_of(table, 1, Stock(table, 1, dict.fromkeys(map(Tile, KINDS), 4)))
        if isinstance(one, Chow)
    ]
    assert (Tile("5z"), Tile("6m")) in chows


def test_a_call_of_ready_that_a_claim_does_not_allow_is_forbidden_in_any_game() -> None:
    claims = ClaimRules(ready={Chow: None})
    pung = Pung(1, 0, Tile("5s"), (Tile("5s"), Tile("5s")), ready=True)
    for ended in (False, True):
        faults = claims.faults(State(), pung, ended=ended)
        assert [fault.code for fault in faults] == ["claim_forbidden"]
    assert claims.faults(State(), replace(pung, ready=False), ended=False) == ()


@pytest.mark.parametrize("ended", [False, True])
def test_in_harbin_such_a_pung_stands_as_an_ordinary_one(ended: bool) -> None:
    rules = RULE_SETS["harbin-treasure"]
    state = State(options=rules.all_options())
    pung = Pung(1, 0, Tile("5s"), (Tile("5s"), Tile("5s")), ready=True)
    codes = [fault.code for fault in rules.claims.faults(state, pung, ended=ended)]
    assert codes == ["no_pung_ready", *["claim_forbidden"] * ended]


def test_what_a_seat_still_had_to_do_is_a_fault_of_the_end_of_the_hand() -> None:
    game = Game()
    situation = Position(turn=1, wall_left=15, ready=(2,))
    for event in (GameStart("riichi"), HandStart(), situation, Discard(1, Tile("1z"))):
        game.submit(event)
    game.submit(DrawnHand("exhausted"))
    rules = RULE_SETS["riichi"]
    told = [(fault.code, fault.seat) for fault in rules.faults(game.state, HandEnd())]
    assert told == [("riichi_not_shown", 2)]
    (problem, *_) = game.submit(HandEnd())
    assert isinstance(problem, Problem)
    assert (problem.code, problem.seat) == ("riichi_not_shown", 2)
