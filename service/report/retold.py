"""Caches the games and hands of a record for its pages."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from engine.game import Game
from service.report.story import GameStory, HandStory, StoryEvent, tell_game


class StoryCache:
    """Keeps the last result: several pages ask for the same."""

    def __init__(self) -> None:
        self._telling = threading.Lock()
        self._lines = -1
        self._games: tuple[GameStory, ...] = ()

    def games(self, game: Game) -> tuple[GameStory, ...]:
        """Return the games of a record that only grows; nothing is replayed."""
        with self._telling:
            lines = len(game.entries)
            if lines != self._lines:
                self._games, self._lines = tell_game(game), lines
            return self._games


def last_state_of(games: Sequence[GameStory]) -> dict[int, HandStory]:
    """The hand of each event in force, by index."""
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
    return tuple(event for game in games for event in game.happened)
