"""How often the first hint is what a strong player discarded, in the public games.

``python -m tests.support.log_choices`` measures every fifth game from the second on, which nobody
looked at when the order of equal discards was chosen; ``... 0`` those from the first on, on which
it was chosen.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.announce import HintDiscard
from engine.events import Discard
from engine.game import Game
from engine.logs.mjlog import read_mjlog
from engine.rules import RULE_SETS
from engine.rules.hints import Teacher
from engine.state import State
from tests.support.log_corpus import logs

EVERY: Final = 5
MEASURED: Final = 1
"""The first of the games that only measure."""
SHARE: Final = 0.12
"""Of the discards of a game: those of one hand are alike."""


@dataclass(frozen=True)
class Agreement:
    """Choices of strong players beside the hints for them."""

    discards: int = 0
    first: int = 0
    """How often the first hint is the player's discard, ..."""
    in_order_of_tiles: int = 0
    """... and how often it would be if equal discards stood in the order of tiles."""
    equal: int = 0
    """Choices in which several kinds are equally good by useful tiles, ..."""
    first_of_equal: int = 0
    """... and how often the first of these is the player's discard."""

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            *(one + two for one, two in zip(vars(self).values(), vars(other).values(), strict=True))
        )


def agreement(games: int | None = None, first: int = MEASURED, every: int = EVERY) -> Agreement:
    """Measure so many games."""
    found = Agreement()
    chosen = (one for place, one in enumerate(logs()) if place % every == first)
    for number, (name, text) in enumerate(chosen):
        if number == games:
            break
        rng = random.Random(f"choices {name}")
        for state, discard in _discards(text):
            if rng.random() < SHARE:
                found += _judged(state, discard)
    return found


def _discards(text: str) -> Iterator[tuple[State, Discard]]:
    """The discards with a choice, each with the state before it."""
    game = Game()
    for entry in read_mjlog(text).entries:
        event, before = entry.event, game.state
        game.submit(entry)
        if isinstance(event, Discard):
            player = before.players[event.seat]
            kinds = {tile.kind for tile in player.hand}
            if player.known and not player.ready and len(kinds) > 1:
                yield before, event


def _judged(state: State, discard: Discard) -> Agreement:
    rows = Teacher(RULE_SETS[state.rules], state, discard.seat).discards()
    equal = [row for row in rows if _rank(row) == _rank(rows[0])]
    plain = min(equal, key=lambda row: row.tile.kind.place)
    kind, several = discard.tile.kind, len({row.tile.kind for row in equal}) > 1
    first = rows[0].tile.kind == kind
    return Agreement(1, first, plain.tile.kind == kind, several, several and first)


def _rank(row: HintDiscard) -> tuple[bool, int | None, int]:
    return row.distance is None, row.distance, -row.left


def main() -> None:
    found = agreement(first=int(sys.argv[1]) if len(sys.argv) > 1 else MEASURED)
    print(f"{found.first / found.discards:.1%} of {found.discards} discards are the first hint,")
    print(f"{found.in_order_of_tiles / found.discards:.1%} with equals in the order of tiles;")
    print(f"{found.first_of_equal / found.equal:.1%} of {found.equal} where several are equal")


if __name__ == "__main__":
    main()
