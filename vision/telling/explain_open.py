"""A hand that has lain open since the deal: whether its player has won, by what lies there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.events import Win
from engine.state import Phase
from vision.telling.explain_hands import opened
from vision.telling.readings import hands
from vision.telling.scene import TableEvidence
from vision.telling.story import Story
from vision.tracking.happenings import HandOpened

NOT_WON: Final = 0.7
"""A tile lies apart from an open hand, or the hand is over, and its player has not won."""

OUT_OF_TURN: Final = 8.0
"""The same where the hand holds a tile more and it is another one's turn."""


def lies_open(
    happening: HandOpened, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """The wins that the rules have in a hand which everybody could see all along, or none."""
    # Its faces cost as much as in a win: they are what they are.
    _, faces_cost = next(hands(happening.tiles, scene, 1))
    yield story.unchanged(_not_won(happening, story) + faces_cost)
    known = len(story.told)
    for way in opened(happening, number, story, scene):
        new = way.told[known:]
        won = any(isinstance(one.event, Win) and one.event.seat == happening.seat for one in new)
        if won and not any(one.flaws for one in new):
            yield way


def _not_won(happening: HandOpened, story: Story) -> float:
    """What it costs that the hand that lies there has not won."""
    state = story.state
    if state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        return 0.0
    size = 13 - 3 * len(state.players[happening.seat].melds)
    holds_more = len(happening.tiles) > size and state.turn != happening.seat
    return OUT_OF_TURN if holds_more else NOT_WON
