"""Which tile of the wall is turned up or looked at, and when, in each game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final

from engine import events as ev
from engine.rules.base import RuleSet
from engine.rules.harbin.play import RUN_OUT, SecretIndicator
from engine.rules.harbin.treasure import columns
from engine.rules.riichi.play import RiichiJudge
from engine.rules.riichi.table_state import table_of
from engine.state import Phase, State
from engine.tile_counts import open_tiles
from engine.tiles import Tile
from studio.play.played_hand import WallOrder, indicator_places

SHOWN_AFTERWARDS: Final = 0.3
"""Probability that Harbin's tile is turned up after a hand that did not use it."""
LEAST_LEFT: Final = 5  # 001: none of the last four tiles is turned


class Indicators:
    """The indicator tiles of one hand; only Harbin's players know what they looked at."""

    def __init__(
        self, rules: RuleSet, wall: Sequence[Tile], order: WallOrder, rng: random.Random
    ) -> None:
        self._rules, self._layout, self._rng = rules, rules.layout, rng
        self._wall, self._order = wall, order
        self._looked_at: Tile | None = None
        self._shown = False

    def dealt(self) -> Iterator[ev.Indicator]:
        """Yield the indicators that are turned up after the deal."""
        if self._layout.indicator_at == "aside":
            self._looked_at = self._wall[self._order.head()]
        elif self._layout.indicator_at == "wall":
            first = indicator_places(len(self._wall), 0)[0]
            yield ev.Indicator(self._wall[first], self._layout.indicator_kinds[0])

    def due(self, state: State) -> ev.Event | None:
        """Return what must be done before anybody goes on."""
        if isinstance(self._rules.judge, RiichiJudge):
            return self._kan_dora(state)
        if self._layout.indicator_at == "column":
            return self._roll(state)
        return None

    def shown_by(self, state: State, last: ev.Event) -> ev.Indicator | None:
        """Return the treasure that a ready Harbin player turns up to win with."""
        if self._looked_at is None or self._shown:
            return None
        treasures = self._treasures(state)
        wins = (
            isinstance(last, ev.Draw)
            and state.players[last.seat].ready
            and last.tile.kind in treasures
        )
        rushes = isinstance(last, ev.Dice) and any(
            wait.tile in treasures and wait.refused is None
            for seat, player in enumerate(state.players)
            if player.ready
            for wait in self._rules.waits(state, seat) or ()
        )
        if not wins and not rushes:
            return None
        self._shown = True
        return ev.Indicator(self._looked_at, self._layout.indicator_kinds[0])

    def may_win_with(self, state: State, tile: Tile) -> bool:
        """Return whether the tile wins when drawn, whatever the hand waits for."""
        return self._shown and tile.kind in self._treasures(state)

    @property
    def hidden(self) -> bool:
        """Whether players may know a tile that the engine has not been told."""
        return self._layout.indicator_at in ("aside", "column")

    def afterwards(self, state: State) -> Iterator[ev.Indicator]:
        """Yield what is turned up after the hand."""
        secret = self._looked_at is not None and not self._shown
        if self._looked_at is not None and secret and self._rng.random() < SHOWN_AFTERWARDS:
            yield ev.Indicator(self._looked_at, self._layout.indicator_kinds[0])
        under = self._layout.under_kind
        if under is not None and any(state.players[seat].ready for seat in state.winners):
            for turned in range(_turned(state)):
                lower = indicator_places(len(self._wall), turned)[1]
                yield ev.Indicator(self._wall[lower], under)

    def _treasures(self, state: State) -> frozenset[Tile]:
        secret = self._rules.indicators
        if not isinstance(secret, SecretIndicator) or self._looked_at is None:
            return frozenset()
        return secret.treasures_of(self._looked_at, state.options)

    def _kan_dora(self, state: State) -> ev.Indicator | None:
        """Return riichi's indicator for a kong, due at once or with the next discard."""
        kongs = sum(len(meld.tiles) == 4 for player in state.players for meld in player.melds)
        turned = _turned(state)
        if turned >= 1 + kongs - table_of(state).kongs_to_turn:
            return None
        return ev.Indicator(self._wall[indicator_places(len(self._wall), turned)[0]], "kan_dora")

    def _roll(self, state: State) -> ev.Dice | None:
        """001: roll dice for the column whose top tile the ready players look at."""
        if self._looked_at is not None:
            kinds = self._treasures(state)
            run_out = sum(tile.kind in kinds for tile in open_tiles(state)) >= RUN_OUT
            if not run_out or self._shown:
                return None
        if (
            state.phase is not Phase.TO_DRAW
            or not any(player.ready for player in state.players)
            or state.wall_left < LEAST_LEFT + 12
        ):
            return None
        dice = (self._rng.randint(1, 6), self._rng.randint(1, 6))
        while sum(dice) > columns(state):  # 001: then they roll again
            dice = (self._rng.randint(1, 6), self._rng.randint(1, 6))
        self._looked_at = self._wall[self._order.column(sum(dice))]
        return ev.Dice(dice)


def _turned(state: State) -> int:
    return sum(indicator.kind in ("dora", "kan_dora") for indicator in state.indicators)
