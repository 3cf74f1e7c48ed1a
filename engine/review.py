"""A review of one seat's game: what it could expect, and which of its discards cost most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.announce import Hint
from engine.drill import Decision, decisions
from engine.events import Discard, Seat
from engine.odds.prospects import Prospect, prospects
from engine.rules import RULE_SETS
from engine.state import State
from engine.stories import GameStory
from engine.tiles import Tile


@dataclass(frozen=True)
class Reviewed:
    """One discard beside the best one, by the expected change of points."""

    decision: Decision
    played: Prospect
    best: Prospect
    stance: Literal["push", "fold"] | None
    """What the best discard does where somebody is ready."""

    @property
    def cost(self) -> float:
        return self.best.change - self.played.change


def reviewed(
    games: Sequence[GameStory], seat: Seat, whose: str | None = None, since: int = 0
) -> list[Reviewed]:
    """The discards of one seat in order of play, by what that seat could know; the others as for
    ``decisions``.

    A decision takes up to 20 ms.
    """
    found = (weighed(decision, seat) for decision in decisions(games, seat, whose, since))
    return [row for row in found if row is not None]


def weighed(decision: Decision, seat: Seat) -> Reviewed | None:
    """One discard beside the best one; None for another decision, and where nothing is told."""
    if not isinstance(decision.played, Discard):
        return None
    state, tile = decision.before, decision.played.tile
    rules = RULE_SETS[state.rules]
    hint = rules.hint(state, seat)
    rows = prospects(rules, state, hint)
    played = next((row for row in rows if row.tile == tile), None)
    if played is None:
        return None
    return Reviewed(decision, played, rows[0], stance(state, hint, rows[0].tile))


def stance(state: State, hint: Hint, best: Tile) -> Literal["push", "fold"] | None:
    """Whether a discard keeps the hand as near as it can be while somebody else is ready."""
    others = (player for at, player in enumerate(state.players) if at != hint.seat)
    if not any(player.ready for player in others):
        return None
    far = {row.tile: row.distance for row in hint.discards}
    known = [distance for distance in far.values() if distance is not None]
    return "push" if known and far[best] == min(known) else "fold"
