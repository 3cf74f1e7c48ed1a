"""A game told otherwise is the same game: from other seats, in other suits, in another order.

Nothing changes but what is named by seat and suit. Counters and deposits go to the winner nearest
to the discarder (004, 3.4.4), which is a matter of seats and not of the order of the lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby, permutations
from random import Random
from typing import Final

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from engine.announce import Payout, Problem
from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    Entry,
    Event,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Win,
)
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.tiles import Tile, parse
from tests.support.events_of_all_kinds import options
from tests.support.properties import seeds, some
from tests.support.random_games import hidden, played, shown
from tests.support.retold import (
    AS_IT_WAS,
    TableNow,
    Telling,
    in_any_order,
    said,
    table_now,
    tiles_mixed,
)
from tests.support.won_together import EASY, table

few = settings(max_examples=-(-some.max_examples // 3), phases=[Phase.generate])
"""For properties of every preset. A seed has no simpler one to shrink to."""
SEVERAL: Final = ("all", "two", "nearest")
"""Riichi: how many may win on one discard."""
of_every_preset = pytest.mark.parametrize("rules", RULE_SETS)
ALL_SUITS: Final = tuple(permutations("mps"))
NOT_BAMBOOS: Final = tuple(suits for suits in ALL_SUITS if suits[2] == "s")
"""Where green tiles are a hand of their own (ryuuiisou of riichi)."""
AS_THEY_ARE: Final = (("m", "p", "s"),)


def exchangeable(rules: str, options: Mapping[str, object]) -> Sequence[tuple[str, ...]]:
    """What m, p and s may become under these rules.

    Not so where patterns name a suit: green tiles in riichi; jade, ruby and pearl dragon in the
    older table of Hong Kong. Of four red fives two are dots.
    """
    if rules.startswith("riichi"):
        return AS_THEY_ARE if options["red_fives"] == 4 else NOT_BAMBOOS
    return AS_THEY_ARE if options.get("hand_table") == "wiki" else ALL_SUITS


def assert_same(game: Game, telling: Telling, lines: Sequence[Entry]) -> None:
    other = replay(lines)
    assert said(game, telling) == said(other)
    assert in_any_order(telling(table_now(game))) == in_any_order(table_now(other))
    legal = sorted(repr(in_any_order(telling(move))) for move in game.legal())
    assert legal == sorted(repr(in_any_order(move)) for move in other.legal())


def cut(rules: str, seed: int, data: st.DataObject) -> Game:
    """A game that is played, to its end or to somewhere in it, with its first dealer named."""
    house = data.draw(st.just({}) | options(rules))
    start, *rest = played(rules, seed, hands=1 + bool(house), options=house).entries
    assert isinstance(start.event, GameStart)
    lines = [Entry(replace(start.event, first_dealer=0)), *rest]
    return replay(lines[: data.draw(st.sampled_from((len(lines), 20, 40, 60)))])


@of_every_preset
@given(seed=seeds, data=st.data(), turned=st.integers(1, 3))
@few
def test_from_other_seats_the_same_happens_there(
    rules: str, seed: int, data: st.DataObject, turned: int
) -> None:
    game, telling = cut(rules, seed, data), Telling(turned)
    assert_same(game, telling, [telling(line) for line in game.entries])


@of_every_preset
@given(seed=seeds, data=st.data())
@few
def test_in_other_suits_the_same_happens(rules: str, seed: int, data: st.DataObject) -> None:
    game = cut(rules, seed, data)
    suits = data.draw(st.sampled_from(exchangeable(rules, game.state.options)))
    telling = Telling(suits=dict(zip("mps", suits, strict=True)))
    assert_same(game, telling, [telling(line) for line in game.entries])


@of_every_preset
@given(seed=seeds, data=st.data(), mix=seeds)
@few
def test_the_order_of_the_tiles_in_a_line_changes_nothing(
    rules: str, seed: int, data: st.DataObject, mix: int
) -> None:
    game, random = cut(rules, seed, data), Random(mix)
    lines = [tiles_mixed(line, random) for line in shown(game)]
    assert_same(replay(shown(game)), AS_IT_WAS, lines)


# --- several winners ---

Outcome = tuple[TableNow, list[int], list[tuple[str, int | None]]]
"""The table, what each seat was paid, and what was wrong."""


def outcome(lines: Sequence[Entry]) -> Outcome:
    """What the hand came to and paid in all; who was told what first is no part of it."""
    game = replay(lines)
    paid = [said.deltas for said in game.announcements() if isinstance(said, Payout)]
    wrong = [(one.code, one.seat) for one in game.announcements() if isinstance(one, Problem)]
    return table_now(game), [sum(each) for each in zip(*paid, strict=True)], sorted(wrong)


@of_every_preset
@given(seed=st.integers(0, 10_000), robbed=st.booleans(), several=st.sampled_from(SEVERAL))
@few
def test_the_order_in_which_equal_wins_are_written_changes_nothing(
    rules: str, seed: int, robbed: bool, several: str
) -> None:
    house: dict[str, object] = dict(EASY.get(rules, {}))
    if rules.startswith("riichi"):
        house["multiple_ron"] = several
    lines, wins = table(rules, Random(seed), house, robbed=robbed)
    for after in ([], [Entry(HandEnd())]):
        outcomes = [outcome([*lines, *map(Entry, order), *after]) for order in permutations(wins)]
        assert all(each == outcomes[0] for each in outcomes)


@of_every_preset
@given(seed=st.integers(0, 10_000), robbed=st.booleans(), shows=st.booleans())
@few
def test_a_win_that_is_none_counts_the_same_wherever_it_is_written(
    rules: str, seed: int, robbed: bool, shows: bool
) -> None:
    lines, wins = table(rules, Random(seed), EASY.get(rules, {}), robbed=robbed)
    assume(wins)
    false, *others = wins
    lines = [spoiled(line, false.seat) for line in lines]
    players = replay(lines).state.players
    called = [
        Entry(replace(win, hand=players[win.seat].hand if shows else None))
        for win in (*others, false)
    ]
    outcomes = [outcome([*lines, *order, Entry(HandEnd())]) for order in permutations(called)]
    assert outcomes[0][2], "a win was refused"
    # What lies open of a hand counts in its course only (003, Penalty Tiles).
    finals = [(replace(now, kept=None), paid, wrong) for now, paid, wrong in outcomes]
    assert all(each == finals[0] for each in finals)


def spoiled(line: Entry, seat: int) -> Entry:
    """The position with two tiles in this hand that fit nothing."""
    if not isinstance(line.event, Position) or line.event.hands is None:
        return line
    hands = list(line.event.hands)
    dealt = Counter(tile for hand in hands for tile in hand)
    strange = [tile for tile in map(Tile, ("1m", "9m", "1p", "9p", "1s", "9s")) if not dealt[tile]]
    assume(len(strange) > 1)
    hands[seat] = (*strange[:2], *hands[seat][2:])
    return replace(line, event=replace(line.event, hands=tuple(hands)))


@of_every_preset
def test_the_tables_above_have_several_winners_on_discards_and_robbed_kongs(rules: str) -> None:
    for robbed in (False, True):
        tables = (
            table(rules, Random(seed), EASY.get(rules, {}), robbed=robbed)[1] for seed in range(40)
        )
        assert any(len(wins) == 3 for wins in tables)


def test_both_who_rob_a_kong_are_paid_for_robbing_it() -> None:
    lines, wins = two_rob()
    for order in permutations(wins):
        game = replay([*lines, *order])
        assert game.state.points == (0, 2, 2, -4)


def two_rob() -> tuple[list[Event], list[Win]]:
    six = Tile("6p")
    lines: list[Event] = [
        GameStart("sichuan"),
        HandStart(0),
        Deal(1, parse("123m 456m 789p 11p 45p")),
        Deal(2, parse("123m 456m 789p 22p 57p")),
        Discard(0, six),
        Pung(3, 0, six, (six, six)),
        Discard(3, Tile("1s")),
        *(
            event
            for seat, tile in enumerate(("2s", "9s", "8s"))
            for event in (Draw(seat, Tile(tile)), Discard(seat, Tile(tile)))
        ),
        Draw(3, six),
        Kong(3, "added", six),
    ]
    return lines, [Win(1, 3, six), Win(2, 3, six)]


# --- who comes first where the order means nothing ---


def in_other_turns(lines: Sequence[Entry], random: Random) -> list[Entry]:
    """The lines with each run of deals, and each of shown hands, in another order."""
    runs = [list(run) for _, run in groupby(lines, key=lambda line: type(line.event).__name__)]
    for run in runs:
        if isinstance(run[0].event, Deal | Reveal):
            random.shuffle(run)
    return [line for run in runs for line in run]


@of_every_preset
@given(seed=seeds, data=st.data(), mix=seeds)
@few
def test_who_is_dealt_and_who_shows_first_changes_nothing(
    rules: str, seed: int, data: st.DataObject, mix: int
) -> None:
    lines = shown(cut(rules, seed, data))
    lines = hidden(lines, data.draw(st.sampled_from(((), (1, 2), (0, 1, 2, 3)))), draws=True)
    assert outcome(in_other_turns(lines, Random(mix))) == outcome(lines)


@of_every_preset
@given(claims=st.permutations(("chow", "pung", "kong")), feeder=st.integers(0, 3))
@few
def test_the_order_in_which_claims_are_written_changes_nothing(
    rules: str, claims: Sequence[str], feeder: int
) -> None:
    tile = Tile("6s")
    made: dict[str, Event] = {
        "chow": Chow((feeder + 1) % 4, feeder, tile, (Tile("7s"), Tile("8s"))),
        "pung": Pung((feeder + 2) % 4, feeder, tile, (tile, tile)),
        "kong": Kong((feeder + 3) % 4, "open", tile, feeder),
    }
    fortune = (Indicator(Tile("1z"), "fortune"),) if rules == "hangzhou" else None
    position = Position(wall_left=40, turn=feeder, indicators=fortune)
    start: list[Event] = [GameStart(rules), HandStart(), position, Discard(feeder, tile)]
    for kinds in (claims[:2], claims):
        orders = [
            order
            for order in permutations(kinds)
            # 003, Precedence of Claims: a pung comes too late once a chow is displayed.
            if rules != "wsom" or order[0] != "chow"
        ]
        lines = [[Entry(made[kind]) for kind in order] for order in orders]
        outcomes = [outcome([*map(Entry, start), *claimed])[0] for claimed in lines]
        assert all(each == outcomes[0] for each in outcomes)


@of_every_preset
@pytest.mark.parametrize("turned", [1, 2, 3])
def test_level_places_from_other_seats_get_the_same(rules: str, turned: int) -> None:
    start = GameStart(rules, {}, None, (100, 100, 100, 40), 0)
    events: list[Event] = [start, HandStart(deposits=1), GameEnd()]
    lines = [Entry(event) for event in events]
    telling = Telling(turned)
    assert_same(replay(lines), telling, [telling(line) for line in lines])
