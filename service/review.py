"""A review of one seat's game: what it could expect, and which of its discards cost most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from typing_extensions import TypedDict

from engine.announce import Hint
from engine.events import Discard, Seat
from engine.odds.curves import fitted
from engine.odds.prospects import Prospect, prospects
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile
from service.drill import Decision, decisions
from service.report.story import GameStory

COSTLIEST: Final = 5


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


class ChoiceOdds(TypedDict):
    """What a discard may bring; chances from 0 to 1, points of the game."""

    win: float
    points: float
    risk: float
    loss: float
    change: float


class ReviewedShown(TypedDict):
    step: int
    hand_number: int
    played: str
    best: str
    cost: float
    stance: Literal["push", "fold"] | None
    played_odds: ChoiceOdds
    best_odds: ChoiceOdds


class ExpectedPoints(TypedDict):
    step: int
    hand_number: int
    points: float


class ReviewShown(TypedDict):
    seat: int
    source: str | None
    """Where the chances come from, as ``Fitted`` names it; None where a game has none."""
    expected: list[ExpectedPoints]
    """What the seat could expect to have at the end of the hand, after each of its discards."""
    costliest: list[ReviewedShown]


def reviewed(games: Sequence[GameStory], seat: Seat, whose: str | None = None) -> list[Reviewed]:
    """The discards of one seat in order of play, by what that seat could know; ``whose`` as for
    ``decisions``.

    A decision takes up to 20 ms.
    """
    found = []
    for decision in decisions(games, seat, whose):
        if not isinstance(decision.played, Discard):
            continue
        state, tile = decision.before, decision.played.tile
        rules = RULE_SETS[state.rules]
        hint = rules.hint(state, seat)
        rows = prospects(rules, state, hint)
        played = next((row for row in rows if row.tile == tile), None)
        if played is not None:
            found.append(Reviewed(decision, played, rows[0], stance(state, hint, rows[0].tile)))
    return found


def stance(state: State, hint: Hint, best: Tile) -> Literal["push", "fold"] | None:
    """Whether a discard keeps the hand as near as it can be while somebody else is ready."""
    others = (player for at, player in enumerate(state.players) if at != hint.seat)
    if not any(player.ready for player in others):
        return None
    far = {row.tile: row.distance for row in hint.discards}
    known = [distance for distance in far.values() if distance is not None]
    return "push" if known and far[best] == min(known) else "fold"


def odds_of(row: Prospect) -> ChoiceOdds:
    return {
        "win": round(row.win, 4),
        "points": round(row.points, 1),
        "risk": round(row.risk, 4),
        "loss": round(row.loss, 1),
        "change": round(row.change, 1),
    }


def review_json(games: Sequence[GameStory], seat: Seat, whose: str | None = None) -> ReviewShown:
    """The review for a page; ``whose`` as for ``decisions``."""
    rows = reviewed(games, seat, whose)
    odds = RULE_SETS[rows[0].decision.before.rules].teaching.odds if rows else ""
    costliest = sorted(rows, key=lambda row: -row.cost)[:COSTLIEST]
    return {
        "seat": seat,
        "source": fitted(odds).source if odds else None,
        "expected": [
            {
                "step": row.decision.step,
                "hand_number": row.decision.before.hand_number,
                "points": round(row.decision.before.points[seat] + row.played.change, 1),
            }
            for row in rows
        ],
        "costliest": [_shown(row) for row in costliest if row.cost > 0],
    }


def _shown(row: Reviewed) -> ReviewedShown:
    return {
        "step": row.decision.step,
        "hand_number": row.decision.before.hand_number,
        "played": str(row.played.tile),
        "best": str(row.best.tile),
        "cost": round(row.cost, 1),
        "stance": row.stance,
        "played_odds": odds_of(row.played),
        "best_odds": odds_of(row.best),
    }
