"""Pieces of a hand that its film does not show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.events import Discard
from engine.stories import HandStory
from engine.texts.figures import clock
from service.texts.catalogue import texts_of
from vision.notice import Notice

AT_ONCE_S: Final = 1.0
"""Nobody sees three players discard within this time: the film was cut between them."""

SOON_S: Final = 4.0
"""Tiles that came to lie meanwhile are read within this time."""


@dataclass(frozen=True)
class Gap:
    """A piece of film that is missing, or that shows something else."""

    since_s: float
    until_s: float

    def follows(self, other: Gap) -> bool:
        return other.since_s - SOON_S < self.until_s < other.until_s + SOON_S

    def text(self, lang: str) -> str:
        say = texts_of(lang)
        if self.until_s - self.since_s <= AT_ONCE_S:
            return say["report.gap.at_once"].format(time=clock(self.since_s))
        return say["report.gap"].format(since=clock(self.since_s), until=clock(self.until_s))


def told_gaps(notices: Iterable[Notice]) -> tuple[Gap, ...]:
    """The gaps that the reader of the film noticed."""
    return tuple(
        Gap(notice.since_s, notice.time_s) for notice in notices if notice.since_s is not None
    )


def gaps_in(hand: HandStory, told: Iterable[Gap]) -> tuple[Gap, ...]:
    """The gaps of a hand, in order: those that were noticed, and where plays appear at once."""
    times_s = [event.entry.t for event in hand.happened if event.entry.t is not None]
    if not times_s:
        return ()
    begun_s, ended_s = min(times_s), max(times_s)
    here = [gap for gap in told if gap.since_s < ended_s and gap.until_s > begun_s]
    # What was played behind another scene is told when that ends.
    sudden = [one for one in _at_once(hand) if not any(one.follows(gap) for gap in here)]
    return tuple(sorted((*here, *sudden), key=lambda one: one.since_s))


def _at_once(hand: HandStory) -> list[Gap]:
    """Where at least three players in a row discard within a moment."""
    discards = [
        event.entry.t
        for event in hand.happened
        if isinstance(event.entry.event, Discard) and event.entry.t is not None
    ]
    gaps: list[Gap] = []
    for run in zip(discards, discards[1:], discards[2:], strict=False):
        gap = Gap(min(run), max(run))
        if gap.until_s - gap.since_s >= AT_ONCE_S:
            continue
        if gaps and gap.since_s <= gaps[-1].until_s:
            gap = Gap(gaps.pop().since_s, gap.until_s)
        gaps.append(gap)
    return gaps
