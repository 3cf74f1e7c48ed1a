"""The decisions of one seat as its page shows them: asked, judged, ranked, reviewed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NotRequired, overload

from typing_extensions import TypedDict

from engine.advice import advice
from engine.announce import Hint
from engine.drill import (
    PASS,
    Decision,
    Mistake,
    Shortfall,
    alike_named,
    best_choices,
    outlook_of,
    shortfall,
)
from engine.events import Claim, Kong, Seat
from engine.odds.curves import fitted
from engine.odds.prospects import Prospect
from engine.review import Reviewed, reviewed
from engine.rules import RULE_SETS
from engine.stories import GameStory
from engine.texts.announcements import Speaker
from engine.tiles import CODES, Tile
from service.report.public import (
    AnnouncementView,
    PublicTable,
    indicators,
    names_of,
    public_table,
    worded,
)
from service.table.view import TilesLeftView

COSTLIEST: Final = 5


class ChoiceOffered(TypedDict):
    """A claim or a win."""

    name: str
    kind: str
    tiles: list[str]
    ready: bool


class DecisionAsked(TypedDict):
    """What the seat knew at the decision, and nothing that came later."""

    step: int
    seat: int
    own_turn: bool
    hand: list[str]
    drawn: str | None
    offers: list[ChoiceOffered]
    hand_number: int
    table: PublicTable


Behind = TypedDict(
    "Behind",
    {
        "in": Literal["win", "never", "steps", "tiles", "waits", "no_step"],
        "steps": NotRequired[int],
        "left": NotRequired[int],
        "best": NotRequired[int],
    },
)
"""How a choice falls short of the best: steps to ready, or tiles to wait for."""


Compared = Literal["chosen", "best", "played"]


class ChoiceCompared(TypedDict):
    """With the tiles that it wins with or improves by."""

    name: str
    role: Compared
    wins: bool
    distance: int | None
    left: int
    """Copies of all these tiles that may still come."""
    tiles: list[TilesLeftView]
    text: str


class DecisionJudged(TypedDict):
    chosen: str
    played: str | None
    gone: bool
    best: list[str]
    good: bool
    behind: Behind | None
    like_played: bool
    why: str | None
    """Of a discard: why another was better, or what was good about it; one idea."""
    hint: AnnouncementView
    compared: list[ChoiceCompared]


class MistakeView(TypedDict):
    step: int
    hand_number: int
    played: str | None
    behind: Behind


def asked(decision: Decision, seat: Seat) -> DecisionAsked:
    state = decision.before
    player = state.players[seat]
    table = public_table(state, names_of(state))
    table["indicators"] = indicators(state, seat)
    return {
        "step": decision.step,
        "seat": seat,
        "own_turn": decision.own_turn,
        "hand": [str(tile) for tile in player.hand],
        "drawn": None if player.drawn is None else str(player.drawn),
        "offers": [_offer(name, claim) for name, claim in decision.offers().items()],
        "hand_number": state.hand_number,
        "table": table,
    }


def judged(decision: Decision, seat: Seat, chosen: str, lang: str) -> DecisionJudged:
    """Compare a choice with all others by the rules, and with what was played.

    Takes up to a tenth of a second.
    """
    state = decision.before
    hint = RULE_SETS[state.rules].hint(state, seat)
    best = best_choices(decision, hint)
    played = decision.name
    (told,) = worded([hint], lang, state.names, rules=state.rules)
    return {
        "chosen": chosen,
        "played": played,
        "gone": decision.gone,
        "best": best,
        "good": any(alike_named(chosen, one) for one in best),
        "behind": _behind_json(shortfall(decision, hint, chosen, best)),
        "why": _why(decision, seat, chosen, lang),
        "like_played": played is not None and alike_named(chosen, played),
        "hint": told,
        "compared": _compared(decision, hint, told, chosen, best),
    }


def _why(decision: Decision, seat: Seat, chosen: str, lang: str) -> str | None:
    if not decision.own_turn or chosen not in CODES:
        return None
    state = decision.before
    said = advice(RULE_SETS[state.rules], state, seat, Tile(chosen), by_tiles_alone=True)
    if said is not None and said.code == "win" and not decision.wins:
        return None  # the drill offers no such win
    return None if said is None else Speaker(lang, rules=state.rules).advice(said)


def mistake_json(mistake: Mistake) -> MistakeView:
    """One mistake for a page."""
    decision = mistake.decision
    return {
        "step": decision.step,
        "hand_number": decision.before.hand_number,
        "played": decision.name,
        "behind": _behind_json(mistake.behind),
    }


@overload
def _behind_json(short: Shortfall) -> Behind: ...
@overload
def _behind_json(short: Shortfall | None) -> Behind | None: ...
def _behind_json(short: Shortfall | None) -> Behind | None:
    if short is None:
        return None
    shown: Behind = {"in": short.by}
    if short.steps is not None:
        shown["steps"] = short.steps
    if short.left is not None and short.best is not None:
        shown |= {"left": short.left, "best": short.best}
    return shown


def _compared(
    decision: Decision, hint: Hint, told: AnnouncementView, chosen: str, best: Sequence[str]
) -> list[ChoiceCompared]:
    """The choice, the best, and what was done at the table; one may be another as well.

    Each with its sentence and the tiles that it wins with or improves by.
    """
    good = any(alike_named(chosen, one) for one in best)
    rows: list[tuple[Compared, str | None]] = [("chosen", chosen)]
    rows.append(("best", chosen if good else next(iter(best), None)))
    rows.append(("played", decision.name))
    left = {wait.tile: wait.left for wait in hint.copies}
    found: list[ChoiceCompared] = []
    for role, name in rows:
        seen = None if name is None else outlook_of(decision, hint, name)
        if name is None or seen is None:
            continue
        wins = [wait for wait in seen.waits if not wait.refused]
        tiles = [(win.tile, win.left) for win in wins] or [
            (tile, left[tile]) for tile in seen.useful
        ]
        found.append(
            {
                "name": name,
                "role": role,
                "wins": bool(wins),
                "distance": seen.distance,
                "left": sum(count for _, count in tiles),
                "tiles": [{"tile": str(tile), "left": count} for tile, count in tiles],
                "text": _text(decision, hint, told, name),
            }
        )
    return found


def _text(decision: Decision, hint: Hint, told: AnnouncementView, name: str) -> str:
    """What the hint says of a choice."""
    claims = [decision.name_of(row.claim) for row in hint.claims]
    first = int(hint.win is not None)  # a win is told before all else
    if name in claims:
        at = first + (len(hint.discards) or int(hint.now is not None)) + claims.index(name)
    elif name == PASS:
        at = first
    else:
        alike = (alike_named(str(row.tile), name) for row in hint.discards)
        at = first + list(alike).index(True)
    return told["rows"][at]


def _offer(name: str, claim: Claim | None) -> ChoiceOffered:
    if claim is None:
        return {"name": name, "kind": "win", "tiles": [], "ready": False}
    own = tuple(claim.own or ())
    tiles = own if isinstance(claim, Kong) and claim.kind == "closed" else (*own, claim.tile)
    ready = not isinstance(claim, Kong) and claim.ready
    kind = type(claim).__name__.lower()
    return {"name": name, "kind": kind, "tiles": sorted(map(str, tiles)), "ready": ready}


class ChoiceOdds(TypedDict):
    """What a discard may bring; chances from 0 to 1, points of the game."""

    win: float
    points: float
    risk: float
    loss: float
    change: float


class ReviewedView(TypedDict):
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


class ReviewView(TypedDict):
    seat: int
    source: str | None
    """Where the chances come from, as ``Fitted`` names it; None where a game has none."""
    expected: list[ExpectedPoints]
    """What the seat could expect to have at the end of the hand, after each of its discards."""
    costliest: list[ReviewedView]


def odds_of(row: Prospect) -> ChoiceOdds:
    return {
        "win": round(row.win, 4),
        "points": round(row.points, 1),
        "risk": round(row.risk, 4),
        "loss": round(row.loss, 1),
        "change": round(row.change, 1),
    }


LEAST_SURE_LAST: Final = ("logs", "simulated", "simulated_base")
"""Whence chances come."""


def review_json(
    games: Sequence[GameStory], seat: Seat, whose: str | None = None, since: int = 0
) -> ReviewView:
    """The review for a page; ``whose`` and ``since`` as for ``decisions``."""
    rows = reviewed(games, seat, whose, since)
    # Of games of several kinds the page says whence the least sure chances come.
    odds = {RULE_SETS[row.decision.before.rules].teaching.odds for row in rows} - {""}
    sources = [fitted(name).source for name in odds]
    costliest = sorted(rows, key=lambda row: -row.cost)[:COSTLIEST]
    return {
        "seat": seat,
        "source": max(sources, key=LEAST_SURE_LAST.index, default=None),
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


def _shown(row: Reviewed) -> ReviewedView:
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
