"""Hong Kong mahjong, old style: faan, a minimum to win, one winner. Played without flowers.

The tables of hands and points are those of GUIDE and WIKI (``tables.toml``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, takewhile
from typing import Final

from engine import events as ev
from engine import hands
from engine.announce import HandResult, Item, Payout, note
from engine.events import Seat
from engine.evolve import evolve
from engine.hands import HandForm
from engine.hands.goals import ANY_HAND, Goal
from engine.rules.arrangement import Finish
from engine.rules.base import PageNeeds, RuleSet, option_number
from engine.rules.between_hands import BetweenHands, deal_passed, is_last_deal
from engine.rules.claims import ClaimRules
from engine.rules.hong_kong.faan import (
    AT_MOST,
    NO_FAAN,
    OPTIONS,
    PAYMENTS,
    PROBLEMS,
    best_score,
    points_of,
)
from engine.rules.hong_kong.let_pass import let_pass
from engine.rules.layout import TableLayout
from engine.rules.pattern_library import NINE_GATES
from engine.rules.patterns import Worth
from engine.rules.payment import Payment, moved_to, nobody_wins, payout, share
from engine.rules.results import after_unseen_kong
from engine.rules.teaching import Teaching
from engine.rules.verdict import COUNTS, Fault, How, Judge, Ruling, Verdict, no_win, refused
from engine.rules.wall import ALL_KINDS, UNDEALT, Wall
from engine.state import Meld, SetKind, State
from engine.tiles import DRAGONS, Tile

HALF_FLUSH, ALL_PUNGS, FULL_FLUSH = 3, 3, 6
"""The least faan that any table of points gives for these patterns."""
PUNG: Final = 3
SELF_PICK: Final = frozenset({"self_pick"})
PASSED: Final = Ruling("WIKI, Gameplay: Pung", "set_was_missed")


@dataclass(frozen=True)
class RoundsPlayed:
    """What a Hong Kong game keeps between hands."""

    over: bool = False
    """The last hand of the North round has passed the deal."""


class HongKongHands(BetweenHands):
    def next_hand(self, state: State) -> HandResult:
        if not _passes(state):
            return HandResult(state.dealer, state.round, 0, 0, state.staying + 1)
        return deal_passed(state)

    def over(self, state: State) -> str | None:
        over = isinstance(state.kept, RoundsPlayed) and state.kept.over
        return "rounds_over" if over else None

    def started(self, state: State, event: ev.HandStart) -> State:
        return evolve(state, kept=RoundsPlayed())

    def ended(self, state: State) -> State:
        return evolve(state, kept=RoundsPlayed(_passes(state) and is_last_deal(state)))


def _passes(state: State) -> bool:
    """WIKI, Post Hand: the dealer deals again after winning, and after a drawn hand."""
    return bool(state.winners) and state.dealer not in state.winners


class HongKongTeaching(Teaching):
    """Hints work towards hands that surely have the least faan, if they are won by own draw."""

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        worth = Counter({**dict.fromkeys(DRAGONS, 1), state.seat_wind(seat): 1})
        worth[state.round] += 1
        pungs = {meld.tiles[0].kind for meld in melds if meld.kind is not SetKind.CHOW}
        closed = not any(meld.is_open for meld in melds)
        by_table = closed and state.options["hand_table"] == "guide"
        sure = 1 + by_table + sum(worth[kind] for kind in pungs)
        need = option_number(state.options, "minimum_faan") - sure
        special = () if melds else (Goal(form=HandForm.ORPHANS),)
        if need <= 0:
            return (ANY_HAND, *special)
        return (
            *_flushes(melds, need),
            *_pungs(melds, need),
            *_values(melds, worth, need),
            *special,
        )

    def lacking(self, state: State, seat: Seat, hand: Sequence[Tile]) -> tuple[str, ...]:
        pungs = (kind for kind, held in Counter(hand).items() if held >= PUNG)
        made = (Meld(SetKind.CLOSED_KONG, (kind,) * PUNG) for kind in pungs)
        sure = ANY_HAND in self.goals(state, seat, (*state.players[seat].melds, *made))
        return () if sure or self.lacks_worth is None else (self.lacks_worth,)


def _flushes(melds: tuple[Meld, ...], need: int) -> Iterator[Goal]:
    tiles = [tile for meld in melds for tile in meld.tiles]
    declared = {"mps".index(tile.suit) for tile in tiles if tile.suit != "z"}
    honours = any(tile.suit == "z" for tile in tiles)
    for suit in range(3):
        others = frozenset({0, 1, 2}) - {suit}
        if declared <= {suit} and need <= HALF_FLUSH:
            yield Goal("half_flush", without=others)
        elif declared <= {suit} and need <= FULL_FLUSH and not honours:
            yield Goal("full_flush", without=others, honours="")


def _pungs(melds: tuple[Meld, ...], need: int) -> Iterator[Goal]:
    if need <= ALL_PUNGS and not any(meld.kind is SetKind.CHOW for meld in melds):
        yield Goal("all_pungs", suits="pungs")


def _values(melds: tuple[Meld, ...], worth: Counter[Tile], need: int) -> Iterator[Goal]:
    """Goals with the fewest pungs of dragons and winds that are worth enough."""
    made = {meld.tiles[0].kind for meld in melds}
    kinds = [kind for kind in worth if kind not in made]
    for number in range(1, 5 - len(melds)):
        found = [
            chosen
            for chosen in combinations(kinds, number)
            if sum(worth[kind] for kind in chosen) >= need
        ]
        if found:
            yield from (Goal(with_sets=tuple((kind,) * 3 for kind in chosen)) for chosen in found)
            return


class HongKongClaims(ClaimRules):
    def faults(self, state: State, claim: ev.Claim, *, ended: bool) -> tuple[Fault, ...]:
        faults = super().faults(state, claim, ended=ended)
        if not _locked(state, claim):
            return faults
        return (*faults, Fault("claim_forbidden", ruling=PASSED))

    def rank(self, rules: RuleSet, state: State, event: ev.Claim | ev.Win) -> int:
        """WIKI, Criteria: for thirteen orphans "the turn order does not matter"."""
        rank = super().rank(rules, state, event)
        return rank + (isinstance(event, ev.Win) and _orphans(state, event))


# --- waits and wins ---


class HongKongJudge(Judge):
    forms = frozenset({HandForm.SETS, HandForm.ORPHANS})

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        """Worth too little, or let pass before; a wait is judged without the luck of a moment."""
        if hand is None or not tile.known:
            return COUNTS
        win, whole = how.win, (*hand, tile)
        luck = SELF_PICK if how.drawn else frozenset[str]()
        if win is not None:
            luck = luck_of(state, win)
        score = _worth(state, seat, whole, tile, luck)
        if score is None:
            return no_win(tile)
        most = score
        if win is not None and after_unseen_kong(state, win):  # it may have brought the tile
            most = _worth(state, seat, whole, tile, luck | {"after_kong"}) or score
        if not _enough(state, most) and (win is None or state.wall_counted):
            return refused("too_few_faan", {"value": score.value})
        if not how.drawn and _missed(state, seat, hand, tile):
            return refused("missed_win", {"tile": tile})
        return COUNTS


def _missed(state: State, seat: Seat, hand: Sequence[Tile], tile: Tile) -> bool:
    """WIKI, Miss Win: the hand could have won on this tile since its last own draw."""
    if not state.options["missed_win_locks"]:
        return False
    melds = state.players[seat].melds
    for passed in let_pass(state, seat):
        if passed.tile == tile:
            held = (*hand, *passed.gone, tile)
            then = _finish(state, seat, held, tile, frozenset())
            then = replace(then, melds=melds[: len(melds) - passed.sets])
            if _enough(state, best_score(then, state.options)):
                return True
    return False


def _enough(state: State, score: Worth | None) -> bool:
    return score is not None and score.value >= option_number(state.options, "minimum_faan")


def _worth(
    state: State, seat: Seat, hand: Sequence[Tile], tile: Tile, luck: frozenset[str]
) -> Worth | None:
    return best_score(_finish(state, seat, hand, tile, luck), state.options)


def _finish(
    state: State, seat: Seat, hand: Sequence[Tile], tile: Tile, luck: frozenset[str]
) -> Finish:
    return Finish(
        tuple(sorted(hand)),
        state.players[seat].melds,
        tile,
        not luck >= SELF_PICK,
        state.seat_wind(seat),
        luck,
        round_wind=state.round,
    )


def score_of(state: State, win: ev.Win) -> Worth | None:
    """The worth of the hand; ``state`` is the one that the win led to. None while hidden."""
    player = state.players[win.seat]
    if not player.known or win.tile not in player.hand:
        return None
    return _worth(state, win.seat, player.hand, win.tile, luck_of(state, win))


# --- payment ---


class HongKongPayment(Payment):
    rows = PAYMENTS

    def settle(self, state: State, wins: Sequence[ev.Win]) -> Payout:
        if not wins:
            return nobody_wins(state)
        win = wins[0]
        score = score_of(state, win)
        if score is None:
            return payout(state, win.seat, (0, 0, 0, 0), (note("hand_unknown"),))
        alone = state.options["discard_paid_by"] == "discarder"
        points = points_of(score.value, state.options)
        if win.seat == win.from_seat:
            row, each, discarder = "faan_draw", points * (1 if alone else 2), 0
        elif alone:
            row, each, discarder = "faan_discard_alone", 0, 2 * points
        else:
            row, each, discarder = "faan_discard_shared", points, 2 * points
        deltas = moved_to(win.seat, share(win, each, discarder))
        items = [Item(row, points, "points"), *score.items("faan", AT_MOST, NO_FAAN)]
        unknown = [] if state.wall_counted else [note("wall_unknown")]
        unknown += [note("kong_unknown")] if after_unseen_kong(state, win) else []
        return payout(state, win.seat, deltas, (*items, *unknown))


def luck_of(state: State, win: ev.Win) -> frozenset[str]:
    """How the hand was won, as the patterns of play name it."""
    drawn = win.seat == win.from_seat
    robbed = not drawn and state.last_discard is not None and state.last_discard.added_kong
    first = state.wall_left == UNDEALT - 1 and not any(p.melds for p in state.players)
    acts = state.history.acts
    quiet = state.joined is None and not any(isinstance(act, ev.Claim) for act in acts)
    own_first = quiet and not any(act.seat == win.seat for act in acts)
    kongs = _kongs_before(state, win.seat) if drawn else 0
    named = {
        "self_pick": drawn,
        "after_kong": kongs == 1,
        "after_two_kongs": kongs > 1,
        "kong_robbed": robbed,
        "last_tile": state.wall_counted and state.wall_left <= 0 and not robbed,
        "heavenly_hand": drawn and first and win.seat == state.dealer,
        "earthly_hand": not drawn and first and win.from_seat == state.dealer,
        # GUIDE: "on the first turn as non-dealer"
        "human_hand": drawn and own_first and win.seat != state.dealer,
        "gates_nine": _gates(state, win),
    }
    return frozenset(name for name, holds in named.items() if holds)


def _locked(state: State, event: ev.Claim) -> bool:
    """WIKI, Gameplay: who fails to call a pung may not claim that tile before the next draw."""
    pungs = isinstance(event, ev.Pung) or (isinstance(event, ev.Kong) and event.kind == "open")
    if not pungs or not state.options["missed_pung_locks"]:
        return False
    assert isinstance(event, ev.Pung | ev.Kong), "one of them"
    return any(passed.tile == event.tile for passed in let_pass(state, event.seat))


def _orphans(state: State, win: ev.Win) -> bool:
    """Whether this is known to be thirteen orphans; ``state`` is the one before the win."""
    player = state.players[win.seat]
    hand = (*(player.hand if win.hand is None else win.hand), win.tile)
    known = not player.melds and all(tile.known for tile in hand)
    return known and hands.wins(hand, forms={HandForm.ORPHANS})


def _kongs_before(state: State, seat: Seat) -> int:
    """Kongs in a row that led to the drawn tile."""
    acts = reversed(state.history.acts)
    kongs = takewhile(lambda act: isinstance(act, ev.Kong) and act.seat == seat, acts)
    return sum(1 for _ in kongs)


def _gates(state: State, win: ev.Win) -> bool:
    player = state.players[win.seat]
    if player.melds or win.tile not in player.hand:
        return False
    waiting = list(player.hand)
    waiting.remove(win.tile)
    ranks = Counter(tile.rank for tile in waiting)
    one_suit = len({tile.suit for tile in waiting}) == 1 and waiting[0].suit != "z"
    return one_suit and tuple(ranks[rank] for rank in range(1, 10)) == NINE_GATES


HONG_KONG: Final = RuleSet(
    id="hong-kong",
    texts=__package__,
    source="GUIDE and WIKI",
    glossary=("faan",),
    layout=TableLayout(closed_kong_down=frozenset()),
    page=PageNeeds(round=True),
    teaching=HongKongTeaching(
        cost_of_opening="opens_for_faan", lacks_worth="too_few_faan", odds="hong-kong"
    ),
    options=OPTIONS,
    problems=PROBLEMS,
    wall=Wall(ALL_KINDS),
    claims=HongKongClaims(),
    judge=HongKongJudge(),
    payment=HongKongPayment(),
    hands=HongKongHands((*BetweenHands.fixed, "round")),
)
"""The game; tables and payments are options."""
