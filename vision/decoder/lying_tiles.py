"""Where the tiles of a hand that was won lie: a second reading looks at them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.events import HandStart, Win
from vision.decoder.decoding import ChangeNames
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.question import QuestionTile

LyingTiles = Mapping[str, tuple[QuestionTile, ...]]
"""The tiles that show each change, by the name of the change."""


def lying_tiles(
    steps: Sequence[Explained],
    names: ChangeNames,
    place: Callable[[int], QuestionTile | None],
    was: LyingTiles,
) -> LyingTiles:
    """The tiles that show what was told of the last hand; empty where nobody has won it.

    ``place`` tells where a track lies now. What was cleared away lies where it was seen last:
    ``was`` is what this function returned before.
    """
    begins = [at for at, one in enumerate(steps) if isinstance(one.event, HandStart)]
    hand = [one for one in steps[begins[-1] :] if one.change > BEFORE] if begins else []
    if not any(isinstance(step.event, Win) for step in hand):
        return {}
    shown: dict[str, list[int]] = {}
    for step in hand:
        alone = () if step.tile is None else (step.tile,)
        shown.setdefault(names[step.change], []).extend((*step.tiles, *alone))
    now = {
        change: tuple(at for at in map(place, dict.fromkeys(tracks)) if at is not None)
        for change, tracks in shown.items()
    }
    return {change: max(was.get(change, ()), now[change], key=len) for change in now}
