"""What one hand carries over to the next: dealer, round, counters, what is left to be settled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from engine.announce import GameResult, HandResult
from engine.events import GameEnd, HandEnd, HandStart
from engine.places import places_of
from engine.rules.verdict import Fault
from engine.state import State
from engine.tiles import WINDS


class BetweenHands(ABC):
    """What one hand carries over to the next, and leaves to be settled."""

    def expected(self, state: State) -> Mapping[str, object]:
        """The fields of ``hand_start`` that follow from the hand before, with their values."""
        return {"dealer": state.dealer, "honba": state.honba, "deposits": state.pot}

    @abstractmethod
    def next_hand(self, state: State) -> HandResult:
        """Dealer, round and counters of the hand after a settled one."""

    def faults(self, state: State, event: HandStart | HandEnd) -> tuple[Fault, ...]:
        """What forbids another hand, or what seats still had to do before the end of this one."""
        return ()

    def final(self, state: State, event: GameEnd) -> GameResult:
        """Points and places if the game ended now; by default level seats share a place."""
        return GameResult(state.points, places_of(state.points))


# --- games of four rounds ---


def round_ends(state: State) -> bool:
    return (state.dealer + 1) % 4 == state.first_dealer


def rounds_over(state: State) -> bool:
    """Whether the last dealer of the North round has passed the deal with the last hand."""
    last = state.ended
    passed = last is not None and last.round == WINDS[-1] and last.dealer != state.dealer
    return passed and state.dealer == state.first_dealer


def deal_passed(state: State) -> HandResult:
    """The next player deals, from the first dealer on in the next round."""
    place = WINDS.index(state.round) if state.round in WINDS else 0
    wind = WINDS[(place + round_ends(state)) % len(WINDS)]
    return HandResult((state.dealer + 1) % 4, wind, 0, 0, 1)
