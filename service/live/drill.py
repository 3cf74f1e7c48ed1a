"""Decisions of one seat in a record, to be made once more: what would you discard?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from engine.announce import Hint, HintDiscard
from engine.events import Discard, Seat
from engine.rules import RULE_SETS
from engine.state import Phase, State
from engine.tiles import Tile
from service.live.public import Json, indicators, names_of, public_table
from service.live.retold import happened_in
from service.telling.said import worded
from service.telling.story import GameStory, Happened

LEAST_KINDS: Final = 2
"""A hand of one kind leaves nothing to decide."""


@dataclass(frozen=True)
class Decision:
    """A discard that a seat made with a hand that is known."""

    step: int
    """Place of the discard among the events in force."""
    before: State
    played: Discard


def decisions(games: Sequence[GameStory], seat: Seat) -> list[Decision]:
    """All of one seat, in the order of play; those of a hand after ready are none."""
    events = happened_in(games)
    return [
        Decision(step, before.state, event)
        for step, (before, after) in enumerate(pairwise(events), start=1)
        if isinstance(event := after.entry.event, Discard)
        and event.seat == seat
        and _decides(before.state, seat)
        and _stands(after)
    ]


def asked(decision: Decision, seat: Seat) -> Json:
    """What the seat knew when it had to decide; nothing of what came of it."""
    state = decision.before
    player = state.players[seat]
    table = public_table(state, names_of(state)) | {"indicators": indicators(state, seat)}
    return {
        "step": decision.step,
        "seat": seat,
        "hand": [str(tile) for tile in player.hand],
        "drawn": None if player.drawn is None else str(player.drawn),
        "hand_number": state.hand_number,
        "table": table,
    }


def judged(decision: Decision, seat: Seat, tile: Tile, lang: str) -> Json:
    """A choice beside what the rules say of every discard, and beside what was played.

    Takes up to a tenth of a second.
    """
    state = decision.before
    hint = RULE_SETS[state.rules].hint(state, seat)
    best = hint.discards[0] if hint.discards else None
    as_good = [one.tile for one in hint.discards if best is not None and _alike(one, best)]
    return {
        "chosen": str(tile),
        "played": str(decision.played.tile),
        "best": [str(one) for one in as_good],
        "good": _among(tile, as_good),
        "like_played": tile.kind == decision.played.tile.kind,
        "hint": _told(hint, state, lang),
    }


def _told(hint: Hint, state: State, lang: str) -> Json:
    (told,) = worded([hint], lang, state.names)
    return told


def _decides(state: State, seat: Seat) -> bool:
    player = state.players[seat]
    kinds = {tile.kind for tile in player.hand}
    return (
        state.phase is Phase.TO_DISCARD
        and state.turn == seat
        and player.known
        and not player.ready
        and len(kinds) >= LEAST_KINDS
    )


def _stands(happened: Happened) -> bool:
    """Whether the discard was taken: its tile has left the hand."""
    history = happened.state.history
    return bool(history) and history[-1][1].event == happened.entry.event


def _alike(one: HintDiscard, other: HintDiscard) -> bool:
    waits = [sum(wait.left for wait in each.waits if not wait.refused) for each in (one, other)]
    return one.distance == other.distance and one.left == other.left and waits[0] == waits[1]


def _among(tile: Tile, tiles: Sequence[Tile]) -> bool:
    return any(tile.kind == one.kind for one in tiles)
