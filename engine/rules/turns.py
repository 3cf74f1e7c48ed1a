"""What a rule set says of the course of a hand: whose turn follows, and what each event changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.announce import Announcements
from engine.events import Deal, Discard, Event, Foul, Seat
from engine.play import barred
from engine.rules.verdict import Fault
from engine.state import State

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


class Turns:
    """By default turns go counterclockwise, and no event changes more than the tiles."""

    drawn_reasons: frozenset[str] = frozenset({"exhausted"})
    """Why a hand may end without a winner."""

    def next_seat(self, state: State, seat: Seat) -> Seat:
        """Who plays after this seat; a hand that goes on skips its winners."""
        following = (seat + 1) % 4
        if not state.winners:
            return following
        retired = state.retired
        while following in retired:
            following = (following + 1) % 4
        return following

    def faults(self, state: State, discard: Discard) -> tuple[Fault, ...]:
        """The rules that a discard breaks. ``state``: before it, with the draws that it implies."""
        return ()

    def ruled(self, rules: RuleSet, state: State, foul: Foul) -> tuple[State, Announcements]:
        """Take an offence that people rule or the camera saw, under its own name."""
        problem = rules.problem(foul.offence, foul.seat)
        return barred(state, foul.seat, foul.offence), [problem]

    def follow(
        self, rules: RuleSet, before: State, after: State, event: Event
    ) -> tuple[State, Announcements]:
        """Apply what else this event changes: deposits, fouls that cost points, ends of floats.

        The beginning of a hand leads to its first state (``after``). At the end of one both are
        the settled state, from which the next hand follows.
        """
        return after, []

    def deals_again(
        self, rules: RuleSet, state: State, deal: Deal
    ) -> tuple[State, Announcements] | None:
        """Take a deal before play where hands are told once more; None for a deal as everywhere."""
        return None

    def legal(self, state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Every regular event that may come next, where any game would allow ``events``."""
        return events


PLAIN_TURNS: Final = Turns()
