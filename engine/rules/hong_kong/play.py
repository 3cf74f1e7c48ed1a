"""Hong Kong mahjong, old style: faan, a minimum to win, one winner; flowers are an option.

The tables of hands and points are those of GUIDE and WIKI (``tables.toml``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from engine import events as ev
from engine import hands, play
from engine.announce import Announcements, Item, note
from engine.events import Seat
from engine.evolve import evolve
from engine.hands import HandForm
from engine.hands.goals import ANY_HAND, Goal
from engine.rules import results
from engine.rules.base import PageNeeds, RuleSet, option_number
from engine.rules.claims import ClaimRules
from engine.rules.hong_kong.faan import (
    AT_MOST,
    FLOWER_WINS,
    NO_FAAN,
    OPTIONS,
    PAYMENTS,
    PROBLEMS,
    best_score,
    flower_faan,
    points_of,
)
from engine.rules.hong_kong.liability import last_five_unsure, liable
from engine.rules.layout import TableLayout
from engine.rules.let_pass import let_pass
from engine.rules.pattern_game import (
    FourRounds,
    Owed,
    PatternJudge,
    PatternPayment,
    Price,
    Scoring,
    flower_patterns,
)
from engine.rules.patterns import Worth
from engine.rules.payment import ONE_WINNER, Winners, payout
from engine.rules.teaching import ExampleHand, Teaching, open_pung
from engine.rules.turns import Turns
from engine.rules.verdict import COUNTS, Fault, How, Ruling, Verdict, no_win, refused
from engine.rules.wall import ALL_KINDS, FlowerWall
from engine.state import Meld, Phase, SetKind, State
from engine.tiles import DRAGONS, UNKNOWN, Tile

HALF_FLUSH, ALL_PUNGS, FULL_FLUSH, SEVEN_PAIRS = 3, 3, 6, 3
"""The least faan that any table of points gives for these patterns."""
PUNG: Final = 3
PASSED: Final = Ruling("WIKI, Gameplay: Pung", "set_was_missed")
FALSE_WIN: Final = Ruling("WIKI, Erroneous Mahjong", "false_win_was_called")
FALSE_WIN_FAAN: Final = 4


class HongKongTeaching(Teaching):
    """Hints work towards hands that surely have the least faan, if they are won by own draw."""

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        worth = Counter({**dict.fromkeys(DRAGONS, 1), state.seat_wind(seat): 1})
        worth[state.round] += 1
        pungs = {meld.tiles[0].kind for meld in melds if meld.kind is not SetKind.CHOW}
        closed = not any(meld.is_open for meld in melds)
        by_table = closed and state.options["hand_table"] == "guide"
        sure = 1 + by_table + sum(worth[kind] for kind in pungs)
        sure += flower_faan(flower_patterns(state, seat))
        need = option_number(state.options, "minimum_faan") - sure
        special = () if melds else (Goal(form=HandForm.ORPHANS),)
        # Seven pairs are worth nothing more for being concealed.
        if not melds and state.options["seven_pairs"] and need + by_table <= SEVEN_PAIRS:
            special = (*special, Goal(form=HandForm.PAIRS))
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


class HongKongTurns(Turns):
    def faults(self, state: State, discard: ev.Discard) -> tuple[Fault, ...]:
        return (Fault("flower_discarded"),) if discard.tile.suit == "f" else ()

    def ruled(self, rules: RuleSet, state: State, foul: ev.Foul) -> tuple[State, Announcements]:
        """WIKI, Erroneous Mahjong: who called it pays everybody. The hand is over (POINTS).

        Other wins on the same tile stay, and are paid when the hand ends.
        """
        after, announced = super().ruled(rules, state, foul)
        paid = state.history.fouls_of(foul.seat, "false_win")
        if foul.offence != "false_win" or paid or state.options["false_win_pays"] == "nothing":
            return after, announced
        called = rules.problem(Fault("false_win", ruling=FALSE_WIN), foul.seat)
        if foul.seat in after.winners:
            back = results.taken_back(after)
            wins = tuple(win for win in after.wins if win.seat != foul.seat)
            winners = tuple(seat for seat in after.winners if seat != foul.seat)
            after = evolve(results.not_paid(after), wins=wins, winners=winners)
        elif after.phase in play.IN_PLAY:
            back = []
        else:
            return after, announced
        due = price(after.options, ev.Win(foul.seat, foul.seat, UNKNOWN), _false_faan(after)).each
        deltas = [-3 * due if seat == foul.seat else due for seat in range(4)]
        pays = payout(after, None, deltas, [Item("faan_false_win", due, "points")])
        after = evolve(after, points=pays.points, phase=Phase.SETTLED, contested=None)
        return after, [called, *back, pays]


def _false_faan(state: State) -> int:
    if state.options["false_win_pays"] == "four_faan":
        return FALSE_WIN_FAAN
    return option_number(state.options, "limit_faan")


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


FORMS: Final = frozenset({HandForm.SETS, HandForm.ORPHANS})
WITH_PAIRS: Final = FORMS | {HandForm.PAIRS}
WALL: Final = FlowerWall(ALL_KINDS)
SCORING: Final = Scoring(best_score, lambda options: option_number(options, "minimum_faan"), WALL)


class HongKongJudge(PatternJudge):
    def forms(self, options: Mapping[str, object]) -> frozenset[HandForm]:
        return WITH_PAIRS if options["seven_pairs"] else super().forms(options)

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        """Worth too little, or let pass before; a flower has to be laid open first."""
        if state.players[seat].holds_flower and how.win is not None:
            return no_win(tile)
        verdict = super().judge(state, seat, hand, tile, how)
        if verdict.fault is not None and verdict.fault.code == self.too_little:
            return COUNTS if _wins_by_flowers(state, how.win) else verdict
        if verdict.fault is not None or hand is None or how.drawn or not tile.known:
            return verdict
        return refused("missed_win", {"tile": tile}) if _missed(state, seat, hand, tile) else COUNTS


def _wins_by_flowers(state: State, win: ev.Win | None) -> bool:
    """GUIDE, 7 Flowers: "the option to win immediately", whatever faan the table asks."""
    if win is None or state.options["hand_table"] != "guide":
        return False
    return not SCORING.luck_of(state, win).isdisjoint(FLOWER_WINS)


def _missed(state: State, seat: Seat, hand: Sequence[Tile], tile: Tile) -> bool:
    """WIKI, Miss Win: the hand could have won on this tile since its last own draw."""
    if not state.options["missed_win_locks"]:
        return False
    melds = state.players[seat].melds
    for passed in let_pass(state, seat, hand):
        if passed.tile == tile:
            held = (*passed.hand, tile)
            then = SCORING.finish(state, seat, held, tile, frozenset())
            then = replace(then, melds=melds[: len(melds) - passed.sets])
            if SCORING.enough(best_score(then, state.options), state.options):
                return True
    return False


# --- payment ---


def price(options: Mapping[str, object], win: ev.Win, faan: int) -> Price:
    alone = options["discard_paid_by"] == "discarder"
    points = points_of(faan, options)
    if win.seat == win.from_seat:
        return Price("faan_draw", points, points * (1 if alone else 2), 0)
    if alone:
        return Price("faan_discard_alone", points, 0, 2 * points)
    return Price("faan_discard_shared", points, points, 2 * points)


class HongKongPayment(PatternPayment):
    def winners(self, state: State) -> Winners:
        return Winners(allowed=3) if state.options["several_winners"] else ONE_WINNER

    def owed(self, state: State, win: ev.Win, worth: Worth, price: Price) -> Owed:
        """Who is liable pays everything, or half of it where another one gave the tile."""
        owed, _ = super().owed(state, win, worth, price)
        found = liable(state, win, [name for name, _ in worth.lines])
        if found is None:
            return owed, (note("last_five_unknown"),) if last_five_unsure(state, win) else ()
        said = (Item(found.row, found.seat, "seat"),)
        total = sum(owed.values())
        if win.from_seat in (win.seat, found.seat):
            return {found.seat: total}, said
        return dict.fromkeys((found.seat, win.from_seat), total // 2), said


def _locked(state: State, event: ev.Claim) -> bool:
    """WIKI, Gameplay: who fails to call a pung may not claim that tile before the next draw."""
    pungs = isinstance(event, ev.Pung) or (isinstance(event, ev.Kong) and event.kind == "open")
    if not pungs or not state.options["missed_pung_locks"]:
        return False
    assert isinstance(event, ev.Pung | ev.Kong), "one of them"
    return any(passed.tile == event.tile for passed in let_pass(state, event.seat, ()))


def _orphans(state: State, win: ev.Win) -> bool:
    """Whether this is known to be thirteen orphans; ``state`` is the one before the win."""
    player = state.players[win.seat]
    hand = (*(player.hand if win.hand is None else win.hand), win.tile)
    known = not player.melds and all(tile.known for tile in hand)
    return known and hands.wins(hand, forms={HandForm.ORPHANS})


HONG_KONG: Final = RuleSet(
    id="hong-kong",
    texts=__package__,
    source="GUIDE and WIKI",
    glossary=("faan", "flowers", "feeding"),
    pictures={"faan": "555z 666z", "flowers": "1f 2f 3f 4f", "feeding": "555z 666z 77z 7z"},
    explains={"Win": "faan", "payout": "faan"},
    layout=TableLayout(closed_kong_down=frozenset()),
    page=PageNeeds(round=True),
    teaching=HongKongTeaching(
        cost_of_opening="opens_for_faan",
        lacks_worth="too_few_faan",
        example=ExampleHand("234m 456m 789m 22z", Tile("5m"), 3, open_pung("5z")),
        odds="hong-kong",
    ),
    options=OPTIONS,
    problems=PROBLEMS,
    wall=WALL,
    turns=HongKongTurns(),
    claims=HongKongClaims(),
    judge=HongKongJudge(SCORING, FORMS, "too_few_faan"),
    payment=HongKongPayment(
        SCORING, PAYMENTS, price, unit="faan", at_most=AT_MOST, without=NO_FAAN
    ),
    hands=FourRounds(),
)
"""The game; tables and payments are options."""
