"""Taiwanese mahjong: sixteen tiles in hand, five sets and a pair, patterns that count tai.

Where a pattern always comes with another one, the higher one alone counts (YANG). Left out are
calls of ready on the first discards, and four kongs of one hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine import hands
from engine.announce import Item
from engine.events import Flower, Seat, Win
from engine.evolve import evolve
from engine.hands import SETS_ONLY, GroupKind, HandForm
from engine.rules.arrangement import Arrangement, Finish, arrangements
from engine.rules.base import PageNeeds, RuleSet, option_number
from engine.rules.let_pass import let_pass
from engine.rules.pattern_game import (
    FourRounds,
    Options,
    Owed,
    PatternJudge,
    PatternPayment,
    Price,
    Scoring,
)
from engine.rules.pattern_library import LIBRARY, PatternCount, concealed, from_play
from engine.rules.patterns import Pattern, Worth, best_of, table_of, worth_of
from engine.rules.payment import Winners
from engine.rules.tables import options_of, read_tables, rulings_of
from engine.rules.teaching import ExampleHand, Teaching, open_pung
from engine.rules.verdict import How, Verdict, completing, not_held, refused
from engine.rules.wall import WITH_FLOWERS, Wall
from engine.state import Phase, State
from engine.tiles import WINDS, Tile

# --- wins by flowers alone: all eight, or seven when another lays the eighth (CLUB, Flowers) ---
# They are declared at once, whatever the hand holds, and nothing else counts.

EIGHT: Final = Pattern("9.1", "eight_flowers", 30, lambda hand: 0)
SEVEN: Final = Pattern("9.2", "flower_robbed", 20, lambda hand: 0)
ALL: Final = 8


def pattern_of(state: State, seat: Seat, giver: Seat) -> Pattern | None:
    """The pattern that a seat has by the flower that was laid just now; ``giver`` laid it."""
    last = state.history.entries[-1][1].event if state.history.entries else None
    if not state.options["flower_wins"] or not isinstance(last, Flower) or last.seat != giver:
        return None
    laid = [len(player.flowers) for player in state.players]
    if seat == giver:
        return EIGHT if laid[seat] == ALL else None
    return SEVEN if laid[seat] == ALL - 1 and sum(laid) == ALL else None


def won_by_flowers(state: State, win: Win) -> State | None:
    """The settled state after such a win; None where it is none."""
    if win.tile.suit != "f" or pattern_of(state, win.seat, win.from_seat) is None:
        return None
    return evolve(state, phase=Phase.SETTLED, winners=(win.seat,), wins=(win,), contested=None)


def worth_of_flowers(win: Win, most: int) -> Worth:
    pattern = EIGHT if win.seat == win.from_seat else SEVEN
    return Worth(((pattern.name, pattern.points),), pattern.points, min(pattern.points, most))


# --- the tables and the wall ---


TABLES: Final = read_tables(__package__)
WALL: Final = Wall(WITH_FLOWERS, hand_size=16, never_drawn=16)
"""WINDS, 2 and 3: a dead wall of sixteen tiles, which is filled up."""
SETS: Final = 5
NO_LIMIT: Final = 1 << 16
UNIT: Final = "tai"
FIRST_TURN: Final = ("first_discards_win", "first_draw_win", "heavenly_hand")
"""Of such hands nothing else counts that they always have."""


# --- patterns of this game ---


def _all_concealed(hand: Arrangement) -> bool:
    return concealed(SETS)(hand) > 0


def _at_once(hand: Arrangement) -> bool:
    return not hand.circumstances.isdisjoint(FIRST_TURN)


def _begging(hand: Arrangement) -> bool:
    return "all_sets_claimed" in hand.circumstances


def _drawn(hand: Arrangement) -> bool:
    return "self_pick" in hand.circumstances


def _two_sided_chows(hand: Arrangement) -> bool:
    """TMA: chows and a pair, no honours, no flowers, a wait at both sides, on a discard."""
    chows = LIBRARY["all_chows"](hand) and not hand.honors and not _drawn(hand)
    return bool(chows) and hand.circumstances >= {"no_flowers", "two_sided"}


def _any_flower(hand: Arrangement) -> int:
    return next((n for n in range(1, 9) if f"flowers:{n}" in hand.circumstances), 0)


def _any_wind(hand: Arrangement) -> int:
    winds = LIBRARY["little_winds"](hand) or LIBRARY["great_winds"](hand)
    return 0 if winds else sum(tile in WINDS for tile in hand.triplets)


OWN: Final[Mapping[str, PatternCount]] = {
    "self_pick": lambda hand: _drawn(hand) and not _at_once(hand),
    "no_claims": lambda hand: hand.closed and _drawn(hand) and not _at_once(hand),
    "concealed": lambda hand: hand.closed and not (_at_once(hand) or _all_concealed(hand)),
    "half_begging": lambda hand: _begging(hand) and _drawn(hand),
    "all_begging": lambda hand: _begging(hand) and not _drawn(hand),
    "single_wait": from_play("single_wait"),
    "two_sided_chows": _two_sided_chows,
    "replacement_win": from_play("replacement_win"),
    "half_flush": lambda hand: len(hand.suits) == 1 and hand.honors,
    "five_concealed_triplets": _all_concealed,
    "pungs_alone": lambda hand: (
        LIBRARY["all_pungs"](hand) and not _all_concealed(hand) and bool(hand.suits)
    ),
    "first_discards_win": from_play("first_discards_win"),
    "first_draw_win": from_play("first_draw_win"),
    "any_wind_pung": _any_wind,
    "any_flower": _any_flower,
}
PATTERNS: Final = table_of(TABLES["patterns"], OWN)
EVERY: Final = (
    *(one for one in PATTERNS if one.id not in ("3.1", "3.2") and not one.id.startswith("4.")),
    *table_of(TABLES["every"], OWN),
)


@lru_cache(maxsize=1 << 12)
def _best(finish: Finish, table: tuple[Pattern, ...], most: int) -> Worth | None:
    ways = (way for way in arrangements(finish) if way.form is HandForm.SETS)
    return best_of(worth_of(way, table, most) for way in ways)


def best_tai(finish: Finish, options: Options) -> Worth | None:
    table = EVERY if options["every_wind_and_flower"] else PATTERNS
    return _best(finish, table, option_number(options, "most_tai") or NO_LIMIT)


class TaiScoring(Scoring):
    """Adds what this game asks of the moment, of the wait and of the declared sets."""

    def luck_of(self, state: State, win: Win) -> frozenset[str]:
        luck = super().luck_of(state, win)
        replaced = not luck.isdisjoint({"win_on_kong", "after_flower"})
        return luck | {"replacement_win"} if replaced else luck

    def of_first_turn(self, state: State, win: Win) -> frozenset[str]:
        drawn = "first_draw_win" if win.seat == win.from_seat else "first_discards_win"
        return frozenset({drawn} if win.seat != state.dealer else ())

    def worth_of(self, state: State, win: Win) -> Worth | None:
        if win.tile.suit == "f":
            return worth_of_flowers(win, option_number(state.options, "most_tai") or NO_LIMIT)
        return super().worth_of(state, win)

    def flowers_unsure(self, state: State, seat: Seat) -> bool:
        by_flowers = any(win.tile.suit == "f" for win in state.wins)
        return not by_flowers and super().flowers_unsure(state, seat)

    def finish(
        self, state: State, seat: Seat, hand: Sequence[Tile], tile: Tile, luck: frozenset[str]
    ) -> Finish:
        found = super().finish(state, seat, hand, tile, luck)
        player, more = state.players[seat], {f"flowers:{len(state.players[seat].flowers)}"}
        if len(player.melds) == SETS and all(meld.is_open for meld in player.melds):
            more.add("all_sets_claimed")
        if "heavenly_hand" not in luck:  # which never waited
            more.add(self._wait(found))
        return replace(found, circumstances=found.circumstances | more)

    def _wait(self, found: Finish) -> str:
        waiting = list(found.hand)
        waiting.remove(found.tile)
        kinds = completing(tuple(waiting), SETS_ONLY)
        if len(not_held(kinds, waiting, found.melds, self.wall.copies)) == 1:
            return "single_wait"
        return "two_sided" if _two_sided(found.hand, found.tile) else "other_wait"


def _two_sided(hand: tuple[Tile, ...], tile: Tile) -> bool:
    """Whether the tile may be the end of a chow that waited at both of its sides."""
    lows = {
        group.tile.rank
        for split in hands.splits(hand)
        for group in split
        if group.kind is GroupKind.CHOW and group.tile.suit == tile.suit
    }
    at_low, at_high = tile.rank in lows and tile.rank != 7, tile.rank - 2 in lows and tile.rank != 3
    return at_low or at_high


SCORING: Final = TaiScoring(best_tai, lambda _: 0, WALL)


# --- wins and payments ---


class TaiwanJudge(PatternJudge):
    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        verdict = super().judge(state, seat, hand, tile, how)
        if verdict.fault is not None or hand is None or not tile.known:
            return verdict
        return refused("win_let_pass") if _missed(state, seat, hand, tile) else verdict

    def granted(self, state: State, win: Win) -> State | None:
        return won_by_flowers(state, win)


def _missed(state: State, seat: Seat, hand: Sequence[Tile], tile: Tile) -> bool:
    """WINDS, 4.1: the hand could have won on this tile since the seat's last discard."""
    return bool(state.options["missed_win"]) and any(
        passed.tile == tile and hands.wins((*passed.hand, tile))
        for passed in let_pass(state, seat, hand, until_discard=True)
    )


def _price(options: Options, win: Win, value: int) -> Price:
    points = option_number(options, "base") + value * option_number(options, "tai")
    row = "tai_draw" if win.seat == win.from_seat else "tai_discard"
    return Price(row, points, points if row == "tai_draw" else 0, points)


class TaiwanPayment(PatternPayment):
    """WINDS, 4.2 and 4.3: the dealer gets and pays more, and the more the longer the deal lasts."""

    def winners(self, state: State) -> Winners:
        return Winners(option_number(state.options, "most_winners"))

    def owed(self, state: State, win: Win, worth: Worth, price: Price) -> Owed:
        owed, _ = super().owed(state, win, worth, price)
        pays = {seat for seat, points in owed.items() if points}
        if state.dealer != win.seat and state.dealer not in pays:
            return owed, ()
        streak = option_number(state.options, "streak") * (state.staying - 1)
        more = (1 + streak) * option_number(state.options, "tai")
        dealt = {
            seat: points + more if points and state.dealer in (seat, win.seat) else points
            for seat, points in owed.items()
        }
        said = [Item("dealer_tai", 1, UNIT)]
        said += [Item("streak_tai", streak, UNIT)] if streak else []
        return dealt, tuple(said)


ROWS: Final = (
    *("tai_draw", "tai_discard", "dealer_tai", "streak_tai"),
    *dict.fromkeys(pattern.name for pattern in (*PATTERNS, *EVERY, EIGHT, SEVEN)),
    *("no_tai", "tai_limit"),
)

TAIWAN: Final = RuleSet(
    id="taiwan",
    texts=__package__,
    source="TMA; WINDS; CHH; NH; YANG; CLUB",
    glossary=("tai", "dealer_streak", "replacement", "dead_wall", "single_wait"),
    pictures={
        "tai": "555z",
        "dealer_streak": "1z 1z",
        "replacement": "3f 8p",
        "dead_wall": "1m 2p 3s",
        "single_wait": "46m 5m",
    },
    explains={"Win": "tai", "payout": "tai", "hand_result": "dealer_streak"},
    page=PageNeeds(vocabulary="taiwan", round=True),
    teaching=Teaching(
        odds="taiwan",
        example=ExampleHand("234m 567m 345p 678s 55s", Tile("8s"), sets=open_pung("5z")),
    ),
    options=options_of(TABLES["options"]),
    problems=rulings_of(TABLES["problems"]),
    wall=WALL,
    judge=TaiwanJudge(SCORING, (HandForm.SETS,), "not_a_win"),
    payment=TaiwanPayment(SCORING, ROWS, _price, unit=UNIT, at_most="tai_limit", without="no_tai"),
    hands=FourRounds(),
)
