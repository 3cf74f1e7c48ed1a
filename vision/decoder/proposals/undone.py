"""Tiles put back: players undo what they did, or somebody took what was not seen to be laid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.events import Chow, Discard, Kong, Pung
from vision.decoder import prices
from vision.decoder.changes import TilesGone
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.proposals.context import Context

PAIR: Final = 2
MISCOUNTED: Final = 1
"""One standing tile may not have been found."""


def tiles_gone(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """The hypothesis as it is, and as it was before the tiles were put there."""
    change = c.change
    assert isinstance(change, TilesGone), "only missing tiles are explained here"
    last = hypothesis.last_event()
    if not hypothesis.playing or last is None:
        yield hypothesis
        return
    (place, step), discard = last, len(change.gone) == 1
    event, shows = step.event, {step.tile} if discard else set(step.tiles)
    kinds = Discard if discard else Chow | Pung | Kong
    if not isinstance(event, kinds) or shows.isdisjoint(change.gone):
        # It was never explained so, or others have played on since: then it would lie there.
        lost = not discard and _holds(c, hypothesis, change)
        yield hypothesis if discard else c.nothing(hypothesis, charges=prices.of_lost_set(lost))
        return
    sets = len(hypothesis.before[place].players[event.seat].melds)
    held = hypothesis.rules.wall.waiting(sets) + (1 if discard else -MISCOUNTED)
    back = change.standing[event.seat] >= held
    if discard:
        yield c.nothing(hypothesis, change.gone, charges=prices.of_discard_gone(back))
    else:
        yield c.nothing(hypothesis, charges=prices.of_set_gone(back))
    yield _undone(c, hypothesis, place, back)


def _holds(c: Context, hypothesis: Hypothesis, change: TilesGone) -> bool:
    """Whether somebody holds a set of what these tiles showed.

    One of them may have been read otherwise, and one of three may not have been found.
    """
    shown = Counter(c.table.tiles[tile].tile for tile in change.gone if tile in c.table.tiles)
    pair = shown.total() == PAIR
    return any(
        (shown - Counter(meld.tiles)).total() <= (0 if pair else 1)
        for player in hypothesis.state.players
        for meld in player.melds
        if pair or len(meld.tiles) == shown.total()
    )


def _undone(c: Context, hypothesis: Hypothesis, place: int, back: bool) -> Hypothesis:
    """The hypothesis as it stood before one event; what meant nothing since still does."""
    rest = [step for step in hypothesis.hand[place + 1 :] if step.event is None]
    found = hypothesis.until(place).all(rest)
    assert found is not None, "nothing is always possible"
    found = replace(found, undone=hypothesis.undone + 1)
    return c.nothing(found, charges=prices.of_undone(back))
