"""World Series of Mahjong v1.03 with the Zung Jung patterns: document 003, as settled here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine import events as ev
from engine import play
from engine.announce import Announcements, Item, Payout, note
from engine.events import Seat
from engine.evolve import evolve
from engine.hands import HandForm
from engine.rules import results
from engine.rules.arrangement import Finish, arrangements
from engine.rules.base import PageNeeds, RuleSet
from engine.rules.claims import ClaimRules
from engine.rules.layout import TableLayout
from engine.rules.pattern_game import FourRounds
from engine.rules.patterns import Pattern, Worth, with_points
from engine.rules.payment import Payment, moved_to, nobody_wins, payout
from engine.rules.teaching import ExampleHand, Teaching
from engine.rules.turns import Turns
from engine.rules.verdict import (
    BARRING,
    COUNTS,
    Fault,
    How,
    Judge,
    Ruling,
    Verdict,
    first_of,
    refused,
)
from engine.rules.wall import ALL_KINDS, DEAD_WALL, Wall
from engine.rules.wsom.table_state import (
    WsomTable,
    exposed,
    in_deal,
    kept,
    miscounted,
    still_open,
    with_penalty,
)
from engine.rules.wsom.tables import (
    LIMIT,
    NO_PATTERN,
    OLDER,
    OPTIONS,
    PROBLEMS,
    ROWS,
    ZUNG_JUNG,
    best_score,
)
from engine.rules.wsom.wins import finish, luck, shares
from engine.state import Player, State
from engine.tiles import UNKNOWN, Tile

EXPOSING: Final = ("exposed_tile", "wrong_claim", "false_win")
"""Offences that leave the tiles named by the foul lying open."""
TABLES: Final[Mapping[str, Sequence[Pattern]]] = {
    "current": ZUNG_JUNG,
    "older": with_points(ZUNG_JUNG, OLDER),
}
"""Patterns by the option ``pattern_table``."""
LATE: Final = Ruling("003, Precedence of Claims", "chow_lies_displayed")
PENALTY: Final = "penalty_tile_in_claim"


class WsomClaims(ClaimRules):
    def faults(self, state: State, claim: ev.Claim, *, ended: bool) -> tuple[Fault, ...]:
        faults = super().faults(state, claim, ended=ended)
        if isinstance(claim, ev.Kong) and claim.kind == "open":
            faults = tuple(Fault("claim_forbidden") for _ in faults)
        if "long_hand" in state.players[claim.seat].irregular:
            faults = (*faults, Fault("long_hand"))
        return (*faults, *_penalty_in_claim(state, claim))

    def too_late(
        self, rules: RuleSet, state: State, event: ev.Claim | ev.Win, holder: ev.Claim | ev.Win
    ) -> Ruling | None:
        """003, Precedence of Claims: a displayed set ends the right to pung or kong the tile.

        Only a win goes on to come first, until the chow's player has discarded. A chow that is not
        legal has no precedence.
        """
        displayed = isinstance(holder, ev.Chow) and self.rank(rules, state, holder) > 0
        return LATE if displayed and not isinstance(event, ev.Win) else None


def _penalty_in_claim(state: State, event: ev.Claim) -> list[Fault]:
    if isinstance(event, ev.Kong) and event.kind == "closed":
        return []
    penalty = kept(state).penalties[event.seat]
    used = penalty.in_claim(state.players[event.seat], event)
    return [Fault(PENALTY, {"tiles": used})] if used else []


# --- wins ---


FORMS: Final = frozenset({HandForm.SETS, HandForm.PAIRS, HandForm.ORPHANS})


class WsomJudge(Judge):
    def forms(self, options: Mapping[str, object]) -> frozenset[HandForm]:
        return FORMS

    def bar(self, player: Player) -> str | None:
        return first_of(player, ("short_hand", "long_hand", *BARRING))

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        """With penalty tiles, some tiles complete the hand only when drawn."""
        penalty = kept(state).penalties[seat].tiles
        finished = _finished(state, seat, hand, tile, how, penalty)
        if finished is None or any(arrangements(finished)):
            return COUNTS
        penalty_alone = any(arrangements(finished, heed_penalties=False))
        return refused(PENALTY, {"tiles": penalty}) if penalty_alone else refused("not_a_win")


def _finished(
    state: State,
    seat: Seat,
    hand: tuple[Tile, ...] | None,
    tile: Tile,
    how: How,
    penalty: tuple[Tile, ...],
) -> Finish | None:
    """The hand to look into. None where it is hidden, or waits for this tile without more."""
    if how.win is not None:
        return finish(state, how.win, penalty)
    if hand is None or not penalty:
        return None
    melds, wind = state.players[seat].melds, state.seat_wind(seat)
    return Finish((*hand, tile), melds, tile, not how.drawn, wind, penalty=penalty)


def score_of(state: State, win: ev.Win) -> Worth | None:
    """The worth of the hand in its best arrangement. None while it is hidden.

    ``state`` is one that a valid win has led to.
    """
    finished = finish(state, win, kept(state).penalties[win.seat].tiles)
    return (
        None
        if finished is None
        else best_score(arrangements(finished), TABLES[str(state.options["pattern_table"])])
    )


# --- payment ---


class WsomPayment(Payment):
    rows = (*ROWS, *(pattern.name for pattern in ZUNG_JUNG), NO_PATTERN, LIMIT)

    def settle(self, state: State, wins: Sequence[ev.Win]) -> Payout:
        if not wins:
            return nobody_wins(state)
        win = wins[0]
        score = score_of(state, win)
        notes = [note(name) for name in luck(state, win).unknown]
        if score is not None:
            value, items = score.value, score.items("points", LIMIT, NO_PATTERN)
        else:
            # 003: the winner counts the hand; until it is shown, nobody can check that.
            value = win.claimed or 0
            called = [Item("score_called", value, "points")] if value else []
            items = [*called, note("hand_unknown")]
        row, owed, more = shares(state, win, value)
        named = [Item(row, value, "points")] if value else []
        paid = moved_to(win.seat, owed)
        return payout(state, win.seat, paid, (*named, *items, *notes, *more))


# --- penalties and what people say ---


class WsomTurns(Turns):
    def faults(self, state: State, discard: ev.Discard) -> tuple[Fault, ...]:
        penalty = kept(state).penalties[discard.seat]
        dead = penalty.discards_dead(state.players[discard.seat], discard)
        return (Fault("dead_tile", {"tile": discard.tile}),) if dead else ()

    def ruled(self, rules: RuleSet, state: State, event: ev.Foul) -> tuple[State, Announcements]:
        after, announced = super().ruled(rules, state, event)
        if event.offence not in EXPOSING:
            return after, announced
        tiles = event.tiles or (UNKNOWN,)
        problem = rules.problem(event.offence, event.seat, {"tiles": tiles})
        if state.phase not in play.IN_PLAY:
            return after, [problem]
        lying = exposed(after, event.seat, tiles)  # raises for tiles that are not held
        if event.offence == "exposed_tile" and in_deal(state, event.seat):
            problem = replace(problem, follows="one_tile_free", values={"free": tiles[0]})
            lying = exposed(after, event.seat, tiles[1:])
        return lying, [problem]

    def follow(
        self, rules: RuleSet, before: State, after: State, event: ev.Event
    ) -> tuple[State, Announcements]:
        if isinstance(event, ev.HandStart):
            return evolve(after, kept=WsomTable()), []
        after = still_open(before, after)
        match event:
            case ev.Discard(seat):
                penalty = kept(before).penalties[seat].after_discard(before.players[seat], event)
                return with_penalty(after, seat, penalty), []
            case ev.Chow(seat=seat) | ev.Pung(seat=seat) | ev.Kong(seat=seat):
                penalty = kept(before).penalties[seat].after_claim(before.players[seat], event)
                return with_penalty(after, seat, penalty), []
            case ev.Win(seat=seat) if event not in after.wins:
                return _false_win(rules, after, event), []
            case ev.Reveal(seat, tiles):
                if "wrong_tile_count" in after.players[seat].irregular:
                    due = len(after.players[seat].hand)
                    after = miscounted(after, seat, len(tiles), due)
                return after, _compared(rules, before, after)
            case ev.Win():
                return after, _compared(rules, before, after)
            case ev.Foul() if after.wins:
                return results.rejudge(rules, after)
            case _:
                return after, []


def _false_win(rules: RuleSet, state: State, win: ev.Win) -> State:
    """003: tiles of the hand that were shown against the rules become penalty tiles."""
    if win.hand is None or state.phase not in play.IN_PLAY:
        return state
    due = rules.wall.waiting(len(state.players[win.seat].melds))
    state = miscounted(state, win.seat, len(win.hand), due)
    tiles = tuple(tile for tile in state.players[win.seat].hand if tile.known)
    penalty = replace(kept(state).penalties[win.seat], live=tiles, dead=())
    return with_penalty(state, win.seat, penalty)


def _compared(rules: RuleSet, before: State, after: State) -> Announcements:
    """003: compare the winner's announced score with the greatest one."""
    announced: Announcements = []
    for win in after.wins:
        score = score_of(after, win)
        compared = win in before.wins and score_of(before, win) is not None
        if score is None or compared or win.claimed in (None, score.value):
            continue
        code = "score_too_high" if (win.claimed or 0) > score.value else "score_too_low"
        values = {"called": win.claimed, "value": score.value}
        announced.append(rules.problem(code, win.seat, values))
    return announced


WSOM: Final = RuleSet(
    id="wsom",
    texts=__package__,
    source="003",
    glossary=("pattern", "penalty_tile"),
    pictures={"pattern": "222m 555p 888s 444z 66z", "penalty_tile": "5p"},
    explains={
        "Win": "pattern",
        "payout": "pattern",
        **dict.fromkeys(("exposed_tile", "dead_tile", "wrong_claim"), "penalty_tile"),
    },
    layout=TableLayout(river="rows"),
    page=PageNeeds(round=True),
    teaching=Teaching(
        cost_of_opening="loses_concealed",
        odds="wsom",
        example=ExampleHand("123m 678m 456p 555z 99s", Tile("5z"), 3),
    ),
    options=OPTIONS,
    problems=PROBLEMS,
    wall=Wall(ALL_KINDS, never_drawn=DEAD_WALL),
    turns=WsomTurns(),
    claims=WsomClaims(),
    judge=WsomJudge(),
    payment=WsomPayment(),
    hands=FourRounds(stays=False),  # 003: after North the East round would come again
)
"""The World Series rules; which table gives the points of the patterns is an option."""
