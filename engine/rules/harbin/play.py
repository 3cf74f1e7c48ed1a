"""What the Harbin games have in common: documents 000 and 001, as settled for this engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine import declare
from engine.announce import Payout, Ready
from engine.events import (
    Chow,
    Claim,
    Discard,
    Entry,
    Event,
    Indicator,
    Kong,
    Pung,
    Seat,
    Win,
)
from engine.hands import waits as waits_of
from engine.play import IN_PLAY
from engine.rules.announcements import ready_announcements
from engine.rules.base import Announcements, BetweenHands, RuleSet
from engine.rules.claims import ClaimRules
from engine.rules.flow import Flow
from engine.rules.harbin.limits import MOST_SETS, Limits
from engine.rules.harbin.payment import HarbinPayment
from engine.rules.harbin.secret_indicator import SecretIndicator
from engine.rules.turns_and_claims import keeps_ready_hand
from engine.rules.verdict import COUNTS, UNPROVEN, Fault, How, ReadyCalls, Verdict, no_win, refused
from engine.state import State
from engine.tile_counts import copies_named
from engine.tiles import COPIES, KINDS, RED_DRAGON, Tile

SUITS_AND_DRAGON: Final = {
    tile: COPIES for tile in map(Tile, KINDS) if tile.suit != "z" or tile == RED_DRAGON
}


HARBIN_CLAIMS: Final = ClaimRules(
    ready=(Chow, Pung), no_ready="no_pung_ready", most_sets=MOST_SETS, kong_after_claim=True
)
"""000, 4 and 5.6; 001 has no pung with a call of ready by default."""


class Harbin(Flow):
    """What both Harbin rule sets share; each sets the values in which they differ."""

    secret: SecretIndicator
    payment: HarbinPayment

    texts = __package__
    wall = SUITS_AND_DRAGON
    never_drawn = 4
    last_turn_left = 8  # 000, 7.2
    ready_calls = ReadyCalls.NEEDED
    waits_when_barred = True
    between_hands = BetweenHands((*BetweenHands.fixed, "round", "staying"))
    barring = ("false_ready", *RuleSet.barring)

    @property
    def limits(self) -> Limits:
        return self.payment.limits

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        return self.payment.settle(state, wins)

    # --- turns and claims ---

    def claim_rank(self, state: State, event: Claim | Win) -> int:
        """000, 4.4 and 6.3: win, ready claim, kong or pung, chow. 0 for a forbidden claim."""
        if isinstance(event, Win):
            # A player looks at the treasure only after nobody has won on the last discard.
            return 4 if event.from_seat != event.seat else 3
        if isinstance(event, Kong) and event.kind != "open":
            return 0
        calls = self.claims.calls_of_ready(state)
        if isinstance(event, Pung) and event.ready and Pung not in calls:
            event = replace(event, ready=False)
        if self.faults(state, event):
            return 0
        if not isinstance(event, Kong) and event.ready:
            # A ready call that is known to be false gives the claim no precedence.
            if not self.missing(declare.claim(state, event), event.seat):
                return 3
            return self.claim_rank(state, replace(event, ready=False))
        return 1 if isinstance(event, Chow) else 2

    def faults(self, state: State, event: Event) -> tuple[Fault, ...]:
        match event:
            case Discard():
                player = state.players[event.seat]
                if keeps_ready_hand(player, event):
                    return ()
                return (Fault("ready_hand_fixed", {"tile": event.tile, "drawn": player.drawn}),)
            case Chow() | Pung() | Kong():
                return tuple(
                    Fault(code, ways=_meant(event, code))
                    for code in self.faults_of_claim(state, event)
                )
            case _:
                return ()

    # --- readiness ---

    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        """Codes of what a claim of being ready lacks.

        Directly after a chow or pung the discard is still open, so the best one counts.
        """
        player = state.players[seat]
        if player.holds_extra and player.drawn is None and player.known:
            return self.limits.lacks_after_discard(player.hand, player.melds)
        hand = player.waiting
        if hand is not None:
            return self.limits.lacks(hand, player.melds)
        return self.limits.lacks_by_sets(player.melds) if player.sets_counted else None

    # --- the secret indicator ---

    def wins_if_drawn(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """000, 9.4; 001, Treasure Win: kinds that only this ready player may know."""
        player = state.players[seat]
        if not player.ready or self.bar(player):
            return ()
        return tuple(sorted(self.secret.treasures(state) or ()))

    def follow(self, before: State, after: State, event: Event) -> tuple[State, Announcements]:
        announced: Announcements = []
        if isinstance(event, Indicator) and after.phase in IN_PLAY:
            if not self.secret.may_look(after):
                announced.append(self.problem("no_indicator_now", None))
            for seat in range(4):
                announced += self._announced_to_who_looks(after, seat)
        elif isinstance(event, (Discard, Chow, Pung)) and event.ready:
            # A known hand was told when its claim was judged.
            hidden = not after.players[event.seat].known
            announced += self._announced_to_who_looks(after, event.seat) if hidden else []
        return after, announced

    def _announced_to_who_looks(self, state: State, seat: Seat) -> Announcements:
        """What the treasure means to a ready player."""
        on_draw = self.wins_if_drawn(state, seat)
        if not on_draw:
            return []
        if not state.players[seat].known:
            return [Ready(seat, unknown=True, on_draw=on_draw, audience=seat)]
        announced = ready_announcements(self, state, seat)
        return [
            announcement
            for announcement in announced
            if isinstance(announcement, Ready) and announcement.audience == seat
        ]

    # --- wins ---

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        melds, win = state.players[seat].melds, how.win
        if win is not None and len(melds) > MOST_SETS:
            return refused("fourth_set")
        if win is not None and not tile.known:
            return self._counts(state, win)
        if hand is None:
            return COUNTS if win is None else self._judge_shape(state, win)
        missing = () if win is None else self.limits.lacks(hand, melds)
        if missing:
            return refused("false_ready", {"missing": missing})
        code = dict(self.limits.waits(hand, melds)).get(tile.kind, "not_a_win")
        if win is None:
            return COUNTS if code is None else refused(code)
        if code is None or self._can_be_treasure(state, win):
            return self._counts(state, win)
        return refused(code, {"tile": tile})

    def _judge_shape(self, state: State, win: Win) -> Verdict:
        """Judge a hand whose declared sets nobody saw: its other tiles must fit."""
        hand = state.players[win.seat].undeclared
        if hand is None or win.tile.kind in waits_of(hand) or self._can_be_treasure(state, win):
            return self._counts(state, win)
        return no_win(win.tile)

    def _counts(self, state: State, win: Win) -> Verdict:
        """A tile that is no wait can only be the treasure, which may be unknown."""
        waits = self.limits.good_waits(state.players[win.seat])
        unknown = self.secret.treasures(state) is None
        return UNPROVEN if waits is not None and win.tile.kind not in waits and unknown else COUNTS

    def _can_be_treasure(self, state: State, win: Win) -> bool:
        """Whether the tile wins as the treasure, or may while the treasure is unknown."""
        if not self.secret.wins_from(state, win.seat, win.from_seat):
            return False
        treasures = self.secret.treasures(state)
        if treasures is not None:
            return win.tile.kind in treasures
        copies = copies_named(state)
        return any(
            copies[tile] < COPIES and win.tile.kind in self.secret.treasures_of(tile, state.options)
            for tile in self.wall
        )


def _meant(event: Claim, code: str) -> tuple[tuple[Entry, ...], ...]:
    """A chow from across was probably a chow with a ready sign that nobody saw."""
    if code == "not_left_neighbour" and isinstance(event, Chow):
        return ((Entry(replace(event, ready=True)),),)
    if code == "no_pung_ready" and isinstance(event, Pung):
        return ((Entry(replace(event, ready=False)),),)
    return ()
