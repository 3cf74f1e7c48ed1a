"""What tests of a first hand share: its states, before each event and at its beginning."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.events import Entry, Event, GameStart
from engine.game import Game, replay
from engine.play import IN_PLAY
from engine.state import Phase, State
from tests.support.golden import WITH_GAME

HANDS = -(-100 // len(WITH_GAME))
"""Of each game: a hundred in all."""
_KEPT_BY_THE_RECORD = (ev.Deal, ev.Dice, ev.Reveal, ev.GameEnd)
"""What a record tells, and nobody does as a step of play."""


def before_each(game: Game) -> Iterator[tuple[State, Event]]:
    """Every event of play, with the state that it found."""
    for before, after in zip(game.played, game.played[1:], strict=False):
        event = after.event.entry.event
        if before.state.phase in (*IN_PLAY, Phase.SETTLED) and not isinstance(
            event, _KEPT_BY_THE_RECORD
        ):
            yield before.state, event


def begun(rules: str, options: dict[str, object] | None = None) -> State:
    return replay([Entry(GameStart(rules, options or {}))]).state
