"""What may have been done: for each happening, the events that explain it and what each costs.

Costs are negative log-likelihoods, so that a story's cost is the sum over its events.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from engine.events import HandEnd, HandStart
from engine.state import Phase
from vision.telling.costs import NO_SIGN
from vision.telling.explain_back import taken_back
from vision.telling.explain_discards import put
from vision.telling.explain_found import found
from vision.telling.explain_hands import opened
from vision.telling.explain_indicators import turned_up
from vision.telling.explain_joined import ended_unseen
from vision.telling.explain_open import lies_open
from vision.telling.explain_ready import laid_down
from vision.telling.explain_sets import added, set_laid
from vision.telling.scene import TableEvidence
from vision.telling.story import Story, some
from vision.tracking.found import Found
from vision.tracking.happenings import (
    Added,
    Dealt,
    HandOpened,
    Happening,
    LaidDown,
    Put,
    SetLaid,
    TurnedUp,
    Washed,
)
from vision.tracking.taken_back import TakenBack

ANOTHER_DEAL: Final = 40.0
"""A hand of which something lay on the table is not the one that has just been dealt."""
CLEARING_S: Final = 3.0
"""So long before the tiles are cleared away a hand that nobody won was over."""
DEALER_HAS: Final = 14
OVERLOOKED: Final = 0.05
"""Share of standing tiles that are not found although hands have come to rest."""
SURELY_DEALER: Final = 40.0
"""How much likelier 14 tiles are counted before the dealer than before another player."""


def explain(
    happening: Happening, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """Every way to go on with a story so that it explains what happened."""
    match happening:
        case Dealt():
            yield from _dealt(happening, number, story)
        case Found():
            yield from found(happening, number, story, scene)
        case Put():
            yield from put(happening, number, story, scene)
        case SetLaid():
            yield from set_laid(happening, number, story, scene)
        case Added():
            yield from added(happening, number, story, scene)
        case LaidDown():
            yield from laid_down(happening, number, story)
        case HandOpened(lay_open=True):
            yield from lies_open(happening, number, story, scene)
        case HandOpened():
            yield from opened(happening, number, story, scene)
        case TurnedUp():
            yield from turned_up(happening, number, story, scene)
        case TakenBack():
            yield from taken_back(happening, story, scene)
        case Washed():
            yield from _washed(happening, number, story)


def _dealt(happening: Dealt, number: int, story: Story) -> Iterator[Story]:
    if story.state.phase is Phase.BEFORE_GAME:
        story = story.begun(0.0, number)
    if story.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
        yield from _dealt_again(happening, number, story)
        return
    if story.state.phase is Phase.SETTLED:
        ended = story.then(HandEnd(), happening.time_s, number)
        story = story if ended is None else ended
    if story.state.hand_number:
        begun = story.then(HandStart(), happening.time_s, number)
        if begun is not None:
            yield begun.unchanged(_not_dealer(happening.counts, begun.state.dealer))
        return
    for dealer in range(4):
        cost = _not_dealer(happening.counts, dealer)
        start = story.first_hand(dealer)
        yield from some(story.then(start, happening.time_s, number, cost))


def _not_dealer(counts: Sequence[int], dealer: int) -> float:
    """What the counts of standing tiles speak against a dealer: a tile is overlooked now and then.

    Hardly ever is one counted that does not stand there, so that 14 tell more than 13 do.
    """
    likely = [
        SURELY_DEALER if count >= DEALER_HAS else OVERLOOKED * DEALER_HAS / (DEALER_HAS - count)
        for count in counts
    ]
    return math.log(max(likely) / likely[dealer])


def _dealt_again(happening: Dealt, number: int, story: Story) -> Iterator[Story]:
    """Hands stand on an empty table, and the record is in the middle of a hand."""
    begun = any(player.river or player.melds for player in story.state.players)
    if not begun:
        yield story  # it is the hand that had just been dealt
        return
    yield story.unchanged(ANOTHER_DEAL)
    ended = ended_unseen(story, happening.time_s, number)
    if ended is not None:
        yield from some(ended.then(HandStart(), happening.time_s, number))


def _washed(happening: Washed, number: int, story: Story) -> Iterator[Story]:
    time_s = happening.time_s
    if story.state.phase is Phase.SETTLED:
        yield from some(story.then(HandEnd(), time_s, number))
        return
    if story.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
        ended = ended_unseen(story, time_s, number, _end_of_play(story, time_s))
        if ended is not None:
            yield ended
            return
    yield story.unchanged(NO_SIGN)


def _end_of_play(story: Story, time_s: float) -> float:
    """When a hand that nobody won was over: a moment before the tiles are cleared away."""
    return max(time_s - CLEARING_S, story.told[-1].time_s if story.told else 0.0)
