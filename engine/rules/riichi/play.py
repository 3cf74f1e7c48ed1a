"""Riichi competition rules (EMA) and their presets: document 004, as settled for this engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine import events as ev
from engine import play
from engine.announce import Announcements, Payout
from engine.events import Seat
from engine.evolve import evolve
from engine.hands import HandForm
from engine.rules.base import Option, PageNeeds, RuleSet
from engine.rules.claims import ClaimRules
from engine.rules.layout import TableLayout
from engine.rules.payment import Payment, Winners
from engine.rules.riichi import claims, next_hand
from engine.rules.riichi.consequences import RiichiIndicators, follow
from engine.rules.riichi.draws import (
    DEAD,
    MOST_KONGS,
    abortive_reason,
    abortive_reasons,
    is_dead,
    kongs,
    may_be_three_wins,
    may_call_nine_terminals,
    to_be_shown,
)
from engine.rules.riichi.goals import RiichiTeaching
from engine.rules.riichi.pay import DEPOSIT
from engine.rules.riichi.settle import most_paid, settled
from engine.rules.riichi.tables import (
    ABORTIVE_DRAWS,
    EMA_2008,
    EMA_2016,
    EMA_2025,
    M_LEAGUE,
    MAHJONG_SOUL,
    PAYMENTS,
    PROBLEMS,
    RULED_DEAD,
    TENHOU,
    WRC,
)
from engine.rules.riichi.waits import CLOSED_FORMS, is_ready
from engine.rules.riichi.wins import DORA_KINDS, live_wall, refusal
from engine.rules.teaching import ExampleHand, open_pung
from engine.rules.turns import Turns
from engine.rules.verdict import COUNTS, Fault, How, Judge, ReadyCalls, Verdict, refused
from engine.rules.wall import ALL_KINDS, DEAD_WALL, Wall
from engine.state import Phase, Player, State
from engine.tiles import REDS, Tile

FEWEST_FOR_RIICHI: Final = 4
"""004, 3.3.12."""
MOST_WINNERS: Final = 3


_REDS: Final = {0: (), 3: REDS, 4: (*REDS, "0p")}
"""Red fives by their number; the fourth is a second one of dots, as parlours in Japan have it."""


def _wall(reds: Iterable[str]) -> Mapping[Tile, int]:
    copies = Counter(ALL_KINDS)
    for red in map(Tile, reds):
        copies[red.kind] -= 1
        copies[red] += 1
    return dict(copies)


_WALLS: Final[Mapping[object, Mapping[Tile, int]]] = {
    number: _wall(reds) for number, reds in _REDS.items()
}


class RedFivesWall(Wall):
    """As many red fives as the option says."""

    def under(self, options: Mapping[str, object]) -> Mapping[Tile, int]:
        return _WALLS.get(options.get("red_fives"), self.copies)


class RiichiTurns(Turns):
    drawn_reasons = frozenset({"exhausted", *ABORTIVE_DRAWS})

    def faults(self, state: State, discard: ev.Discard) -> tuple[Fault, ...]:
        return claims.faults_of_discard(state, discard)

    def ruled(self, rules: RuleSet, state: State, event: ev.Foul) -> tuple[State, Announcements]:
        after, announced = super().ruled(rules, state, event)
        if event.offence != "dead_hand":
            return after, announced
        problem = rules.problem(event.offence, event.seat)
        return after, [evolve(problem, source=RULED_DEAD.source, follows=RULED_DEAD.follows)]

    def follow(
        self, rules: RuleSet, before: State, after: State, event: ev.Event
    ) -> tuple[State, Announcements]:
        return follow(rules, before, after, event)

    def legal(self, state: State, events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
        if state.phase is Phase.BEFORE_HAND:
            return (ev.GameEnd(),) if next_hand.is_over(state) else events
        if state.phase is Phase.SETTLED and to_be_shown(state):
            hands = ((seat, state.players[seat].hand) for seat in to_be_shown(state))
            return tuple(ev.Reveal(seat, play.hidden(len(hand))) for seat, hand in hands)
        if state.phase is Phase.TO_DRAW:
            reason = abortive_reason(state)
            if reason is not None:
                events = tuple(event for event in events if isinstance(event, ev.Win))
            due = abortive_reasons(state)
            return (*events, *(ev.DrawnHand(draw) for draw in ABORTIVE_DRAWS if draw in due))
        if (
            state.phase is Phase.TO_DISCARD
            and "nine_terminals" in _abortive(state)
            and may_call_nine_terminals(state)
        ):
            return (*events, ev.DrawnHand("nine_terminals"))
        return events


def _abortive(state: State) -> tuple[object, ...]:
    allowed = state.options["abortive_draws"]
    return allowed if isinstance(allowed, tuple) else ()


class RiichiClaims(ClaimRules):
    def faults(self, state: State, claim: ev.Claim, *, ended: bool) -> tuple[Fault, ...]:
        """A fifth kong is none either: nobody could draw its replacement."""
        fifth = isinstance(claim, ev.Kong) and kongs(state) >= MOST_KONGS
        faults = super().faults(state, claim, ended=ended or fifth)
        if is_dead(state, claim.seat):
            faults = (Fault("dead_hand"), *faults)
        if isinstance(claim, ev.Kong):
            false = claims.false_kong(state, claim)
            return (*faults, Fault("false_kong")) if false else faults
        swaps = not faults and claims.only_swaps(state, claim)
        return (Fault("swap_calling"),) if swaps else faults

    def keeps_hand(self, state: State, kong: ev.Kong) -> bool:
        """A closed kong of the wrong tiles is another fault: a false kong."""
        return kong.kind == "closed"


class RiichiJudge(Judge):
    ready_calls = ReadyCalls.ALLOWED
    waits_when_barred = True

    def forms(self, options: Mapping[str, object]) -> frozenset[HandForm]:
        return CLOSED_FORMS

    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        player = state.players[seat]
        codes = []
        if any(meld.is_open for meld in player.melds):
            codes.append("closed_hand_needed")
        if live_wall(state) < FEWEST_FOR_RIICHI and not _declared_before(state, seat):
            codes.append("too_few_tiles")
        if _cannot_pay(state, seat):
            codes.append("too_few_points")
        hand = player.waiting
        if hand is not None and not is_ready(hand, player.melds, state.options):
            codes.append("no_wait")
        return None if hand is None and not codes else tuple(codes)

    def bar(self, player: Player) -> str | None:
        return "dead_hand" if player.irregular & DEAD else None

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        code = refusal(state, seat, hand, tile, how)
        return refused(code, {"tile": tile}) if code else COUNTS


def _cannot_pay(state: State, seat: Seat) -> bool:
    """Whether points are too few for a deposit, where a game ends below zero."""
    short = bool(state.options["bankruptcy"]) and state.points[seat] < DEPOSIT
    return short and not _declared_before(state, seat)


def _declared_before(state: State, seat: Seat) -> bool:
    """Whether riichi was declared with an earlier discard than the last one.

    If the declaring tile was claimed, the next discard is turned sideways instead.
    """
    river = state.players[seat].river
    now = bool(river) and river[-1].ready
    return state.players[seat].ready and (not now or any(thrown.ready for thrown in river[:-1]))


class RiichiPayment(Payment):
    rows = PAYMENTS

    def winners(self, state: State) -> Winners:
        allowed = 1 if state.options["multiple_ron"] == "nearest" else MOST_WINNERS
        called_off_at = MOST_WINNERS if may_be_three_wins(state) else None
        return Winners(allowed, most_paid(state), called_off_at, first_at_once=True)

    def settle(self, state: State, wins: Sequence[ev.Win]) -> Payout:
        return settled(state, wins)


def _preset(name: str, options: Sequence[Option]) -> RuleSet:
    """One preset: the values of its options; everything else is the same."""
    reds = next(option.default for option in options if option.name == "red_fives")
    return RuleSet(
        id=name,
        texts=__package__,
        source="004",
        glossary=("riichi", "yaku", "dora", "furiten", "fan_and_fu", "counter", "deposit"),
        pictures={
            "riichi": "123m 456p 789s 22z 56m",
            "yaku": "234m 456p 678s 55p 666s",
            "dora": "3m 4m",
            "furiten": "56m 4m 7m",
            "fan_and_fu": "5555z 999m",
            "counter": "1z 1z",
            "deposit": "123m 456p 789s 22z 56m",
        },
        explains={"ready": "riichi", "Win": "yaku", "payout": "fan_and_fu"},
        layout=TableLayout(
            river="rows",
            turned_by_rule="004, 3.3.5",
            closed_kong_down=frozenset({1, 2}),
            ready_sign="sideways",
            indicator_at="wall",
            indicator_kinds=DORA_KINDS,
            under_kind="ura_dora",
        ),
        page=PageNeeds("riichi", "riichi", round=True, honba=True, exports=("mjai", "tenhou6")),
        teaching=RiichiTeaching(
            cost_of_opening="no_riichi",
            lacks_worth="no_yaku",
            odds="riichi",
            example=ExampleHand("234m 789m 456p 22s", Tile("5p"), 3, open_pung("5z")),
        ),
        options=options,
        problems=PROBLEMS,
        wall=RedFivesWall(_WALLS[reds], never_drawn=DEAD_WALL),
        turns=RiichiTurns(),
        claims=RiichiClaims(),
        judge=RiichiJudge(),
        indicators=RiichiIndicators(),
        payment=RiichiPayment(),
        hands=next_hand.RiichiHands(),
    )


RIICHI: Final = _preset("riichi", EMA_2008)
RIICHI_2016: Final = _preset("riichi-2016", EMA_2016)
RIICHI_2025: Final = _preset("riichi-2025", EMA_2025)
RIICHI_TENHOU: Final = _preset("riichi-tenhou", TENHOU)
RIICHI_M_LEAGUE: Final = _preset("riichi-m-league", M_LEAGUE)
RIICHI_WRC: Final = _preset("riichi-wrc", WRC)
RIICHI_MAHJONG_SOUL: Final = _preset("riichi-mahjong-soul", MAHJONG_SOUL)
