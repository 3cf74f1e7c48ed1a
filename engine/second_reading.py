"""A payout whose tiles were read twice: which tiles decide it, and whether both readings agree.

The second reading stands in the record, so what follows from it is computed as all else is: a
correction of what was told is compared anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.announce import Payout
from engine.events import (
    Chow,
    Claim,
    Correct,
    Entry,
    Event,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    ReadAgain,
    Win,
)
from engine.game import Game, first_since
from engine.log import EventInForce, reads_again
from engine.play import IN_PLAY
from engine.played import PlayedEvent
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from engine.updates import change_of, told_by_camera
from engine.visibility import events_seen

Hand = Sequence[EventInForce]
"""The events in force of one hand, in the order of play."""


@dataclass(frozen=True)
class ReadOtherwise:
    """A tile of an event, and as what it was read again."""

    of: EventInForce
    told: Tile
    read: Tile
    public: bool = True
    """Whether everybody may know the tile: some indicators are secret until the hand is over."""


@dataclass(frozen=True)
class Compared:
    """What a second reading says of a win."""

    win: EventInForce
    otherwise: tuple[ReadOtherwise, ...] = ()
    """Tiles that were read as others."""
    unseen: tuple[EventInForce, ...] = ()
    """Events of which not every tile was seen again."""

    @property
    def agrees(self) -> bool:
        return not self.otherwise and not self.unseen


def decisive(hand: Hand, win: Win) -> list[EventInForce]:
    """The events whose tiles a win is paid by: the hand, its sets, and indicators."""
    return [
        one
        for one in hand
        if one.entry.event is win
        or isinstance(one.entry.event, Indicator)
        or (isinstance(one.entry.event, Claim) and one.entry.event.seat == win.seat)
        or (isinstance(one.entry.event, Position) and _decides(one.entry.event, win))
    ]


def _decides(joined: Position, win: Win) -> bool:
    """Whether a win is paid by what lay there when its hand was joined in the middle."""
    return bool(joined.indicators or (joined.sets and joined.sets[win.seat]))


def compare(event: Event, read: Sequence[Tile]) -> list[tuple[Tile, Tile]] | None:
    """Tiles of an event beside what they were read as again; none where both readings agree.

    ``read`` are the tiles in no order. None where not every tile was seen again.
    """
    told = _shown(event, len(read))
    left = [*(Counter(told) - Counter(read)).elements()]
    other = [*(Counter(tile for tile in read if tile.known) - Counter(told)).elements()]
    pairs: list[tuple[Tile, Tile]] = []
    ways = [(tile, seen) for tile in left if tile.known for seen in other]
    for tile, seen in sorted(ways, key=lambda pair: _apart(*pair)):
        if tile in left and seen in other:
            left.remove(tile)
            other.remove(seen)
            pairs.append((tile, seen))
    if pairs:
        return sorted(pairs)
    return None if left or other else []


def _shown(event: Event, count: int) -> tuple[Tile, ...]:
    """The tiles that an event shows, where so many lie face up."""
    match event:
        case Win(tile=tile, hand=hand):
            return (tile, *(hand or (UNKNOWN,)))
        case Chow(tile=tile, own=own) | Pung(tile=tile, own=own):
            return (tile, *own)
        case Kong(tile=tile, own=own):
            whole = (tile, *(own or ()))
            # Two of a closed one may lie face down, and of an added one a single tile came.
            part = event.kind != "open" or own is None
            return (tile,) * max(count, 1) if part and len(whole) != count else whole
        case Indicator(tile=tile):
            return (tile,)
        case Position():  # none of it is read again
            return (UNKNOWN,)
        case _:
            return ()


def _apart(told: Tile, seen: Tile) -> tuple[bool, int]:
    return told.suit != seen.suit, abs(told.rank - seen.rank)


def compared(game: Game, since: int = 0) -> list[Compared]:
    """The wins from line ``since`` on of which a second reading was made, in the order of play.

    Nobody asks for a win that a person wrote, or for a set that one put right.
    """
    entries = game.entries
    found: list[Compared] = []
    if not game.reads_again:
        return found
    for played in _hands_played(game, since):
        hand = [one.event for one in played if one.event.number >= since]
        again = _again(hand)
        for one in hand:
            win = one.entry.event
            if not isinstance(win, Win) or one.entry.again is None:
                continue
            if not told_by_camera(entries, one):
                continue
            otherwise: list[ReadOtherwise] = []
            unseen: list[EventInForce] = []
            for each in decisive(hand, win):
                if not told_by_camera(entries, each):
                    continue
                read = again.get(change_of(entries, each))
                pairs = None if read is None else compare(each.entry.event, read.tiles)
                if pairs is None:
                    unseen.append(each)
                elif pairs:
                    public = _is_public(game, each)
                    otherwise += [ReadOtherwise(each, *pair, public) for pair in pairs]
            found.append(Compared(one, tuple(otherwise), tuple(unseen)))
    return found


def _is_public(game: Game, one: EventInForce) -> bool:
    """Whether everybody sees an event as it was told."""
    if not isinstance(one.entry.event, Indicator):
        return True
    last = len(game.played) - first_since(game.played, one.number)
    seen = (each for each in events_seen(game, last=last) if each.number == one.number)
    return any(each.entry.event == one.entry.event for each in seen)


def _again(hand: Hand) -> dict[str, ReadAgain]:
    """What was read again of each change of a hand; the last reading holds."""
    return {read.change: read for one in hand for read in one.entry.again or ()}


def as_read_before(
    entries: Sequence[Entry], lines: Sequence[Entry], but: Collection[str | None] = ()
) -> list[Entry]:
    """Lines of a camera, with what was read again of the same changes when a record was made.

    ``but``: changes of which people have answered.
    """
    known: dict[_OfChange, tuple[ReadAgain, ...]] = {}
    for one in filter(reads_again, entries):
        _note(one, known)
    return [_known_again(line, known, but) for line in lines] if known else [*lines]


_OfChange = tuple[type, str]
"""The kind of an event, and the change that it explains."""


def _note(line: Entry, known: dict[_OfChange, tuple[ReadAgain, ...]]) -> None:
    event = line.event
    for one in event.events if isinstance(event, Correct) else ():
        _note(one, known)
    if line.again is not None and line.change is not None:
        known[type(event), line.change] = line.again


def _known_again(
    line: Entry,
    known: Mapping[_OfChange, tuple[ReadAgain, ...]],
    but: Collection[str | None],
) -> Entry:
    event = line.event
    if isinstance(event, Correct):
        inside = tuple(_known_again(one, known, but) for one in event.events)
        return replace(line, event=replace(event, events=inside))
    if line.source != "camera" or line.again is not None or line.change in but:
        return line
    again = known.get((type(event), line.change or ""))
    return line if again is None else replace(line, again=again)


def not_read_again(game: Game, least: int, since: int) -> list[EventInForce]:
    """What is to be read again of wins that pay so much or more at once: those of which nothing was
    read again, and indicators that came later.

    Only what a camera told from line ``since`` on is; a person has looked at all else.
    """
    entries = game.entries
    found: list[EventInForce] = []
    for played in _hands_played(game, since):
        hand = [one.event for one in played if one.event.number >= since]
        wins = [one for one in hand if isinstance(one.entry.event, Win)]
        if not wins:
            continue
        paid = _payments(game, played)
        large = [one for one in wins if paid(one) >= least]
        if not large:
            continue
        again = _again(hand)
        read = any(one.entry.again for one in large)
        found += [
            one
            for one in hand
            if told_by_camera(entries, one)
            and (
                (one in large and one.entry.again is None)
                or (
                    isinstance(one.entry.event, Indicator)
                    and read
                    and change_of(entries, one) not in again
                )
            )
        ]
    return found


def _payments(game: Game, hand: Sequence[PlayedEvent]) -> Callable[[EventInForce], int]:
    """The most that one seat pays at once for each win of a hand, as if the hand ended now."""
    if hand[-1] is game.played[-1] and game.state.phase in (Phase.SETTLED, *IN_PLAY):
        ended = game.with_lines(Entry(HandEnd()))
        hand = (*hand, ended.played[-1])
    own = [(one.event, _largest(one)) for one in hand if isinstance(one.event.entry.event, Win)]
    # What is paid when the hand ends, or an indicator is turned up, is not told apart by wins.
    shared = [_largest(one) for one in hand if isinstance(one.event.entry.event, _SETTLING)]
    if len(own) == 1:  # what is turned up afterwards is paid besides
        shared.append(-min(hand[-1].state.paid))
    return lambda win: max(*shared, *(paid for one, paid in own if one == win), 0)


_SETTLING: Final = (HandEnd, Indicator)


def _largest(one: PlayedEvent) -> int:
    """The most that one seat pays by an announcement of an event."""
    paid = (-min(said.deltas) for said in one.announcements if isinstance(said, Payout))
    return max(paid, default=0)


def _hands_played(game: Game, since: int) -> Iterator[Sequence[PlayedEvent]]:
    """The hands that are told from line ``since`` on, the first of them whole."""
    played = game.played
    first = first_since(played, since)
    while first and not isinstance(played[first - 1].event.entry.event, HandStart):
        first -= 1
    hand: list[PlayedEvent] = []
    for one in played[max(0, first - 1) :]:
        if isinstance(one.event.entry.event, HandStart) and hand:
            yield hand
            hand = []
        hand.append(one)
    if hand:
        yield hand
