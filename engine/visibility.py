"""What one seat may know of a record, or everybody who watches: the one place that hides the rest.

Each view is made from the hidden form alone, so that nothing in it can depend on a hidden tile:

- ``events_seen`` gives the events in force as they may be shown;
- ``Game.as_seen`` (made of ``event_seen``) plays them, to try out what may be;
- ``concealed`` is the state as it lies on the table.

Announcements are filtered by ``engine.announce.heard_by``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine import events as ev
from engine.announce import Problem
from engine.events import Seat
from engine.evolve import evolve
from engine.played import PlayedEvent, Replay
from engine.state import Player, State, Tally
from engine.tiles import UNKNOWN, Tile

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


@dataclass(frozen=True)
class VisibleEvent:
    """An event in force as it may be shown."""

    number: int
    """Number of its line in the record."""
    place: int
    """Its place among the events of that line: a correction may put several there."""
    entry: ev.Entry


def events_seen(
    game: Replay, seat: Seat | None = None, last: int | None = None
) -> list[VisibleEvent]:
    """The events in force as ``seat`` may see them (None: everybody), in the order of play.

    With ``last``, only that many of the newest. What the other seats were dealt, drew or hold, and
    indicators that the rule set keeps secret from this seat, stand as ``?``.
    """
    played = game.played
    first = 0 if last is None else max(0, len(played) - last)
    visible = []
    for index, ends in _backwards(played):
        if index < first:
            break
        event = played[index]
        place = 0
        while place < index and played[index - place - 1].event.number == event.event.number:
            place += 1
        shown = entry_seen(event, ends, seat)
        visible.append(VisibleEvent(event.event.number, place, shown))
    return visible[::-1]


def entry_seen(played: PlayedEvent, ends: State, seat: Seat | None) -> ev.Entry:
    """One line as it may be seen; ``ends`` is the last state of its hand."""
    entry = played.event.entry
    taken = not any(
        isinstance(announcement, Problem) and announcement.impossible
        for announcement in played.announcements
    )
    # A refused event belongs to no hand, so the end of a hand never makes it public.
    event = event_seen(entry.event, ends if taken else State(), played.rules, seat)
    if entry.again is not None and not ends.hand_over:  # it may name secret indicators
        entry = replace(entry, again=None)
    return entry if event is entry.event else replace(entry, event=event)


def event_seen(event: ev.Event, state: State, rules: RuleSet | None, seat: Seat | None) -> ev.Event:
    """One event as ``seat`` may see it; ``state`` is the last one of its hand.

    Without ``rules`` every indicator is hidden.
    """
    match event:
        case ev.Draw() if event.seat != seat:
            return replace(event, tile=UNKNOWN)
        case ev.Flower() if event.seat != seat:
            return replace(event, drawn=UNKNOWN)
        case ev.Deal(tiles=tiles) if event.seat != seat:
            return replace(event, tiles=(UNKNOWN,) * len(tiles))
        case ev.Indicator():
            return _indicator_seen(event, state, rules, seat)
        case ev.Position(hands=hands, indicators=turned):
            stands = state.joined == event  # a refused one shows nothing
            if hands is not None:
                hands = tuple(
                    hand if own == seat or (stands and event.shows(own)) else (UNKNOWN,) * len(hand)
                    for own, hand in enumerate(hands)
                )
            if turned is not None:
                turned = tuple(_indicator_seen(part, state, rules, seat) for part in turned)
            return replace(event, hands=hands, indicators=turned)
        case ev.Correct(events=entries):
            inner = (
                replace(entry, event=event_seen(entry.event, state, None, seat), again=None)
                for entry in entries
            )
            return replace(event, events=tuple(inner))
        case _:
            return event


def _indicator_seen(
    indicator: ev.Indicator, state: State, rules: RuleSet | None, seat: Seat | None
) -> ev.Indicator:
    if rules is not None and indicator_visible(rules, state, indicator.kind, seat):
        return indicator
    return replace(indicator, tile=UNKNOWN)


def indicator_visible(rules: RuleSet, state: State, kind: str, seat: Seat | None) -> bool:
    """Whether this seat (None: everybody) may know indicators of this kind; only this decides it.

    ``state`` is the last one of the indicators' hand. Those in the wall lie face up, and who is
    ready may look at those that lie elsewhere (000, 3.2); the tiles under them are secret.
    """
    layout = rules.layout
    if kind in layout.indicator_kinds:
        in_wall = layout.indicator_at == "wall"
        return in_wall or state.hand_over or (seat is not None and state.players[seat].ready)
    return kind == layout.under_kind and state.hand_over


def indicators_seen(state: State, rules: RuleSet | None, seat: Seat | None) -> list[ev.Indicator]:
    """Indicators of the current hand as ``seat`` may see them."""
    return [_indicator_seen(indicator, state, rules, seat) for indicator in state.indicators]


def concealed(state: State, rules: RuleSet, seat: Seat | None = None) -> State:
    """The state as ``seat`` knows it (None: everybody): hands that nobody has shown are hidden."""
    pending = state.contested
    return evolve(
        state,
        players=tuple(
            player if at == seat else _concealed(player, state.open_hand(at))
            for at, player in enumerate(state.players)
        ),
        indicators=tuple(indicators_seen(state, rules, seat)),
        contested=None if pending is None else concealed(pending, rules, seat),
        tally=Tally(),
    )


def _concealed(player: Player, lying: tuple[Tile, ...]) -> Player:
    hidden = (UNKNOWN,) * (len(player.hand) - len(lying))
    if not hidden:
        return player
    drawn = None if player.drawn is None else UNKNOWN
    return evolve(player, hand=(*lying, *hidden), drawn=drawn)


def _backwards(played: Sequence[PlayedEvent]) -> Iterator[tuple[int, State]]:
    """Every index, the last one first, with the last state of its hand.

    The start or end of a game leaves an unfinished hand before it as it was.
    """
    ends: State | None = None
    for index in range(len(played) - 1, -1, -1):
        current = played[index]
        if ends is None:
            ends = current.state
        yield index, ends
        if index and begins(played, index):
            ends = None


def begins(played: Sequence[PlayedEvent], index: int) -> bool:
    """Whether a hand or game begins, or a game ends, with the event at this index."""
    before, current = played[index - 1].state if index else None, played[index]
    event = current.event.entry.event
    if before is None or isinstance(event, ev.GameStart | ev.GameEnd):
        return True
    return current.state.hand_number != before.hand_number
