"""The record of a table told in games and hands, once for each line that is added to it."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from engine.game import Game
from service.report.story import GameStory, HandStory, StoryEvent, tell_game


class StoryCache:
    """Remembers the last telling: several pages ask for the same."""

    def __init__(self) -> None:
        self._telling = threading.Lock()
        self._lines = -1
        self._games: tuple[GameStory, ...] = ()

    def games(self, game: Game) -> tuple[GameStory, ...]:
        """The games of a record that is only ever added to; nothing is played again for it."""
        with self._telling:
            lines = len(game.entries)
            if lines != self._lines:
                self._games, self._lines = tell_game(game), lines
            return self._games


def last_state_of(games: Sequence[GameStory]) -> dict[int, HandStory]:
    """The hand to which each event in force belongs, by its place among them all."""
    found: dict[int, HandStory] = {}
    place = 0
    for game in games:
        place += len(game.before)
        for hand in game.hands:
            for _ in hand.happened:
                found[place] = hand
                place += 1
    return found


def happened_in(games: Sequence[GameStory]) -> tuple[StoryEvent, ...]:
    """All events in force, in the order of play."""
    return tuple(event for game in games for event in game.happened)
