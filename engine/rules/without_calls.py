"""What games without a call of readiness share: a hand wins when it is complete and not barred."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter

from engine import events as ev
from engine import hands
from engine.announce import HandResult, Problem, Wait
from engine.events import Seat
from engine.hands import HandForm
from engine.rules.announcements import copies_left, fault
from engine.rules.flow import Flow
from engine.rules.turns_and_claims import claimed_without_draw
from engine.state import State
from engine.tiles import WINDS, Tile


class WithoutCalls(Flow):
    """A game in which nobody calls ready."""

    forms: frozenset[HandForm] = frozenset()
    """Forms that a complete hand may have."""
    ready_by_discard = False
    ready_calls = False

    def live_wall(self, state: State) -> int:
        return state.wall_left

    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        return ("no_ready_call",)

    def faults_of_claim(self, state: State, claim: ev.Claim) -> list[str]:
        """A chow from across, and claims and kongs that the end of the wall forbids."""
        used_up = self.wall_used_up(state)
        match claim:
            case ev.Kong(kind=kind, seat=seat):
                without_draw = kind != "open" and claimed_without_draw(state, seat)
                return ["no_kong_now"] if used_up or without_draw else []
            case ev.Chow(seat=seat, from_seat=giver) if (giver + 1) % 4 != seat:
                return ["not_left_neighbour", *(["claim_forbidden"] if used_up else [])]
            case _:
                return ["claim_forbidden"] if used_up else []

    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None:
        """Tiles that complete the hand; none wins for a barred one."""
        player = state.players[seat]
        hand = player.waiting
        if hand is None:
            return None
        own = Counter((*hand, *(tile for meld in player.melds for tile in meld.tiles)))
        complete = hands.waits(hand, forms=self.forms)
        kinds = [kind for kind in complete if own[kind] < self.wall.get(kind, 0)]
        left = self.copies_left(state, seat) if kinds else Counter[Tile]()
        barring = self.bar(player)
        waits = (Wait(kind, max(left[kind], 0), barring) for kind in kinds)
        return tuple(wait if barring else self.judged(state, seat, hand, wait) for wait in waits)

    def copies_left(self, state: State, seat: Seat) -> Counter[Tile]:
        return copies_left(self, state, seat)

    def judged(self, state: State, seat: Seat, hand: tuple[Tile, ...], wait: Wait) -> Wait:
        """The wait, with the rule of this game that refuses it."""
        return wait

    def may_win(self, state: State, seat: Seat) -> bool:
        return self.bar(state.players[seat]) is None

    def problems_of_win(self, state: State, win: ev.Win) -> tuple[Problem, ...]:
        player = state.players[win.seat]
        barring = "wrong_tile_count" if self.miscounted(player) else self.bar(player)
        if barring is not None:
            return (fault(self, barring, win.seat),)
        return self.problems_of_hand(state, win)

    @abstractmethod
    def problems_of_hand(self, state: State, win: ev.Win) -> tuple[Problem, ...]:
        """Why a hand that is not barred is no win."""


# --- games of four rounds ---


def round_ends(state: State) -> bool:
    return (state.dealer + 1) % 4 == state.first_dealer


def is_last_deal(state: State) -> bool:
    """Whether the last dealer of the North round deals."""
    return state.round == WINDS[-1] and round_ends(state)


def deal_passed(state: State) -> HandResult:
    """The next player deals, from the first dealer on in the next round."""
    place = WINDS.index(state.round) if state.round in WINDS else 0
    wind = WINDS[(place + round_ends(state)) % len(WINDS)]
    return HandResult((state.dealer + 1) % 4, wind, 0, 0, 1)
