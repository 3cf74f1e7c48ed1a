"""Who has won plays on in ``sichuan-xueliu``: where the tiles are, and what a record may tell."""

from __future__ import annotations

import pytest

from engine.announce import HandResult, Payout, Problem
from engine.events import (
    Deal,
    Discard,
    Draw,
    DrawnHand,
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
from engine.evolve import evolve
from engine.game import Game, replay
from engine.state import Phase
from engine.tile_counts import copies_named, seen_by
from engine.tiles import UNKNOWN, Tile, parse
from engine.visibility import concealed, events_seen
from service.report.public import melds_of, public_table
from tests.support.cases import position

HANDS = {"0": "123m 456m 46s 99s", "2": "123p 456p 46s 22s"}
SETS = {"0": ["777m"], "2": ["999p"]}
TABLE = position(HANDS, SETS, turn=1)
FIVE = Tile("5s")


def told(*events: Event, table: Position = TABLE, options: dict[str, object] | None = None) -> Game:
    start = (GameStart("sichuan-xueliu", options=options or {}), HandStart(), table)
    return replay([Entry(event) for event in (*start, *events)])


def paid(game: Game) -> list[tuple[int, ...]]:
    said = [one for event in game.played for one in event.announcements]
    return [one.deltas for one in said if type(one) is Payout]


def test_a_tile_that_two_have_won_with_exists_once() -> None:
    state = told(Discard(1, FIVE), Win(2, 1, FIVE), Win(0, 1, FIVE)).state
    assert [player.won for player in state.players] == [(FIVE,), (), (FIVE,), ()]
    assert copies_named(state)[FIVE] == 1
    assert seen_by(state, 1)[FIVE] == 1
    assert (state.phase, state.turn, state.retired) == (Phase.TO_DRAW, 1, ())


def test_the_hand_that_won_waits_on_for_the_same_tiles() -> None:
    game = told(Discard(1, FIVE), Win(0, 1, FIVE))
    player = game.state.players[0]
    assert (len(player.hand), player.ready) == (10, True)
    assert game.rules is not None
    assert [wait.tile for wait in game.rules.waits(game.state, 0) or ()] == [FIVE]


def test_an_equal_win_is_paid_once_more() -> None:
    again = (Discard(1, FIVE), Win(0, 1, FIVE))
    rest = (Discard(seat, Tile(f"{seat}p")) for seat in (2, 3))
    game = told(*again, Discard(1, Tile("1p")), *rest, Discard(0, Tile("8p")), *again)
    assert paid(game) == [(1, -1, 0, 0), (1, -1, 0, 0)]
    assert game.state.points == (2, -2, 0, 0)


def test_an_equal_win_that_is_refused_leaves_the_first_in_its_place() -> None:
    again = (Discard(1, FIVE), Win(0, 1, FIVE))
    rest = (Discard(seat, Tile(f"{seat}p")) for seat in (2, 3))
    kong = Kong(1, "closed", Tile("8m"))
    before: tuple[Event, ...] = (Draw(1, Tile("1p")), Discard(1, Tile("1p")))
    turn: tuple[Event, ...] = (*before, *rest, Discard(0, Tile("8p")))
    game = told(kong, *again, *turn, Foul(0, "dead_hand"), *again)
    history = game.state.history
    assert [type(history.entries[place][1].event) for place in history.refused] == [Win]
    first = next(at for at, (_, one) in enumerate(history.entries) if one.event == again[1])
    assert history.places_of(game.state.wins) == [first]
    assert paid(game)[-1] == (0, 0, 0, 0)
    assert game.state.points == (0, 4, -2, -2)  # the first followed the discard after a kong


def test_the_page_shows_the_tile_beside_the_sets() -> None:
    state = told(Discard(1, FIVE), Win(0, 1, FIVE)).state
    shown = [(meld["kind"], meld["tiles"]) for meld in melds_of(state.players[0])]
    assert shown == [("pung", ["7m", "7m", "7m"]), ("flower", ["5s"])]


def test_nothing_but_the_tile_just_drawn_may_be_discarded() -> None:
    game = told(
        *(Discard(1, FIVE), Win(0, 1, FIVE), Discard(1, Tile("1p")), Discard(2, Tile("1p"))),
        *(Discard(3, Tile("1p")), Draw(0, Tile("7m"))),
    )
    regular = [event for event in game.legal() if not isinstance(event, Win)]
    assert regular == [
        Kong(0, "added", Tile("7m"), 3, (Tile("7m"),)),
        Discard(0, Tile("7m"), drawn=True),
    ]


def test_who_had_won_when_the_record_began_plays_on_with_a_fixed_hand() -> None:
    game = told(Discard(1, FIVE), Win(0, 1, FIVE), table=evolve(TABLE, won=(0,), turn=1))
    state = game.state
    assert (state.winners, state.retired, state.won_before) == ((0,), (), (0,))
    assert state.players[0].won == (UNKNOWN, FIVE)
    assert paid(game) == [(1, -1, 0, 0)]
    passed = (Discard(seat, Tile("1p")) for seat in (1, 2, 3))
    lines = [event.event.entry.event for event in game.played]
    fixed = replay([*lines, *passed, Draw(0, Tile("8p")), Discard(0, Tile("1m"))])
    (problem,) = (one for one in fixed.played[-1].announcements if type(one) is Problem)
    assert (problem.code, problem.impossible) == ("ready_hand_fixed", False)
    assert not told(table=evolve(TABLE, won=(0,), wall_left=None)).state.wall_counted


def test_a_win_from_before_the_record_stays_where_a_later_one_is_refused() -> None:
    hidden = evolve(HIDDEN, won=(0,))
    game = told(Draw(1, FIVE), Discard(1, FIVE), Win(0, 1, FIVE), table=hidden)
    lines = [event.event.entry.event for event in game.played]
    shown = replay([*lines, DrawnHand("exhausted"), SHOWN])
    assert (shown.state.winners, shown.state.wins) == ((0,), ())
    assert (shown.state.players[0].won, shown.state.players[0].ready) == ((UNKNOWN,), True)


def test_the_first_winner_deals_next_though_nobody_saw_the_win() -> None:
    game = told(DrawnHand("exhausted"), HandEnd(), table=evolve(TABLE, won=(2,)))
    (result,) = (one for one in game.played[-1].announcements if type(one) is HandResult)
    assert result.dealer == 2


def test_nobody_is_named_twice_as_having_won_before() -> None:
    game = told(table=evolve(TABLE, won=(0, 0)))
    (problem,) = game.played[-1].announcements
    assert isinstance(problem, Problem)
    assert (problem.code, problem.impossible) == ("contradicts", True)


def test_the_tile_just_drawn_lies_open_to_nobody_else() -> None:
    shown = Win(0, 1, FIVE, hand=parse("123456m 46s 99s"))
    passed = (Discard(seat, Tile("1p")) for seat in (1, 2, 3))
    game = told(Discard(1, FIVE), shown, *passed, Draw(0, Tile("8p")))
    state = game.state
    assert game.rules is not None
    view = public_table(state, ("",) * 4)["players"][0]
    assert view["hand"] == [*map(str, parse("123456m 46s 99s")), "?"]
    assert (view["shown"], view["drawn"]) == (True, None)
    assert [seen_by(state, seat)[Tile("8p")] for seat in (0, 1, None)] == [1, 0, 0]
    assert Tile("8p") not in concealed(state, game.rules, 2).players[0].hand
    assert [wait.left for wait in game.rules.waits(state, 0) or ()] == [3]


def test_one_seat_that_wins_twice_is_not_two_winners_on_one_tile() -> None:
    feeder: dict[str, object] = {"dealer_after_two": "feeder"}
    win: tuple[Event, ...] = (Discard(1, FIVE), Win(0, 1, FIVE))
    rest = [Discard(seat, Tile("1p")) for seat in (2, 3)]
    twice: tuple[Event, ...] = (*win, Discard(1, Tile("1p")), *rest, Discard(0, Tile("8p")), *win)
    both = (*win, Win(2, 1, FIVE))
    cases: list[tuple[tuple[Event, ...], int]] = [(twice, 0), (both, 1)]
    for events, dealer in cases:
        ended = told(*events, DrawnHand("exhausted"), HandEnd(), options=feeder)
        (result,) = [one for one in ended.played[-1].announcements if type(one) is HandResult]
        assert result.dealer == dealer


HIDDEN = position({}, SETS, turn=1, wall=1)
SHOWN = Reveal(0, parse("123456m 7s 999s"))


def test_a_win_refused_late_leaves_the_others_as_they_are() -> None:
    good = Win(2, 1, FIVE, hand=parse("123456p 46s 22s"))
    pig = Reveal(1, parse("158m 223467p 1238s"))
    wins = (Draw(1, FIVE), Discard(1, FIVE), good, Win(0, 1, FIVE))
    game = told(*wins, DrawnHand("exhausted"), SHOWN, pig, table=HIDDEN)
    assert game.state.wins == (good,)
    assert [player.won for player in game.state.players] == [(), (), (FIVE,), ()]
    assert game.state.points == (64, -193, 65, 64)


def test_a_seat_stays_a_winner_by_another_win() -> None:
    eight = Tile("8s")
    first = (Discard(1, FIVE), Win(0, 1, FIVE), Discard(1, eight), Win(0, 1, eight))
    table = position({}, SETS, turn=1, wall=3)
    game = told(*first, Discard(1, Tile("1p")), DrawnHand("exhausted"), table=table)
    shown = replay([*(event.event.entry for event in game.played), Entry(SHOWN)])
    assert (shown.state.winners, shown.state.players[0].won) == ((0,), (eight,))
    assert shown.state.points == (1, -1, 0, 0)


def test_a_winner_with_a_hidden_hand_is_asked_for_it_at_the_end() -> None:
    wins = (Draw(1, FIVE), Discard(1, FIVE), Win(0, 1, FIVE))
    game = told(*wins, DrawnHand("exhausted"), table=HIDDEN)
    assert {event.seat for event in game.legal() if isinstance(event, Reveal)} == {0, 1, 2, 3}


def test_the_dealer_is_told_the_win_that_leaves_most_waits() -> None:
    start = (GameStart("sichuan-xueliu"), HandStart(), Deal(0, parse("111345m 567678s 99s")))
    game = replay([Entry(event) for event in start])
    assert game.rules is not None
    left = {}
    for win in game.legal():
        if isinstance(win, Win):
            state = replay([Entry(event) for event in (*start, win)]).state
            left[win] = sum(wait.left for wait in game.rules.waits(state, 0) or ())
    told = game.rules.hint(game.state, 0).win
    assert told is not None
    assert left[told] == max(left.values()) > left[Win(0, 0, Tile("1m"))]


HELD = parse("123456789m 555p 6p")
HIDDEN_ROW = ((), (), ())
EMPTY = ((),) * 4


def joined(hand: str, *events: Event, turn: int = 0, rules: str = "sichuan-xueliu") -> Game:
    """A record that begins when seat 0 has won with this hand."""
    table = Position(
        hands=(parse(hand), *HIDDEN_ROW), turn=turn, won=(0,), sets=EMPTY, rivers=EMPTY
    )
    return replay([Entry(event) for event in (GameStart(rules), HandStart(), table, *events)])


def follows(game: Game) -> list[str | None]:
    said = (one for event in game.played for one in event.announcements)
    return [one.follows for one in said if isinstance(one, Problem)]


@pytest.mark.parametrize("hand", ["123456789m 555p 6p 7p", "?" * 14])
def test_what_a_winner_drew_before_the_record_began_is_no_part_of_the_hand_that_lies_open(
    hand: str,
) -> None:
    game = joined(hand)
    assert follows(game) == ["wrong_tile_count"]
    assert not game.state.open_hand(0)
    assert "7p" not in str([seen.entry for seen in events_seen(game)])


def test_what_a_winner_draws_is_its_own_affair_from_the_first_turn_of_the_record_on() -> None:
    game = joined("123456789m 555p 6p", Draw(0, Tile("7p")))
    assert game.rules is not None
    assert follows(game) == []
    assert game.state.open_hand(0) == HELD
    assert concealed(game.state, game.rules).players[0].hand == (*HELD, UNKNOWN)
    assert [event for event in game.legal() if isinstance(event, Discard)] == [
        Discard(0, Tile("7p"), drawn=True)
    ]


def test_a_hand_that_has_won_and_claimed_by_mistake_discards_what_leaves_it_waiting() -> None:
    nine = Tile("9s")
    mistake = (Discard(1, FIVE), Win(0, 1, FIVE), Discard(1, nine), Pung(0, 1, nine, (nine, nine)))
    game = told(*mistake)
    assert {event.tile for event in game.legal() if isinstance(event, Discard)} == {
        Tile("4s"),
        Tile("6s"),
    }
    lines = [event.event.entry.event for event in game.played]
    broken = replay([*lines, Discard(0, Tile("1m"))])
    assert [one.code for one in broken.played[-1].announcements if isinstance(one, Problem)] == [
        "ready_hand_fixed"
    ]


def test_what_such_a_hand_discards_unread_is_no_fault_for_all_that_is_known() -> None:
    nine = Tile("9s")
    mistake = (Discard(1, FIVE), Win(0, 1, FIVE), Discard(1, nine), Pung(0, 1, nine, (nine, nine)))
    game = told(*mistake)
    said = game.submit(Discard(0, UNKNOWN))
    assert [one for one in said if isinstance(one, Problem)] == []
    assert game.state.players[0].river[-1].tile == UNKNOWN


@pytest.mark.parametrize("won", [None, (), (0,)])
def test_a_win_whose_tile_nobody_saw_takes_no_more_from_the_count_than_it_did(
    won: tuple[int, ...] | None,
) -> None:
    table = Position(turn=1, sets=EMPTY, rivers=EMPTY, won=won)
    unseen = (Draw(1, UNKNOWN), Win(1, 1, UNKNOWN), DrawnHand("exhausted"))
    game = told(*unseen, table=table)
    assert game.state.wall_left == (54 if won else 55)
    # Where a seat had won before, nobody knows whether its winning tile lies apart.
    assert follows(game) == ([] if won else ["play_on"])


def test_the_tile_that_a_seat_has_won_with_is_no_part_of_the_wall() -> None:
    table = Position(turn=1, sets=EMPTY, rivers=EMPTY)
    left = [told(table=evolve(table, won=won)).state.wall_left for won in (None, (0,), (2, 3))]
    assert left == [56, 55, 54]


@pytest.mark.parametrize("rules", ["sichuan", "sichuan-xueliu"])
@pytest.mark.parametrize("hand", ["?" * 13, "123456789m 555p ?"])
def test_a_winners_hand_of_which_a_tile_is_not_told_lies_open_to_nobody(
    hand: str, rules: str
) -> None:
    game = joined(hand, turn=1, rules=rules)
    assert follows(game) == []
    assert not game.state.players[0].shown
    assert "1m" not in str([seen.entry for seen in events_seen(game)])
    lines = [event.event.entry.event for event in game.played]
    over = replay([*lines, DrawnHand("exhausted")])
    asked = Reveal(0, (UNKNOWN,) * 13) in over.legal()
    assert asked == (rules == "sichuan-xueliu")


@pytest.mark.parametrize(
    ("rules", "hand", "problem"),
    [
        ("sichuan-xueliu", "147m 258p 369s 1199m", "no_winning_hand"),
        ("sichuan-xueliu", "123m 456p 789s 55p 66p", "no_winning_hand"),  # three suits
        ("sichuan-xueliu", "123456789m 555p 6p", None),
        ("sichuan-xueliu", "1122334455667m", None),
        ("sichuan", "147m 258p 369s 1199m", "no_winning_hand"),
        ("sichuan", "123456789m 555p 6p 9p", "no_winning_hand"),
        ("sichuan", "123456789m 555p 6p 6p", None),
        ("sichuan", "123456789m 555p 6p", None),
    ],
)
def test_a_hand_that_cannot_have_won_is_refused(rules: str, hand: str, problem: str | None) -> None:
    assert follows(joined(hand, turn=1, rules=rules)) == ([problem] if problem else [])
