"""A game whose hands are worth what a table of patterns says; with common ones it is a TOML file.

``read_game`` makes its rule set. A game with rules of its own takes the parts that it shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from engine.announce import HandResult, Item, Payout, note
from engine.events import HandEnd, HandStart, Seat, Win
from engine.hands import HandForm
from engine.rules.arrangement import Finish, arrangements
from engine.rules.base import PageNeeds, RuleSet
from engine.rules.between_hands import BetweenHands, deal_passed, rounds_over
from engine.rules.pattern_file import check_file
from engine.rules.pattern_library import NINE_GATES
from engine.rules.patterns import Pattern, Worth, best_of, table_of, worth_of
from engine.rules.payment import NOTHING, Payment, moved_to, nobody_wins, payout, share
from engine.rules.results import after_unseen_kong, before_first_turn
from engine.rules.tables import options_of, read_tables, rulings_of
from engine.rules.teaching import Teaching
from engine.rules.verdict import COUNTS, Fault, How, Judge, Verdict, no_win, refused
from engine.rules.wall import ALL_KINDS, Wall
from engine.state import State
from engine.tiles import Tile

SELF_PICK: Final = frozenset({"self_pick"})
UNSEEN_KONG: Final = frozenset({"after_kong", "win_on_kong"})
Options = Mapping[str, object]


# --- how a hand was won ---


def luck_of(state: State, win: Win, wall: Wall) -> frozenset[str]:
    """The patterns of play, by every name that the library has for them.

    ``state`` is the one that the win led to.
    """
    drawn = win.seat == win.from_seat
    robbed = not drawn and state.last_discard is not None and state.last_discard.added_kong
    laid = sum(len(player.flowers) for player in state.players)
    undealt = wall.undealt(state.options) - laid
    untouched = state.wall_counted and state.wall_left == undealt - 1
    first = untouched and not any(p.melds for p in state.players)
    kongs = state.history.kongs_of(win.seat) if drawn else 0
    last = state.wall_counted and wall.used_up(state) and not robbed
    heaven = drawn and first and win.seat == state.dealer
    earth = not drawn and first and win.from_seat == state.dealer
    gates = _gates(state, win)
    flower = drawn and state.history.laid_by == win.seat
    own = len(state.players[win.seat].flowers) if flower else 0
    named = {
        "self_pick": drawn,
        "after_kong": kongs == 1,
        "after_two_kongs": kongs > 1,
        "win_on_kong": kongs > 0,
        "after_flower": flower,
        "kong_robbed": robbed,
        "robbing_a_kong": robbed,
        "last_tile": last,
        "final_draw": last and drawn,
        "final_discard": last and not drawn,
        "heavenly_hand": heaven,
        "blessing_of_heaven": heaven,
        "earthly_hand": earth,
        "blessing_of_earth": earth,
        "gates_nine": gates,
        "nine_gates": gates,
        "seven_flowers": own == 7,
        "eight_flowers": own == 8,
    }
    return frozenset(name for name, holds in named.items() if holds)


def in_first_turn(state: State, seat: Seat, wall: Wall) -> bool | None:
    """Whether nobody has claimed yet, and this seat has not had a turn. None where nobody knows."""
    if state.history.claimed or seat in state.history.acted:
        return False
    return before_first_turn(state, seat, wall.undealt(state.options))


def flower_patterns(state: State, seat: Seat, *, at_most: bool = False) -> frozenset[str]:
    """The patterns that lie before a seat, by the names of the library.

    ``at_most``: those that it may have, where not every flower is known.
    """
    player = state.players[seat]
    place = (seat - state.dealer) % 4
    ranks = {tile.rank for tile in player.flowers if tile.known}
    counted = state.joined is None or state.joined.flowers is not None
    if at_most and not (counted and all(tile.known for tile in player.flowers)):
        ranks = set(range(1, 9)) if len(player.flowers) >= 4 else ranks | {place + 1, place + 5}
    named = {
        "no_flowers": not player.flowers and (counted or at_most),
        "seat_flower": place + 1 in ranks,
        "seat_season": place + 5 in ranks,
        "all_flowers": ranks >= {1, 2, 3, 4},
        "all_seasons": ranks >= {5, 6, 7, 8},
    }
    return frozenset(name for name, holds in named.items() if holds)


def _gates(state: State, win: Win) -> bool:
    player = state.players[win.seat]
    if player.melds or win.tile not in player.hand:
        return False
    waiting = list(player.hand)
    waiting.remove(win.tile)
    ranks = Counter(tile.rank for tile in waiting)
    one_suit = len({tile.suit for tile in waiting}) == 1 and waiting[0].suit != "z"
    return one_suit and tuple(ranks[rank] for rank in range(1, 10)) == NINE_GATES


# --- what it is worth ---


@dataclass(frozen=True, eq=False)
class Scoring:
    """What hands are worth under the options of a game."""

    best: Callable[[Finish, Options], Worth | None]
    """The worth of the best arrangement; None for an incomplete hand."""
    least: Callable[[Options], int]
    """What a win needs."""
    wall: Wall

    def luck_of(self, state: State, win: Win) -> frozenset[str]:
        first = in_first_turn(state, win.seat, self.wall)
        luck = luck_of(state, win, self.wall)
        return luck | self.of_first_turn(state, win) if first else luck

    def of_first_turn(self, state: State, win: Win) -> frozenset[str]:
        """The patterns of a win in the first turn of its seat. GUIDE: "as non-dealer"."""
        drawn = win.seat == win.from_seat
        return frozenset({"human_hand"} if drawn and win.seat != state.dealer else ())

    def first_turn_unsure(self, state: State, win: Win) -> bool:
        """Whether the hand would be worth more in a first turn, and nobody knows whether it is."""
        hand, luck = state.players[win.seat].hand, self.luck_of(state, win)
        if in_first_turn(state, win.seat, self.wall) is not None or win.tile not in hand:
            return False
        more = luck | self.of_first_turn(state, win)
        return self.worth(state, win.seat, hand, win.tile, more) != self.worth(
            state, win.seat, hand, win.tile, luck
        )

    def flowers_unsure(self, state: State, seat: Seat) -> bool:
        """Whether another flower than those read may lie before a seat."""
        if not self.wall.flowers(state.options):
            return False
        return flower_patterns(state, seat) != flower_patterns(state, seat, at_most=True)

    def finish(
        self, state: State, seat: Seat, hand: Sequence[Tile], tile: Tile, luck: frozenset[str]
    ) -> Finish:
        if self.wall.flowers(state.options):
            luck |= flower_patterns(state, seat)
        return Finish(
            tuple(sorted(hand)),
            state.players[seat].melds,
            tile,
            not luck >= SELF_PICK,
            state.seat_wind(seat),
            luck,
            round_wind=state.round,
        )

    def worth(
        self, state: State, seat: Seat, hand: Sequence[Tile], tile: Tile, luck: frozenset[str]
    ) -> Worth | None:
        return self.best(self.finish(state, seat, hand, tile, luck), state.options)

    def worth_of(self, state: State, win: Win) -> Worth | None:
        """The same of a win; ``state`` is the one that it led to. None while it is hidden."""
        player = state.players[win.seat]
        if not player.known or win.tile not in player.hand:
            return None
        return self.worth(state, win.seat, player.hand, win.tile, self.luck_of(state, win))

    def enough(self, worth: Worth | None, options: Options) -> bool:
        return worth is not None and worth.value >= self.least(options)


class PatternJudge(Judge):
    """A hand wins that is worth enough."""

    def __init__(self, scoring: Scoring, forms: Collection[HandForm], too_little: str) -> None:
        """``too_little``: the code of a complete hand that is worth less."""
        self.scoring = scoring
        self.too_little = too_little
        self._forms = frozenset(forms)

    def forms(self, options: Options) -> frozenset[HandForm]:
        return self._forms

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        """A wait is judged without the luck of a moment."""
        if hand is None or not tile.known:
            return COUNTS
        win, whole, scoring = how.win, (*hand, tile), self.scoring
        luck = SELF_PICK if how.drawn else frozenset[str]()
        if win is not None:
            luck = scoring.luck_of(state, win)
        worth = scoring.worth(state, seat, whole, tile, luck)
        if worth is None:
            return no_win(tile)
        unsure = frozenset[str]()
        if win is not None and after_unseen_kong(state, win):  # it may have brought the tile
            unsure = UNSEEN_KONG
        if win is not None and in_first_turn(state, seat, scoring.wall) is None:
            unsure |= scoring.of_first_turn(state, win)
        if scoring.flowers_unsure(state, seat):
            unsure |= flower_patterns(state, seat, at_most=True)
        most = worth
        if unsure:
            most = scoring.worth(state, seat, whole, tile, luck | unsure) or worth
        if not scoring.enough(most, state.options) and (win is None or state.wall_counted):
            return refused(self.too_little, {"value": worth.value})
        return COUNTS


# --- what it pays ---


class Price(NamedTuple):
    """What everybody pays for a win."""

    row: str
    """Its name in the table of payments."""
    points: int
    """What the row is listed with."""
    each: int
    discarder: int


Owed = tuple[Mapping[Seat, int], tuple[Item, ...]]
"""What each seat owes, and the items that tell why it is not as usual."""


class PatternPayment(Payment):
    """The winner is paid by the worth of the hand."""

    def __init__(
        self,
        scoring: Scoring,
        rows: Sequence[str],
        price: Callable[[Options, Win, int], Price],
        *,
        unit: str,
        at_most: str,
        without: str,
    ) -> None:
        """``price``: of a win of this value. The others name what ``Worth.items`` lists."""
        self.scoring, self.rows, self._price = scoring, rows, price
        self._unit, self._at_most, self._without = unit, at_most, without

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        if not wins:
            return nobody_wins(state)
        paid = [self._paid(state, win) for win in wins]
        deltas = [sum(each) for each in zip(*(deltas for deltas, _ in paid), strict=True)]
        items = [item for _, items in paid for item in items]
        return payout(state, wins[0].seat if len(wins) == 1 else None, deltas, items)

    def owed(self, state: State, win: Win, worth: Worth, price: Price) -> Owed:
        """What everybody owes for a win, and what is said of it."""
        return share(win, price.each, price.discarder), ()

    def _paid(self, state: State, win: Win) -> tuple[Sequence[int], Sequence[Item]]:
        worth = self.scoring.worth_of(state, win)
        if worth is None:
            return NOTHING, (note("hand_unknown"),)
        price = self._price(state.options, win, worth.value)
        owed, said = self.owed(state, win, worth, price)
        lines = worth.items(self._unit, self._at_most, self._without)
        unknown = [] if state.wall_counted else [note("wall_unknown")]
        unknown += [note("kong_unknown")] if after_unseen_kong(state, win) else []
        if self.scoring.first_turn_unsure(state, win):
            unknown.append(note("first_turn_unknown"))
        if self.scoring.flowers_unsure(state, win.seat):
            unknown.append(note("flower_unknown"))
        row = Item(price.row, price.points, "points")
        return moved_to(win.seat, owed), (row, *lines, *said, *unknown)


# --- four rounds ---


@dataclass(frozen=True, kw_only=True)
class FourRounds(BetweenHands):
    """East to North; who deals depends on who won."""

    stays: bool = True
    """Whether a dealer who won, or in whose hand nobody won, deals again."""

    def expected(self, state: State) -> Mapping[str, object]:
        return {**super().expected(state), "round": state.round}

    def next_hand(self, state: State) -> HandResult:
        if not self._passes(state):
            return HandResult(state.dealer, state.round, 0, 0, state.staying + 1)
        return deal_passed(state)

    def faults(self, state: State, event: HandStart | HandEnd) -> tuple[Fault, ...]:
        over = rounds_over(state) and isinstance(event, HandStart)
        return (Fault("rounds_over"),) if over else ()

    def _passes(self, state: State) -> bool:
        return not self.stays or (bool(state.winners) and state.dealer not in state.winners)


# --- a game that is a TOML file ---

DRAW: Final = "self_draw"
DISCARD: Final = "discard"
AT_MOST: Final = "limit"
WITHOUT: Final = "no_pattern"
TOO_LITTLE: Final = "too_little_worth"


def read_game(package: str, name: str = "tables.toml") -> RuleSet:
    """The rule set whose tables lie in a package; ``docs/rule-sets.md`` tells what they hold.

    A ``ValueError`` names what is wrong with them.
    """
    tables = read_tables(package, name)
    check_file(tables, name)
    game, pays = tables["game"], tables["pays"]
    table, forms = table_of(tables["patterns"]), frozenset(map(HandForm, game["forms"]))
    wall = Wall(ALL_KINDS, never_drawn=game["never_drawn"])
    scoring = Scoring(
        lambda finish, _: _best(finish, table, forms, game["most"], game["value_of_none"]),
        lambda _: int(game["least"]),
        wall,
    )

    def price(options: Options, win: Win, value: int) -> Price:
        if win.seat == win.from_seat:
            return Price(DRAW, value, pays["draw"] * value, 0)
        return Price(DISCARD, value, pays["others"] * value, pays["discarder"] * value)

    return RuleSet(
        id=game["id"],
        texts=package,
        source=game["source"],
        options=options_of(tables.get("options", {})),
        problems=rulings_of(tables["problems"]),
        page=PageNeeds(round=True),
        teaching=Teaching(
            lacks_worth=TOO_LITTLE if game["value_of_none"] < game["least"] else None
        ),
        wall=wall,
        judge=PatternJudge(scoring, forms, TOO_LITTLE),
        payment=PatternPayment(
            scoring,
            _rows(table),
            price,
            unit="points",
            at_most=AT_MOST,
            without=WITHOUT,
        ),
        hands=FourRounds(stays=game["dealer_stays"]),
    )


def _rows(table: Sequence[Pattern]) -> tuple[str, ...]:
    return (DRAW, DISCARD, *dict.fromkeys(pattern.name for pattern in table), WITHOUT, AT_MOST)


@lru_cache(maxsize=1 << 12)
def _best(
    finish: Finish, table: tuple[Pattern, ...], forms: frozenset[HandForm], most: int, least: int
) -> Worth | None:
    ways = (way for way in arrangements(finish) if way.form in forms)
    return best_of(worth_of(way, table, most, least) for way in ways)
