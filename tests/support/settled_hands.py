"""Hands that are played on a settled table, without a mistake, and what is told of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from games.recorded import RecordedDecoder

from engine.events import Entry
from studio.play.settled_tables import SettledGame, observations, planned
from vision.tracking.observe import Observation


@cache
def played(rules: str, seed: int, hands: int = 1) -> tuple[SettledGame, Sequence[Observation]]:
    """A game, and how the table lies while it is played."""
    game = planned(rules, seed, hands)
    return game, tuple(observations(game))


@cache
def told_of(rules: str, seed: int, hands: int = 1) -> tuple[Entry, ...]:
    """What is told of a game that is seen from its beginning to its end."""
    game, seen = played(rules, seed, hands)
    return tuple(read_hand(RecordedDecoder(rules, game.place.view), seen))


def read_hand(decoder: RecordedDecoder, seen: Iterable[Observation]) -> list[Entry]:
    """The lines of a decoder that sees these observations, and nothing after them."""
    return [*(line for one in seen for line in decoder.observe(one)), *decoder.close()]
