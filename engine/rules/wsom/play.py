"""World Series of Mahjong v1.03 with the Zung Jung patterns: document 003, as settled here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine import events as ev
from engine import hands, play
from engine.announce import HandResult, Item, Payout, Problem, Wait, note
from engine.events import Seat
from engine.hands import HandForm
from engine.hands.goals import ANY_HAND, Goal
from engine.rules import results
from engine.rules.announcements import copies_left, fault
from engine.rules.arrangement import Finish, arrangements
from engine.rules.base import Announcements, BetweenHands, PageNeeds, Teaching
from engine.rules.flow import Flow
from engine.rules.hooks import Fault, Hooks
from engine.rules.layout import TableLayout
from engine.rules.patterns import Pattern, with_points
from engine.rules.results import nobody_wins, payout
from engine.rules.turns_and_claims import claimed_without_draw
from engine.rules.walls import ALL_KINDS, DEAD_WALL
from engine.rules.wsom import penalty_tiles
from engine.rules.wsom.table_state import (
    WsomTable,
    exposed,
    in_deal,
    kept,
    miscounted,
    open_penalties,
    with_penalty,
)
from engine.rules.wsom.tables import LIMIT, NO_PATTERN, OLDER, OPTIONS, PROBLEMS, ROWS
from engine.rules.wsom.wins import finish, luck, shares
from engine.rules.wsom.zung_jung import ZUNG_JUNG, PatternScore, best_score
from engine.state import State
from engine.tiles import COPIES, UNKNOWN, WINDS, Tile

FORMS: Final = frozenset({HandForm.SETS, HandForm.PAIRS, HandForm.ORPHANS})
GOALS: Final = (ANY_HAND, Goal(form=HandForm.PAIRS), Goal(form=HandForm.ORPHANS))
EXPOSING: Final = ("exposed_tile", "wrong_claim", "false_win")
"""Offences that leave the tiles named by the foul lying open."""
TABLES: Final[Mapping[str, Sequence[Pattern]]] = {
    "current": ZUNG_JUNG,
    "older": with_points(ZUNG_JUNG, OLDER),
}
"""Patterns by the option ``pattern_table``."""
PENALTY: Final = "penalty_tile_in_claim"


class WsomHands(BetweenHands):
    def started(self, state: State, event: ev.HandStart) -> State:
        return replace(state, kept=WsomTable())

    def ended(self, state: State) -> State:
        last = state.round == WINDS[-1] and _round_ends(state)
        return replace(state, kept=replace(kept(state), rounds_over=last))


def _round_ends(state: State) -> bool:
    return (state.dealer + 1) % 4 == state.first_dealer


class Wsom(Flow):
    """The World Series rules; which table gives the points of the patterns is an option."""

    id = "wsom"
    source = "003"
    options = OPTIONS
    problems = PROBLEMS
    payments = (*ROWS, *(pattern.name for pattern in ZUNG_JUNG), NO_PATTERN, LIMIT)
    teaching = Teaching(GOALS, cost_of_opening="loses_concealed")
    between_hands = WsomHands((*BetweenHands.fixed, "round"))
    layout = TableLayout(river="rows")
    page = PageNeeds(round=True)
    words = __package__
    glossary = ("pattern", "penalty_tile")
    wall = ALL_KINDS
    barring = ("short_hand", "long_hand", *Hooks.barring)
    ready_by_discard = False
    ready_calls = False

    # --- turns and claims ---

    def live_wall(self, state: State) -> int:
        """Tiles to draw; the live wall refills the dead one after a replacement."""
        return state.wall_left - DEAD_WALL

    def faults(self, state: State, event: ev.Event) -> tuple[Fault, ...]:
        match event:
            case ev.Discard(seat, tile):
                penalty = kept(state).penalties[seat]
                dead = penalty_tiles.discards_dead(penalty, state.players[seat], event)
                return (("dead_tile", {"tile": tile}),) if dead else ()
            case ev.HandStart() if kept(state).rounds_over:
                return (("rounds_over", {}),)
            case ev.Chow() | ev.Pung() | ev.Kong():
                return (*self._faults_of_claim(state, event), *self._penalty_in_claim(state, event))
            case _:
                return ()

    def _faults_of_claim(self, state: State, event: ev.Claim) -> list[Fault]:
        codes = []
        if isinstance(event, ev.Chow) and (event.from_seat + 1) % 4 != event.seat:
            codes.append("not_left_neighbour")
        own_kong = isinstance(event, ev.Kong) and event.kind != "open"
        if own_kong and (self.wall_used_up(state) or claimed_without_draw(state, event.seat)):
            codes.append("no_kong_now")
        if not own_kong and self.wall_used_up(state):
            codes.append("claim_forbidden")
        if "long_hand" in state.players[event.seat].irregular:
            codes.append("long_hand")
        return [(code, {}) for code in codes]

    def _penalty_in_claim(self, state: State, event: ev.Claim) -> list[Fault]:
        if isinstance(event, ev.Kong) and event.kind == "closed":
            return []
        penalty = kept(state).penalties[event.seat]
        used = penalty_tiles.in_claim(penalty, state.players[event.seat], event)
        return [(PENALTY, {"tiles": used})] if used else []

    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        return ("no_ready_call",)

    # --- waits ---

    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None:
        """Every tile that completes the hand; none wins for a dead hand.

        With penalty tiles, some tiles complete the hand only when drawn.
        """
        player = state.players[seat]
        hand = player.waiting
        if hand is None:
            return None
        own = Counter(tile for meld in player.melds for tile in meld.tiles)
        kinds = [kind for kind in hands.waits(hand, forms=FORMS) if own[kind] < COPIES]
        kinds = [kind for kind in kinds if own[kind] + hand.count(kind) < COPIES]
        left = copies_left(self, state, seat) if kinds else Counter[Tile]()
        left.subtract(open_penalties(state, seat))
        barring = self.bar(player)
        if barring is not None:
            return tuple(Wait(kind, max(left[kind], 0), barring) for kind in kinds)
        claimable = [kind for kind in kinds if self._may_claim(state, seat, hand, kind)]
        return tuple(
            Wait(kind, max(left[kind], 0), *(() if kind in claimable else (PENALTY, PENALTY)))
            for kind in kinds
        )

    def _may_claim(self, state: State, seat: Seat, hand: tuple[Tile, ...], tile: Tile) -> bool:
        penalty = kept(state).penalties[seat].tiles
        if not penalty:
            return True
        melds = state.players[seat].melds
        finished = Finish((*hand, tile), melds, tile, True, state.seat_wind(seat), penalty=penalty)
        return any(arrangements(finished))

    # --- wins ---

    def may_win(self, state: State, seat: Seat) -> bool:
        return self.bar(state.players[seat]) is None

    def problems_of_win(self, state: State, win: ev.Win) -> tuple[Problem, ...]:
        player = state.players[win.seat]
        if self.miscounted(player):
            return (fault(self, "wrong_tile_count", win.seat),)
        barring = self.bar(player)
        if barring is not None:
            return (fault(self, barring, win.seat),)
        finished = finish(state, win, kept(state).penalties[win.seat].tiles)
        if finished is None or any(arrangements(finished)):
            return ()
        penalty = any(arrangements(finished, heed_penalties=False))
        code = PENALTY if penalty else "not_a_win"
        values = {"tiles": finished.penalty} if penalty else None
        return (fault(self, code, win.seat, values),)

    def score(self, state: State, win: ev.Win) -> PatternScore | None:
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

    def settle(self, state: State, wins: Sequence[ev.Win]) -> Payout:
        if not wins:
            return nobody_wins(state)
        win = wins[0]
        score = self.score(state, win)
        notes = [note(name) for name in luck(state, win).unknown]
        if score is not None:
            value, items = score.value, self._lines(score)
        else:
            # 003: the winner counts the hand; until it is shown, nobody can check that.
            value = win.claimed or 0
            called = [Item("score_called", value, "points")] if value else []
            items = [*called, note("hand_unknown")]
        row, deltas, more = shares(state, win, value)
        named = [Item(row, value, "points")] if value else []
        return payout(state, win.seat, deltas, (*named, *items, *notes, *more))

    def _lines(self, score: PatternScore) -> list[Item]:
        lines = [Item(pattern.name, points, "points") for pattern, points in score.lines]
        if score.total > score.value:
            lines.append(Item(LIMIT, score.value, "points"))
        return lines or [Item(NO_PATTERN, score.value, "points")]

    # --- penalties and what people say ---

    def ruled(self, state: State, event: ev.Foul) -> tuple[State, Announcements]:
        after, announced = super().ruled(state, event)
        if event.offence not in EXPOSING:
            return after, announced
        tiles = event.tiles or (UNKNOWN,)
        problem = fault(self, event.offence, event.seat, {"tiles": tiles})
        if state.phase not in play.IN_PLAY:
            return after, [problem]
        lying = exposed(after, event.seat, tiles)  # raises for tiles that are not held
        if event.offence == "exposed_tile" and in_deal(state, event.seat):
            problem = replace(problem, follows="one_tile_free", values={"free": tiles[0]})
            lying = exposed(after, event.seat, tiles[1:])
        return lying, [problem]

    def follow(self, before: State, after: State, event: ev.Event) -> tuple[State, Announcements]:
        match event:
            case ev.Discard(seat):
                penalty = penalty_tiles.after_discard(
                    kept(before).penalties[seat], before.players[seat], event
                )
                return with_penalty(after, seat, penalty), []
            case ev.Chow(seat=seat) | ev.Pung(seat=seat) | ev.Kong(seat=seat):
                penalty = penalty_tiles.after_claim(
                    kept(before).penalties[seat], before.players[seat], event
                )
                return with_penalty(after, seat, penalty), []
            case ev.Win(seat=seat) if event not in after.wins:
                return self._false_win(after, event), []
            case ev.Reveal(seat, tiles):
                if "wrong_tile_count" in after.players[seat].irregular:
                    due = len(after.players[seat].hand)
                    after = miscounted(after, seat, len(tiles), due)
                return after, self._compared(before, after)
            case ev.Win():
                return after, self._compared(before, after)
            case ev.Foul() if after.wins:
                return results.rejudge(self, after)
            case _:
                return after, []

    def lying_open(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        held = Counter(tile for tile in state.players[seat].hand if tile.known)
        return tuple((held & Counter(kept(state).penalties[seat].tiles)).elements())

    def _false_win(self, state: State, win: ev.Win) -> State:
        """003: tiles of the hand that were shown against the rules become penalty tiles."""
        if win.hand is None or state.phase not in play.IN_PLAY:
            return state
        due = self.hand_size - 3 * len(state.players[win.seat].melds)
        state = miscounted(state, win.seat, len(win.hand), due)
        tiles = tuple(tile for tile in state.players[win.seat].hand if tile.known)
        penalty = replace(kept(state).penalties[win.seat], live=tiles, dead=())
        return with_penalty(state, win.seat, penalty)

    def _compared(self, before: State, after: State) -> Announcements:
        """003: compare the winner's announced score with the greatest one."""
        announced: Announcements = []
        for win in after.wins:
            score = self.score(after, win)
            compared = win in before.wins and self.score(before, win) is not None
            if score is None or compared or win.claimed in (None, score.value):
                continue
            code = "score_too_high" if (win.claimed or 0) > score.value else "score_too_low"
            values = {"called": win.claimed, "value": score.value}
            announced.append(fault(self, code, win.seat, values))
        return announced

    # --- hands and rounds ---

    def next_hand(self, state: State) -> HandResult:
        """003: the deal always passes; after North the East round would come again."""
        place = WINDS.index(state.round) if state.round in WINDS else 0
        wind = WINDS[(place + _round_ends(state)) % len(WINDS)]
        return HandResult((state.dealer + 1) % 4, wind, 0, 0, 1)


WSOM: Final = Wsom()
