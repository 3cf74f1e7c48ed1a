"""Harbin Limiting Rules (Qionghu), tournament form: document 000, as settled for this engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine import declare
from engine.announce import HandResult, Item, Payout, Problem, Wait
from engine.events import (
    Chow,
    Claim,
    Correct,
    Discard,
    Entry,
    Event,
    Indicator,
    Kong,
    Pung,
    Seat,
    Win,
)
from engine.play import IllegalEvent
from engine.rules.base import Option, Ruling
from engine.rules.flow import Fault, Flow
from engine.rules.harbin_tables import OPTIONS, PAYMENTS, PROBLEMS, Pays
from engine.rules.limits import COPIES, MOST_SETS, WHEN_FINISHED, WHEN_READY, Limits
from engine.rules.sayings import copies_left, fault
from engine.seen import open_tiles, told
from engine.state import Player, State
from engine.tiles import KINDS, RED_DRAGON, Tile

LAST_TURN_LEFT: Final = 8
"""000, 7.2: with so many undealt tiles the last turn begins."""
DRAWN_LEFT: Final = 4
LEAST_WITHOUT_SETS: Final = 3


SUITS_AND_DRAGON: Final = {
    tile: COPIES for tile in map(Tile, KINDS) if tile.suit != "z" or tile == RED_DRAGON
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Harbin(Flow):
    """One Harbin rule set: the values in which they differ, and what is done with them."""

    id: str
    title: str
    source: str
    limits: Limits
    ready_claims: tuple[type[Chow] | type[Pung], ...]
    """Claims that may be made together with a call of being ready, then from any seat."""
    rows: Mapping[str, Pays]
    options: Sequence[Option]
    problems: Mapping[str, Ruling]
    indicator_kinds: frozenset[str]

    wall = SUITS_AND_DRAGON

    @property
    def payments(self) -> Sequence[str]:
        return tuple(self.rows)

    # --- turns and claims ---

    def last_turn(self, state: State) -> bool:
        return state.wall_left <= LAST_TURN_LEFT

    def wall_used_up(self, state: State) -> bool:
        return state.wall_left <= DRAWN_LEFT

    def sees_indicators(self, state: State, seat: Seat | None) -> bool:
        """000, 3.2: only who has claimed ready may look."""
        return seat is not None and state.players[seat].ready

    def claim_rank(self, state: State, event: Claim | Win) -> int:
        """000, 4.4 and 6.3: win, ready claim, kong or pung, chow; 0 for what is not allowed."""
        if isinstance(event, Win):
            return 4
        if self.faults(state, event):
            return 0
        if not isinstance(event, Kong) and event.ready:
            # A call of ready that is known to be wrong lifts the claim above no other.
            if not self.missing(declare.claim(state, event), event.seat):
                return 3
            return self.claim_rank(state, replace(event, ready=False))
        return 1 if isinstance(event, Chow) else 2

    def faults(self, state: State, event: Event) -> tuple[Fault, ...]:
        match event:
            case Discard():
                return self._faults_of_discard(state.players[event.seat], event)
            case Chow() | Pung() | Kong():
                return tuple((code, {}) for code in self._faults_of_claim(state, event))
            case _:
                return ()

    def _faults_of_discard(self, player: Player, event: Discard) -> tuple[Fault, ...]:
        if not player.ready or player.drawn is None:
            return ()
        other = player.drawn.known and event.tile.known and player.drawn != event.tile
        if other or event.drawn is False:
            return (("ready_hand_fixed", {"tile": event.tile, "drawn": player.drawn}),)
        return ()

    def _faults_of_claim(self, state: State, event: Claim) -> list[str]:
        player = state.players[event.seat]
        codes = []
        if player.ready:
            codes.append("ready_hand_fixed")
        added = isinstance(event, Kong) and event.kind == "added"
        if len(player.melds) >= MOST_SETS and not added:
            codes.append("fourth_set")
        calls_ready = not isinstance(event, Kong) and event.ready
        if calls_ready and type(event) not in self.ready_claims:
            codes.append("claim_forbidden")
        if isinstance(event, Chow):
            left = (event.from_seat + 1) % 4 == event.seat
            if not left and not event.ready:
                codes.append("not_left_neighbour")
        if self.last_turn(state):
            codes.append("no_kong_now" if isinstance(event, Kong) else "claim_forbidden")
        return codes

    def regular_readings(self, state: State, event: Event, code: str) -> tuple[Event, ...]:
        """A chow from across may well have been a chow ready whose sign nobody saw."""
        if code == "not_left_neighbour" and isinstance(event, Chow):
            return (replace(event, ready=True),)
        return ()

    # --- readiness ---

    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None:
        player = state.players[seat]
        hand = player.waiting
        if hand is None:
            return None
        judged = self.limits.waits(hand, player.melds)
        left = copies_left(self, state, seat) if judged else Counter[Tile]()
        return tuple(Wait(tile, left[tile], refused) for tile, refused in judged)

    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        """Codes of what a claim of being ready lacks.

        Directly after a chow or pung the discard is still open: the best one counts.
        """
        player = state.players[seat]
        if player.holds_extra and player.drawn is None and player.known:
            ways = (
                self.limits.lacks(player.hand[:place] + player.hand[place + 1 :], player.melds)
                for place in range(len(player.hand))
            )
            return min(ways, key=len)
        hand = player.waiting
        if hand is not None:
            return self.limits.lacks(hand, player.melds)
        nothing_open = player.sets_counted and not any(meld.is_open for meld in player.melds)
        return ("not_open",) if nothing_open and "not_open" in self.limits.when_ready else None

    # --- the dora ---

    def dora(self, state: State) -> Tile | None:
        """The kind that may be won with by own draw; None while nobody has told it.

        000, 3.3: once the other three lie open, the last tile of the wall takes its place, and that
        one is not known until somebody has looked.
        """
        known = [told.tile for told in state.indicators if told.kind in self.indicator_kinds]
        if not known or not known[-1].known:
            return None
        copies = sum(tile.kind == known[-1].kind for tile in open_tiles(state))
        return None if copies >= COPIES - 1 else known[-1].kind

    def indicate(self, state: State, event: Indicator) -> State:
        now = self.dora(state)
        if now is not None and event.tile.kind == now:
            return replace(state)
        if now is not None and event.tile.known:
            # Only ready players may know the dora, so the problem does not name it.
            raise IllegalEvent("contradicts", None, "other_dora_known", [()])
        return super().indicate(state, event)

    # --- wins ---

    def may_win(self, state: State, seat: Seat) -> bool:
        return state.players[seat].ready or not state.players[seat].ready_told

    def problems_of_win(self, state: State, win: Win) -> tuple[Problem, ...]:
        player = state.players[win.seat]
        if len(player.hand) != self.hand_size + 1 - 3 * len(player.melds):
            return (fault(self, "wrong_tile_count", win.seat),)
        if not self.may_win(state, win.seat):
            claimed = replace(
                fault(self, "not_ready", win.seat), suggestions=_ready_claimed(state, win)
            )
            return (claimed,)
        barred = next((code for code in BARRING if code in player.irregular), None)
        if barred:
            return (fault(self, barred, win.seat),)
        if len(player.melds) > MOST_SETS:
            return (fault(self, "fourth_set", win.seat),)
        hand = player.waiting
        if hand is None or not win.tile.known:
            return ()
        missing = self.limits.lacks(hand, player.melds)
        if missing:
            return (fault(self, "false_ready", win.seat, {"missing": missing}),)
        waits = dict(self.limits.waits(hand, player.melds))
        if waits.get(win.tile.kind, "not_a_win") is None or self._can_be_dora(state, win):
            return ()
        code = waits.get(win.tile.kind) or "not_a_win"
        return (fault(self, code, win.seat, {"tile": win.tile}),)

    def in_doubt(self, state: State, win: Win) -> bool:
        """A drawn tile that is no wait can only be the dora, and nobody has told the dora."""
        waits = self._good_waits(state, win.seat)
        return waits is not None and win.tile.kind not in waits and self.dora(state) is None

    def _can_be_dora(self, state: State, win: Win) -> bool:
        """Whether a drawn tile is of the dora's kind, or may be as far as anybody has told."""
        if win.seat != win.from_seat:
            return False
        dora = self.dora(state)
        if dora is None:
            return told(state)[win.tile] < COPIES
        return win.tile.kind == dora

    # --- payment ---

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        """000, 9 and 10: conditions of payment in the order in which the options are listed."""
        if not wins:
            return Payout(None, (0, 0, 0, 0), state.points, (Item("drawn_hand", 0, "points"),))
        win = wins[0]
        row, notes = self._row(state, win)
        pays = self.rows[row]
        holed, more = self._doubled(state, win, row)
        named = Item(row, max(pays.discarder, pays.each), "points")
        items = [*dict.fromkeys((named, *notes, *more))]
        least = LEAST_WITHOUT_SETS if state.options["no_melding_punishment"] else 0
        doubles_least = bool(state.options["no_melding_minimum_doubles"])
        times = 2 if holed else 1
        due = {}
        for seat in range(4):
            if seat == win.seat:
                continue
            due[seat] = (pays.discarder if seat == win.from_seat else pays.each) * times
            loser = state.players[seat]
            minimum = least * times if doubles_least else least
            if minimum <= due[seat] or any(meld.is_open for meld in loser.melds):
                continue
            if loser.sets_counted:
                due[seat] = minimum
                items.append(Item("no_melding", minimum, "points"))
            else:
                items.append(Item("sets_unknown", 0, "points"))
        if pays.shooting and state.options["shooting_punishment"]:
            due = {seat: sum(due.values()) if seat == win.from_seat else 0 for seat in due}
            items.append(Item("shooting", due[win.from_seat], "points"))
        deltas = [-due.get(seat, 0) for seat in range(4)]
        deltas[win.seat] = sum(due.values())
        points = tuple(own + delta for own, delta in zip(state.points, deltas, strict=True))
        return Payout(win.seat, tuple(deltas), points, tuple(items))

    def _row(self, state: State, win: Win) -> tuple[str, list[Item]]:
        """The row of the payment table, and what kept it from being a better one."""
        if win.from_seat != win.seat:
            if state.last_discard is not None and state.last_discard.added_kong:
                return f"robbed_kong_{state.options['robbed_kong_pays']}", []
            feeder = state.players[win.from_seat]
            if feeder.ready:
                return "discard_ready", []
            unknown = [] if feeder.ready_told else [Item("ready_unknown", 0, "points")]
            return "discard_not_ready", unknown
        dora = self.dora(state)
        if dora is None:
            return "self_draw", [Item("dora_unknown", 0, "points")]
        if win.tile.kind != dora:
            return "self_draw", []
        waits = self._good_waits(state, win.seat)
        if waits is None:
            return "dora", [Item("hand_unknown", 0, "points")]
        single = waits == [dora] and self._is_holed(state, win.seat, dora)
        return "doradora" if single else "dora", []

    def _doubled(self, state: State, win: Win, row: str) -> tuple[bool, list[Item]]:
        """Whether the holed wait doubles this win, and the lines that say so."""
        if not state.options["holed_wait_double"]:
            return False, []
        waits = self._good_waits(state, win.seat)
        if waits is None:
            return False, [Item("hand_unknown", 0, "points")]
        # A drawn dora wins whatever the wait, so there the wait counts, not the tile.
        completing = waits if row == "dora" else [win.tile.kind]
        holed = any(self._is_holed(state, win.seat, tile) for tile in completing)
        return holed, [Item("holed_wait", 2, "times")] if holed else []

    def _good_waits(self, state: State, seat: Seat) -> list[Tile] | None:
        player = state.players[seat]
        hand = player.waiting
        if hand is None or not player.known:
            return None
        return [tile for tile, refused in self.limits.waits(hand, player.melds) if not refused]

    def _is_holed(self, state: State, seat: Seat, tile: Tile) -> bool:
        """Whether this tile can complete the hand as the middle of a chow."""
        player = state.players[seat]
        hand = player.waiting
        assert hand is not None, "asked for known hands only"
        readings = self.limits.readings((*hand, tile), player.melds)
        return any(group.middle == tile for split in readings for group in split)

    # --- the next hand ---

    def next_hand(self, state: State) -> HandResult:
        """000, 8: the deal passes in turn, after a drawn hand too; a dealer who won stays."""
        stays = state.dealer in state.winners
        dealer = state.dealer if stays else (state.dealer + 1) % 4
        return HandResult(dealer, state.round, 0, 0, state.staying + 1 if stays else 1)


BARRING: Final = ("false_ready", "wrong_tile_count", "dead_hand")
"""What keeps a seat from winning for the rest of the hand."""


def _ready_claimed(state: State, win: Win) -> tuple[tuple[Entry, ...], ...]:
    """Corrections that say of the winner's last discards and claims: ready was claimed with it.

    They take the place of the win, so the win stands behind them.
    """
    ways = []
    for number, entry in reversed(state.history):
        event = entry.event
        if isinstance(event, Discard | Chow | Pung) and event.seat == win.seat:
            ready = replace(entry, event=replace(event, ready=True))
            same = tuple(
                ready if other is entry else other for at, other in state.history if at == number
            )
            ways.append((Entry(Correct(number, same)), Entry(win)))
    return tuple(ways[:3])


HARBIN_HLR: Final = Harbin(
    id="harbin-hlr",
    title="Harbin Limiting Rules",
    source="000",
    limits=Limits(WHEN_READY, WHEN_FINISHED),
    ready_claims=(Chow, Pung),
    rows=PAYMENTS,
    options=OPTIONS,
    problems=PROBLEMS,
    indicator_kinds=frozenset({"dora"}),
)
