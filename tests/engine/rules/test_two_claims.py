"""Two claims of one tile: what is taken does not hang on the order of the lines."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.announce import Announcement, Problem
from engine.events import (
    Chow,
    Claim,
    Dice,
    Discard,
    Draw,
    Entry,
    Event,
    Foul,
    GameStart,
    HandEnd,
    HandStart,
    Kong,
    Position,
    Pung,
    Reveal,
    Win,
)
from engine.game import Game, replay
from engine.rules.wsom.table_state import kept
from engine.tiles import Tile, parse

TILE = Tile("6s")
READY = parse("123p 456s 78s 22m")
FEEDER = 1


def table(*after: Event) -> Game:
    """Seats 0 and 2 are ready for the six of bamboos that seat 1 discards; seat 3 is hidden."""
    nine, dot = Tile("9m"), Tile("9p")
    position = Position(
        hands=(READY, (), parse("123p 345s 78s 33m"), ()),
        sets=((Pung(0, 3, nine, (nine, nine)),), (), (Pung(2, 3, dot, (dot, dot)),), ()),
        wall_left=40,
        turn=FEEDER,
        ready=(0, 2),
    )
    events: list[Event] = [GameStart("harbin-hlr"), HandStart(), position, Discard(FEEDER, TILE)]
    return replay(map(Entry, [*events, *after]))


def chow(seat: int, ready: bool = False) -> Chow:
    return Chow(seat, FEEDER, TILE, (Tile("7s"), Tile("8s")), ready)


def pung(seat: int, ready: bool = False) -> Pung:
    return Pung(seat, FEEDER, TILE, (TILE, TILE), ready)


WINS = [Win(0, FEEDER, TILE), Win(2, FEEDER, TILE)]
BEST_FIRST = [
    (WINS[1], WINS[0]),
    (WINS[0], pung(3)),
    (WINS[0], chow(3, ready=True)),
    (WINS[1], pung(3, ready=True)),
]


def played(*claims: Claim | Win) -> tuple[Game, list[Problem]]:
    game = table()
    said = [one for claim in claims for one in game.submit(Entry(claim))]
    return game, [one for one in said if isinstance(one, Problem)]


def taken(game: Game) -> object:
    state = game.state
    return state.players, state.turn, state.phase, state.points, state.winners


@pytest.mark.parametrize(("best", "other"), BEST_FIRST)
def test_the_better_claim_is_taken_in_either_order(best: Claim | Win, other: Claim | Win) -> None:
    right, said = played(best, other)
    assert [(one.code, one.seat, one.of) for one in said] == [("outranked", other.seat, 5)]
    turned, said = played(other, best)
    assert ("outranked", other.seat) in [(one.code, one.seat) for one in said]
    assert taken(right) == taken(turned)
    assert right.state.winners == (best.seat,)


def hidden_table() -> Game:
    """Nobody is ready and nothing is known, so every claim is possible."""
    position = Position(wall_left=40, turn=FEEDER)
    events: list[Event] = [GameStart("harbin-hlr"), HandStart(), position, Discard(FEEDER, TILE)]
    return replay(map(Entry, events))


def rank(claim: Claim) -> tuple[int, int]:
    """000, 4.4 as numbers: ready claims, then kong and pung, then the left neighbour's chow."""
    away = (claim.seat - FEEDER) % 4
    if not isinstance(claim, Kong) and claim.ready:
        return 3, -away
    if isinstance(claim, Chow):
        return (1 if away == 1 else 0), -away
    return 2, -away


def claims(seat: int) -> list[Claim]:
    return [
        chow(seat),
        chow(seat, ready=True),
        pung(seat),
        pung(seat, ready=True),
        Kong(seat, "open", TILE, FEEDER),
    ]


@given(st.permutations([2, 3, 0]), st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_of_three_claims_the_best_is_taken_in_every_order(
    seats: list[int], data: st.DataObject
) -> None:
    chosen = [data.draw(st.sampled_from(claims(seat))) for seat in seats]
    best = max(chosen, key=rank)
    asked = {claim.seat: claim for claim in chosen}
    assert hidden_table().ask(lambda seat, _: asked[seat]) == (best,)
    for order in permutations(chosen):
        game = hidden_table()
        said = [one for claim in order for one in game.submit(Entry(claim))]
        assert game.state.turn == best.seat
        flagged = [one for one in said if isinstance(one, Problem) and one.code == "outranked"]
        assert len(flagged) == 2
        assert all(
            len(player.melds) == (seat == best.seat)
            for seat, player in enumerate(game.state.players)
        )


@pytest.mark.parametrize(
    ("first", "second"),
    [pair for pair in product(claims(2), claims(3)) if rank(pair[0]) < rank(pair[1])],
)
def test_dice_between_the_lines_change_nothing(first: Claim, second: Claim) -> None:
    game = hidden_table()
    for event in (first, Dice((3, 3)), second):
        game.submit(Entry(event))
    assert game.state.turn == second.seat


def test_a_claim_after_the_discard_that_followed_the_first_is_too_late() -> None:
    game = hidden_table()
    for event in (chow(2), Discard(2, Tile("1m"))):
        game.submit(Entry(event))
    (problem,) = game.submit(Entry(pung(3)))
    assert isinstance(problem, Problem)
    assert (problem.code, problem.impossible) == ("nothing_to_claim", True)


@pytest.mark.parametrize(("best", "other"), BEST_FIRST)
def test_asked_seats_get_the_tile_as_in_a_record(best: Claim | Win, other: Claim | Win) -> None:
    def answer(seat: int, claims: tuple[Claim | Win, ...]) -> Claim | Win | None:
        return {best.seat: best, other.seat: other}.get(seat)

    assert table().ask(answer) == (best,)
    assert table().ask(lambda seat, claims: None) == ()


def test_all_who_may_win_get_the_tile_where_several_may() -> None:
    hands = ((), parse("123m 456p 789s 22z 46s"), parse("123m 456p 789s 33z 46s"), ())
    position = Position(hands, turn=0, ready=(1, 2))
    game = replay([GameStart("riichi"), HandStart(), position, Discard(0, Tile("5s"))])
    wins = game.ask(lambda seat, claims: claims[0] if seat != 3 else None)
    assert wins == (Win(1, 0, Tile("5s")), Win(2, 0, Tile("5s")))


def test_a_displaced_winner_keeps_nothing_and_deals_no_more() -> None:
    game, _ = played(*WINS)
    assert game.state.points == (-1, -3, 5, -1)
    game.submit(Entry(HandEnd()))
    assert game.state.dealer == 1


@pytest.mark.parametrize("seat", [0, FEEDER, 3])
def test_what_was_ruled_between_two_claims_stands_whichever_is_taken(seat: int) -> None:
    """Of the seat that loses the tile, of who discarded it, and of who has no part in it."""
    ruled = Foul(seat, "dead_hand")
    turned, right = table(pung(3), ruled, WINS[1]), table(ruled, WINS[1], pung(3))
    assert turned.state.winners == right.state.winners == (2,)
    for game in (turned, right):
        assert game.state.history.fouls == (ruled,)
        assert "dead_hand" in game.state.players[seat].irregular
    assert taken(turned) == taken(right)


@pytest.mark.parametrize("rules", ["hong-kong", "taiwan", "wsom"])
@pytest.mark.parametrize("again", [1, 2, 3])
def test_who_is_barred_after_a_false_win_takes_no_paid_win_away(rules: str, again: int) -> None:
    dot = Tile("5p")
    wrong = parse("123456789m 123p 456p 9s" if rules == "taiwan" else "123456789m 123p 9s")
    before: list[Event] = [GameStart(rules), HandStart(), Discard(0, dot)]
    paid, false = Win(2, 0, dot), Win(1, 0, dot, hand=wrong)
    game = replay(map(Entry, [*before, paid, false, *[Win(1, 0, dot)] * again]))
    assert game.state.wins == (paid,)
    codes = [one.code for one in game.played[-1].announcements if isinstance(one, Problem)]
    assert codes == [problem_at(game, 4)]  # as the false win, not "outranked"
    history = game.state.history
    assert [history.entries[place][1].event for place in sorted(history.refused)] == [
        false,
        *[Win(1, 0, dot)] * again,
    ]
    assert history.places_of(game.state.wins) == [2]


def problem_at(game: Game, place: int) -> str:
    (problem,) = (one for one in game.played[place].announcements if isinstance(one, Problem))
    return problem.code


@pytest.mark.parametrize("rules", ["hong-kong", "taiwan", "wsom"])
def test_a_win_that_takes_the_place_of_another_stands_as_the_only_one(rules: str) -> None:
    dot = Tile("5p")
    wins = (Win(2, 0, dot), Win(1, 0, dot))
    lines: list[Event] = [GameStart(rules), HandStart(), Discard(0, dot), *wins]
    game = replay(map(Entry, lines))
    history = game.state.history
    assert game.state.wins == wins[1:]
    assert history.refused == frozenset()
    (place,) = history.places_of(game.state.wins)
    assert place is not None
    assert history.entries[place][1].event == wins[1]


BETWEEN: list[Event] = [
    Win(2, 0, Tile("5p"), hand=parse("123456789m 123p 9s")),
    Foul(2, "exposed_tile", (Tile("9s"),)),
    Reveal(2, parse("123456789m 123p 9s")),
]


@pytest.mark.parametrize("between", BETWEEN, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("rules", ["hong-kong", "sichuan", "riichi", "wsom", "harbin-hlr"])
def test_what_came_after_a_claim_is_not_forgotten_with_it(rules: str, between: Event) -> None:
    dot = Tile("5p")
    last, best = Pung(3, 0, dot, (dot, dot)), Pung(1, 0, dot, (dot, dot))
    lines: list[Event] = [GameStart(rules), HandStart(), Discard(0, dot), last, between, best]
    game = replay(map(Entry, lines))
    state = game.state
    assert (state.turn, [len(player.melds) for player in state.players]) == (1, [0, 1, 0, 0])
    told = [entry.event for _, entry in state.history.entries]
    assert told == [event for event in lines[1:] if event is not last]
    refused = [told[place] for place in state.history.refused]
    assert refused == [event for event in [between] if isinstance(event, Win)]
    # People may end a hand over a refused win or a foul, and over nothing else.
    (*_, said) = game.submit(Entry(HandEnd()))
    assert isinstance(said, Problem) is isinstance(between, Reveal)


def test_tiles_that_were_exposed_after_a_claim_stay_penalty_tiles_without_it() -> None:
    dot, nine = Tile("5p"), Tile("9s")
    lines: list[Event] = [GameStart("wsom"), HandStart(), Discard(0, dot)]
    claims = (Pung(3, 0, dot, (dot, dot)), Pung(1, 0, dot, (dot, dot)))
    for foul_at in (0, 1):
        told: list[Event] = list(claims)
        told.insert(foul_at, Foul(2, "exposed_tile", (nine,)))
        game = replay(map(Entry, [*lines, *told]))
        assert kept(game.state).penalties[2].live == (nine,)
        assert game.state.players[2].exposed == (nine,)


@pytest.mark.parametrize("seats", [*permutations((1, 2, 3))])
def test_where_two_may_win_the_two_nearest_do_in_whatever_order(seats: tuple[int, ...]) -> None:
    dot = Tile("5p")
    lines: list[Event] = [GameStart("taiwan", {"most_winners": 2}), HandStart(), Discard(0, dot)]
    said: list[Announcement] = []
    game = replay(map(Entry, lines))
    for seat in seats:
        said += game.submit(Entry(Win(seat, 0, dot)))
    assert game.state.winners == (1, 2)
    assert [one.seat for one in said if isinstance(one, Problem)] == [3]
    history = game.state.history
    places = [place for place in history.places_of(game.state.wins) if place is not None]
    assert [history.entries[place][1].event for place in places] == list(game.state.wins)


@pytest.mark.parametrize("ends", [True, False])
def test_a_win_ruled_false_stands_no_more(ends: bool) -> None:
    dot = Tile("5p")
    win, options = Win(1, 0, dot), {"false_win_ends_hand": ends}
    lines: list[Event] = [GameStart("hangzhou", options), HandStart(), Discard(0, dot), win]
    game = replay(map(Entry, [*lines, Foul(1, "false_win")]))
    history = game.state.history
    assert game.state.wins == ()
    assert [history.entries[place][1].event for place in history.refused] == [win]
    own = [*lines[:2], Draw(0, Tile("?")), Win(0, 0, Tile("?")), Foul(0, "false_win")]
    assert len(replay(map(Entry, own)).state.history.refused) == 1
