"""What is new of a game: announcements that nobody has heard yet, and what is read otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from engine.announce import (
    Announcement,
    GameResult,
    HandResult,
    Payout,
    Problem,
    Turn,
    heard_by,
    itself,
)
from engine.events import Correct, Entry, Event
from engine.game import Game, announced_since, first_since
from engine.log import EventInForce
from engine.updates import change_of
from engine.visibility import VisibleEvent, events_seen


@dataclass(frozen=True)
class New:
    """What has become known since the pages were told last."""

    said: Sequence[Announcement] = ()
    """Announcements that were not made before in the same public words."""
    gone: Sequence[Announcement] = ()
    """What was announced to everybody and is so no more."""
    reread: Sequence[tuple[Sequence[Event], Sequence[Event]]] = ()
    """What the reader reads otherwise because of people: events as they were, and as they are."""

    def corrects(self, one: Announcement) -> bool:
        """Whether something takes the place of what was announced before."""
        return any(_takes_place(one, was) for was in self.gone)

    @property
    def withdrawn(self) -> list[Announcement]:
        """What was announced and holds no more, with nothing in its place.

        With a payout goes what followed from it, of which nothing is said. Nor is anything said of
        what asked for a correction, once that has come.
        """
        left = [was for was in self.gone if not any(_takes_place(one, was) for one in self.said)]
        paid: list[Announcement] = [was for was in left if isinstance(was, Payout)]
        return paid or [was for was in left if not _asks_for_a_correction(was)]


NOTHING_NEW: Final = New()
_OF_THE_HAND: Final = (Payout, HandResult, GameResult)
"""Announcements that one correction replaces wherever their events stand then."""


def _asks_for_a_correction(one: Announcement) -> bool:
    return isinstance(one, Turn) or (isinstance(one, Problem) and one.impossible)


def _takes_place(one: Announcement, was: Announcement) -> bool:
    """Whether an announcement is made in the place of another one."""
    if type(one) is not type(was):
        return False
    return isinstance(one, _OF_THE_HAND) or one.of == was.of


def new_to_all(said: Iterable[Announcement], before: Iterable[Announcement]) -> list[Announcement]:
    """Announcements that were not made before in the same public words."""
    said = list(said)
    about = {announcement.of for announcement in said}
    earlier = (announcement for announcement in before if announcement.of in about)
    known = Counter(repr(itself(one)) for one in heard_by(earlier, None))
    fresh = []
    for announcement in said:
        (shown,) = heard_by([announcement], None) or (announcement,)
        told = repr(itself(shown))
        if known[told]:
            known[told] -= 1
        else:
            fresh.append(announcement)
    return fresh


def told_together(moments: Sequence[New], game: Game) -> list[New]:
    """What a page is told that missed all these but the last: once, and as it stands now.

    Of announcements those are left that the game still makes in the same public words, at the last
    of the moments that made them. What was read otherwise is told as it was first.
    """
    since = min((one.of for new in moments for one in new.said), default=len(game.entries))
    now = {repr(itself(one)) for one in heard_by(game.announcements(since), None)}
    found: list[New] = []
    left = set(now)
    for new in reversed(moments):
        words = {id(one): _words(one) for one in new.said}
        said = new.said if new is moments[-1] else [o for o in new.said if words[id(o)] & left]
        left -= {word for one in said for word in words[id(one)]}
        found.insert(0, replace(new, said=said, reread=()))
    found = _gone_together(moments, found, now)
    reread: list[tuple[Sequence[Event], Sequence[Event]]] = []
    for was, then in (pair for new in moments for pair in new.reread):
        earlier = next((pair for pair in reread if list(pair[1]) == list(was)), None)
        if earlier is not None:
            reread.remove(earlier)
            was = earlier[0]
        if list(was) != list(then):
            reread.append((was, then))
    return [*found[:-1], replace(found[-1], reread=reread)]


def _gone_together(moments: Sequence[New], found: Sequence[New], now: Set[str]) -> list[New]:
    """The moments with what a page knew of what is gone.

    It stands beside what takes its place, or else at the last moment. What the page was never told,
    or what is announced again, is not taken back.
    """
    missed: set[str] = set()
    gone: list[Announcement] = []
    told: list[New] = []
    for new, kept in zip(moments, found, strict=True):
        gone += [one for one in new.gone if not _words(one) & missed and not _words(one) & now]
        missed |= {word for one in new.said for word in _words(one)}
        here = [was for was in gone if any(_takes_place(one, was) for one in kept.said)]
        here = gone if new is moments[-1] else here
        told.append(replace(kept, gone=here))
        gone = [was for was in gone if was not in here]
    return told


def _words(one: Announcement) -> frozenset[str]:
    return frozenset(repr(itself(shown)) for shown in heard_by([one], None))


class News:
    """Announcements that nobody has heard yet, and what the reader reads otherwise now."""

    def __init__(self, game: Callable[[], Game]) -> None:
        """``game`` returns the game as it is now."""
        self._now = game
        self.told()

    @property
    def _game(self) -> Game:
        return self._now()

    def told(self) -> None:
        """Begin anew: the pages know everything."""
        self._before = self._game.played
        self._lines = len(self._game.entries)
        self.first = self._lines
        """Number of the first line that has changed."""
        self._was: dict[int, list[VisibleEvent]] = {}
        """The events of the lines that the reader corrects because of people, as they were."""

    @property
    def untold(self) -> bool:
        """Whether anything was written."""
        return len(self._game.entries) > self._lines

    def changes(self, entry: Entry, because: bool = False) -> None:
        """Note what the next line changes; call this before the game takes it.

        ``because``: the reader corrects it because of what a person said.
        """
        event, number = entry.event, len(self._game.entries)
        if isinstance(event, Correct):
            self.first = min(self.first, self._game.first_changed(event))
            number = _line_of(self._game, event)
        if because:
            self._was.setdefault(number, _events_on(self._game, number))

    def said(self) -> list[Announcement]:
        """Announcements that were not made before in the same public words."""
        before = _called_out(announced_since(self._before, self.first))
        return new_to_all(_called_out(announced_since(self._game.played, self.first)), before)

    def new(self) -> New:
        """All that nobody has heard."""
        before = _called_out(announced_since(self._before, self.first))
        now = _called_out(announced_since(self._game.played, self.first))
        gone = heard_by(new_to_all(before, now), None)
        return New(new_to_all(now, before), gone, self._reread())

    def _reread(self) -> list[tuple[Sequence[Event], Sequence[Event]]]:
        """Events that are only added at the end are left out."""
        lines = sorted(self._was)
        was = self._by_change([seen for number in lines for seen in self._was[number]])
        new = [seen for number in lines for seen in _events_on(self._game, number)]
        now = self._by_change([seen for seen in new if seen.number < self._lines])
        return [
            (was.get(change, ()), now.get(change, ()))
            for change in was | now
            if was.get(change) != now.get(change)
        ]

    def _by_change(self, seen: Sequence[VisibleEvent]) -> dict[str, list[Event]]:
        found: dict[str, list[Event]] = {}
        for event in seen:
            change = change_of(self._game.entries, EventInForce(event.number, event.entry))
            found.setdefault(change, []).append(event.entry.event)
        return found


def _called_out(announcements: Iterable[Announcement]) -> list[Announcement]:
    """Without fouls that are not certain: they are listed, and wait until somebody has looked."""
    return [one for one in announcements if not isinstance(one, Problem) or one.certain]


def _line_of(game: Game, correct: Correct) -> int:
    """The line whose events a correction changes, directly or by undoing another correction."""
    number = correct.of
    while isinstance(event := game.entries[number].event, Correct) and event.of < number:
        number = event.of
    return number


def _events_on(game: Game, number: int) -> list[VisibleEvent]:
    """The events in force of one line, as everybody may see them."""
    since = events_seen(game, last=len(game.played) - first_since(game.played, number))
    return [seen for seen in since if seen.number == number]
