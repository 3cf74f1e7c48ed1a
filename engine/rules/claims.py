"""What forbids a claim: the same rules in every game, over what a game says of its claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine.events import Chow, Claim, Kong, Pung, Win
from engine.rules.verdict import Fault, Ruling
from engine.state import State

if TYPE_CHECKING:
    from engine.rules.base import RuleSet

CLAIMS: Final = (Chow, Pung, Kong)
ReadyClaims = tuple[type[Chow] | type[Pung], ...]


@dataclass(frozen=True, eq=False)
class ClaimRules:
    """Which claims a game has, and how long."""

    chows: bool = True
    ready: Mapping[type[Chow] | type[Pung], str | None] = field(default_factory=dict)
    """Claims that may call ready, with the option that allows each; None: always. A chow with that
    call takes the tile of any seat."""
    most_sets: int | None = None
    """Declared sets of one hand."""
    kong_after_claim: bool = False
    """Whether a kong may follow the own claim without a draw between them."""

    def calls_of_ready(self, state: State) -> ReadyClaims:
        """Claims that may be made together with a call of ready under the options of the game."""
        if not self.ready:
            return ()
        options = state.options
        return tuple([kind for kind, name in self.ready.items() if name is None or options[name]])

    def faults(self, state: State, claim: Claim, *, ended: bool) -> tuple[Fault, ...]:
        """The rules that a claim breaks.

        ``state``: before it, with the draws that it implies. ``ended``: nobody plays on after the
        last discard.
        """
        if isinstance(claim, Chow) and not self.chows:
            return (Fault("no_chow_here"),)
        return tuple([Fault(code) for code in self._codes(state, claim, ended=ended)])

    def keeps_hand(self, state: State, kong: Kong) -> bool:
        """Whether a ready player may declare this kong, as far as the hand is known."""
        return False

    def rank(self, rules: RuleSet, state: State, event: Claim | Win) -> int:
        """Precedence of a claim of the last discard; 0 for a forbidden claim.

        In most games a win comes first, then a kong or pung, then a chow (002, Win; Pung; Kong;
        003; 004, 3.3.1).
        """
        if isinstance(event, Win):
            return 3
        if rules.faults(state, event):
            return 0
        return 1 if isinstance(event, Chow) else 2

    def too_late(
        self, rules: RuleSet, state: State, event: Claim | Win, holder: Claim | Win
    ) -> Ruling | None:
        """The rule by which a better claim came too late, after ``holder`` had the tile.

        ``state``: before both claims. None where precedence alone decides.
        """
        return None

    def _codes(self, state: State, claim: Claim, *, ended: bool) -> list[str]:
        player = state.players[claim.seat]
        keeps = isinstance(claim, Kong) and self.keeps_hand(state, claim)
        codes = ["ready_hand_fixed"] if player.ready and not keeps else []
        added = isinstance(claim, Kong) and claim.kind == "added"
        if self.most_sets is not None and len(player.melds) >= self.most_sets and not added:
            codes.append("fourth_set")
        if isinstance(claim, Kong):
            if ended or self._follows_claim(state, claim):
                codes.append("no_kong_now")
            return codes
        calls = claim.ready and type(claim) in self.calls_of_ready(state)
        if isinstance(claim, Chow) and (claim.from_seat + 1) % 4 != claim.seat and not calls:
            codes.append("not_left_neighbour")
        if claim.ready and not calls:
            codes.append("claim_forbidden")
        if ended and "claim_forbidden" not in codes:
            codes.append("claim_forbidden")
        return codes

    def _follows_claim(self, state: State, kong: Kong) -> bool:
        if self.kong_after_claim or kong.kind == "open":
            return False
        return state.players[kong.seat].drawn is None and state.contested is not None


PLAIN_CLAIMS: Final = ClaimRules()
