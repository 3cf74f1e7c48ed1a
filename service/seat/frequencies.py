"""How often the patterns of a game come, as they were counted, with an example hand of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from engine.play import ordered
from engine.rules import GAMES
from engine.rules.teaching import Groups
from engine.tiles import Tile

COMMONEST: Final = 10
_FILE: Final = files("service") / "games" / "patterns.jsonl"
"""Written by ``datasets/patterns.py``."""


@dataclass(frozen=True)
class CountedPattern:
    name: str
    one_in: int
    """About so many hands have one with this pattern."""
    groups: Groups
    """A hand that won with it: its declared sets, the others, and the winning tile. None where no
    simulated hand had it."""


@dataclass(frozen=True)
class CountedGame:
    source: Literal["simulated", "logs"]
    """Whose hands were counted: those of the simulator's players, or of people."""
    hands: int
    patterns: tuple[CountedPattern, ...]
    """The most frequent first."""


def counted(rules: str) -> CountedGame | None:
    """What was counted of a game or of the one that it varies; None where nothing was."""
    return _all().get(next((game.id for game in GAMES if rules.startswith(game.id)), ""))


@cache
def _all() -> Mapping[str, CountedGame]:
    told: list[dict[str, Any]] = [
        json.loads(line) for line in _FILE.read_text("utf-8").splitlines()
    ]
    return {
        game["rules"]: CountedGame(
            game["source"],
            game["hands"],
            tuple(
                CountedPattern(
                    row["name"], round(game["hands"] / row["hands"]), _groups(row["example"])
                )
                for row in game["patterns"]
            ),
        )
        for game in told
    }


def _groups(example: Mapping[str, Any] | None) -> Groups:
    if example is None:
        return ()
    melds = tuple(_tiles(meld) for meld in example["melds"])
    return (*melds, ordered(_tiles(example["held"])), _tiles(example["tile"]))


def _tiles(written: str) -> tuple[Tile, ...]:
    return tuple(map(Tile, written.split()))
