"""A hand that is joined after somebody has won and left it, as in Sichuan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from engine.announce import Announcement, HandResult, Payout, Problem, Turn
from engine.codec import entry_to_json, read_lines, write_record
from engine.events import (
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    GameStart,
    HandEnd,
    HandStart,
    Kong,
    Position,
    Reveal,
    Win,
)
from engine.game import Game
from engine.play import IN_PLAY
from engine.rules import RULE_SETS
from engine.state import Phase
from engine.texts.announcements import Speaker
from engine.texts.files import LANGUAGES
from engine.tiles import Tile, parse
from engine.visibility import events_seen

PAIRS = ("11p 22p", "33p 44p", "55p 66p", "77p 88p")
READY = tuple(parse(f"123m 456m 789m {pairs}") for pairs in PAIRS)
"""Of each seat: a hand that waits for the tiles of its pairs."""
WAITS = tuple(Tile(pairs[0] + "p") for pairs in PAIRS)
UNREADY = parse("147m 258p 1457s")


def joined(
    *events: Event, rules: str = "sichuan", dealer: int = 0
) -> tuple[Game, Sequence[Announcement]]:
    game = Game()
    start = (GameStart(rules), HandStart(dealer))
    return game, [one for event in (*start, *events) for one in game.submit(Entry(event))]


def problems(said: Sequence[Announcement]) -> list[str | None]:
    return [one.follows for one in said if isinstance(one, Problem)]


WON = [(seat,) for seat in range(4)] + list(combinations(range(4), 2))


@pytest.mark.parametrize("won", WON)
@pytest.mark.parametrize("begin", range(4))
def test_who_has_won_is_passed_over(won: tuple[int, ...], begin: int) -> None:
    if begin in won:
        return
    game, said = joined(Position(turn=begin, won=won))
    assert problems(said) == []
    order = [seat % 4 for seat in range(begin, begin + 4) if seat % 4 not in won] * 2
    for seat in order:
        assert game.state.turn == seat
        assert {event.seat for event in game.legal() if isinstance(event, Draw)} == {seat}
        said = game.submit(Entry(Discard(seat, Tile("9s" if seat % 2 else "9p"))))
        assert problems(said) == []
        assert [one.seat for one in said if isinstance(one, Turn)] == [game.state.turn]
        claimants = set(game.state.claimant_seats)
        assert claimants == set(range(4)) - set(won) - {seat}
    for seat in won:
        assert problems(game.submit(Entry(Discard(seat, Tile("1s"))))) == ["won_already"]


@pytest.mark.parametrize("won", WON)
def test_so_many_more_win_as_are_left(won: tuple[int, ...]) -> None:
    playing = [seat for seat in range(4) if seat not in won]
    hands = tuple(() if seat in won else READY[seat] for seat in range(4))
    turn = playing[0]
    game, _ = joined(Position(hands=hands, turn=turn, won=won, wall_left=30))
    hand_over = False
    for seat in playing[: 3 - len(won)]:
        assert not hand_over
        while game.state.turn != seat:
            game.submit(Entry(Draw(game.state.turn, Tile("9s"))))
            game.submit(Entry(Discard(game.state.turn, Tile("9s"))))
        game.submit(Entry(Draw(seat, WAITS[seat])))
        (paid,) = [
            one
            for one in game.submit(Entry(Win(seat, seat, WAITS[seat], READY[seat])))
            if isinstance(one, Payout)
        ]
        assert paid.deltas[seat] > 0
        assert all(paid.deltas[out] == 0 for out in won)
        hand_over = game.state.phase is Phase.SETTLED
    assert hand_over
    assert set(game.state.winners) == set(range(4)) - {playing[-1]}


def test_a_kong_and_the_checks_concern_only_who_plays() -> None:
    hands = ((), READY[1], (), ())
    game, _ = joined(Position(hands=hands, sets=((),) * 4, turn=2, won=(0, 3), wall_left=2))
    said: list[Announcement] = []
    for event in (
        Draw(2, Tile("9s")),
        Kong(2, "closed", Tile("9s")),
        Draw(2, Tile("8s")),
        Discard(2, Tile("8s")),
        DrawnHand("exhausted"),
    ):
        said = [*said, *game.submit(Entry(event))]
    assert problems(said) == []
    assert game.state.points == (0, -2, 2, 0)
    game.submit(Entry(Reveal(2, UNREADY)))
    assert {event.seat for event in game.legal() if isinstance(event, Reveal)} == {1}
    assert (game.state.points[0], game.state.points[3]) == (0, 0)
    assert game.state.points[1] > 0


def test_what_is_returned_for_kongs_before_the_record_is_not_known() -> None:
    sets = ((), (), (Kong(2, "closed", Tile("9s")),), ())
    game, _ = joined(
        Position(hands=((), READY[1], (), ()), sets=sets, turn=2, won=(0,), wall_left=0)
    )
    game.submit(Entry(DrawnHand("exhausted")))
    (paid,) = [one for one in game.submit(Entry(Reveal(2, UNREADY))) if isinstance(one, Payout)]
    assert "refund_unknown" in [item.name for item in paid.items]


def test_the_wall_is_not_counted_where_the_winning_tile_may_lie_anywhere() -> None:
    rivers: tuple[tuple[Discard, ...], ...] = ((),) * 4
    game, _ = joined(Position(sets=((),) * 4, rivers=rivers, turn=1, won=(0,)))
    assert not game.state.wall_counted
    said = game.submit(Entry(DrawnHand("exhausted")))
    assert problems(said) == []


# --- who deals next ---


def test_the_only_one_who_had_won_deals_next() -> None:
    game, _ = joined(Position(turn=1, won=(2,), wall_left=0))
    game.submit(Entry(DrawnHand("exhausted")))
    (result,) = [one for one in game.submit(Entry(HandEnd())) if isinstance(one, HandResult)]
    assert result.dealer == 2
    assert problems(game.submit(Entry(HandStart()))) == []
    assert game.state.dealer == 2


@pytest.mark.parametrize(("dealer", "staying"), [(2, 1), (3, 2)])
def test_who_of_two_was_first_nobody_knows(dealer: int, staying: int) -> None:
    game, _ = joined(Position(turn=1, won=(2, 3), wall_left=0), dealer=3)
    game.submit(Entry(DrawnHand("exhausted")))
    (result,) = [one for one in game.submit(Entry(HandEnd())) if isinstance(one, HandResult)]
    assert result.dealer is None
    for lang in LANGUAGES:
        assert Speaker(lang, ("A", "B", "C", "D"), None, "sichuan").sentence(result)
    for start in (HandStart(), HandStart(0)):
        (problem,) = [one for one in game.submit(Entry(start)) if isinstance(one, Problem)]
        assert (problem.follows, problem.impossible) == ("dealer_unknown", True)
        assert [way[0].event for way in problem.suggestions] == [HandStart(2), HandStart(3)]
    starts = [event for event in game.legal() if isinstance(event, HandStart)]
    assert starts == [HandStart(2), HandStart(3)]
    assert problems(game.submit(Entry(HandStart(dealer)))) == []
    assert (game.state.dealer, game.state.staying) == (dealer, staying)


# --- what is refused, and what a record says ---


def refused() -> Iterator[tuple[str, Position, str]]:
    for rules in RULE_SETS:
        if RULE_SETS[rules].payment.wins_to_end == 1:
            yield rules, Position(won=(1,)), "win_ends_hand"
    for won in ((0, 1, 2), (0, 1, 2, 3), (1, 1), (1, 5)):
        yield "sichuan", Position(turn=3, won=won), "wrong_winners"
    yield "sichuan", Position(turn=3, won=(3,)), "wrong_winners"


@pytest.mark.parametrize(("rules", "position", "follows"), list(refused()))
def test_who_cannot_have_won_is_refused_in_one_line(
    rules: str, position: Position, follows: str
) -> None:
    game, said = joined(position, rules=rules)
    (problem,) = [one for one in said if isinstance(one, Problem)]
    assert (problem.follows, problem.impossible) == (follows, True)
    assert game.state.joined is None
    for lang in LANGUAGES:
        assert "{" not in Speaker(lang, ("A", "B", "C", "D"), None, rules).sentence(problem)


def test_a_seat_that_does_not_exist_is_named_with_its_place() -> None:
    (wrong,) = read_lines('{"type": "position", "won": [4]}\n')
    assert "won[0]" in str(wrong)
    assert "\n" not in str(wrong)


def test_a_record_says_who_has_won_and_older_ones_open_as_before() -> None:
    told = Entry(Position(turn=1, won=(2, 3)))
    assert entry_to_json(told)["won"] == [2, 3]
    assert list(read_lines(write_record([told]))) == [told]
    (older,) = read_lines('{"type": "position", "turn": 1}\n')
    assert older == Entry(Position(turn=1))
    assert "won" not in entry_to_json(Entry(Position(turn=1)))


def test_a_winners_hand_lies_open_and_no_other() -> None:
    game, said = joined(Position(hands=(READY[0], READY[1], (), ()), turn=2, won=(0,)))
    assert [shown.entry.event for shown in events_seen(game)][2] == Position(
        hands=(READY[0], (Tile("?"),) * 13, (), ()), turn=2, won=(0,)
    )
    assert [getattr(one, "seat", None) for one in said if type(one).__name__ == "Ready"] == [1]
    hidden, _ = joined(Position(hands=(READY[0], (), (), ()), turn=2, won=(0,)), rules="riichi")
    shown = events_seen(hidden)[-1].entry.event
    assert not isinstance(shown, Position) or not any(
        tile.known for tile in (shown.hands or ((),))[0]
    )
    assert game.state.phase in IN_PLAY
