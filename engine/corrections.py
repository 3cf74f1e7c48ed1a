"""Corrections of a record by people: the lines that correct it, undo a correction, or redo it.

A change may take several lines: one of a person, and those that follow from it, with the reason
``reread``, directly after it. They are undone and redone together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine.errors import Conflict, NotThere, Refused
from engine.events import (
    Correct,
    Deal,
    Dice,
    Draw,
    Entry,
    GameEnd,
    GameStart,
    HandStart,
    Indicator,
)
from engine.game import Game
from engine.log import EventInForce, in_force, taken_back
from engine.play import IN_PLAY
from engine.state import Phase

EditKind = Literal["replace", "insert", "remove", "confirm"]
_DEALING: Final = (Deal, Dice, Draw, Indicator)
"""What happens before the first discard of a hand."""
RULED_BY: Final = "ruled by "
"""How the evidence of such a line begins; the name follows."""
FOLLOWS: Final = "reread"
"""The reason of a person's line that follows from the line before it."""


def refuse_stale(entries: Sequence[Entry], lines: int) -> None:
    """Raise ``Conflict`` if a person changed the record after it had ``lines`` lines.

    Lines that the camera added at the end do not matter.
    """
    since = entries[lines:]
    changed = any(isinstance(entry.event, Correct) or entry.source == "person" for entry in since)
    if changed or lines > len(entries):
        raise Conflict(
            f"the record was changed meanwhile: it had {lines} lines and has {len(entries)}; "
            "look at it again and repeat what is still needed"
        )


def at(
    entries: Sequence[Entry], number: int, place: int = 0
) -> tuple[list[EventInForce], EventInForce]:
    """Return all events in force of one line, and the one at ``place``; raises ``NotThere``."""
    here = [event for event in in_force(entries, max(number, 0)) if event.number == number]
    if not 0 <= place < len(here):
        which = f"event {number}" if not place else f"event {number}, place {place},"
        raise NotThere(f"{which} is not in the record; choose one of the events listed")
    return here, here[place]


def correction(
    entries: Sequence[Entry], number: int, place: int, how: EditKind, given: Sequence[Entry]
) -> Entry:
    """The line that replaces, removes, confirms, or inserts before, one event.

    Raises ``NotThere``.
    """
    here, old = at(entries, number, place)
    written = [event.entry for event in here]
    replacements = [_by_person(entry, old.entry) for entry in given]
    match how:
        case "replace":
            written[place : place + 1] = replacements
        case "insert":
            # A missed event has no picture of its own.
            written[place:place] = [
                replace(replacement, evidence=None) for replacement in replacements
            ]
        case "remove":
            del written[place]
        case "confirm":
            written[place] = _by_person(old.entry, old.entry)
    return Entry(Correct(number, tuple(written)), t=old.entry.t, source="person")


def next_game(game: Game, players: Sequence[str] | None, time_s: float | None) -> list[Entry]:
    """Lines that end a game and start the next one by the same rules.

    ``players``: who sits where now; None is as before. Raises ``Refused`` while a hand is played;
    one that has only been dealt is the first of the next game.
    """
    events = in_force(game.entries)
    starts = [event.entry.event for event in events if isinstance(event.entry.event, GameStart)]
    if not game.state.hand_number:
        raise Refused("no hand has been played in this game yet")
    start = replace(starts[-1], first_dealer=None)
    if players is not None:
        refuse_equal_names(players)
        start = replace(start, players=tuple(players))
    ends, begins = (Entry(event, t=time_s, source="person") for event in (GameEnd(), start))
    if game.state.phase not in IN_PLAY:
        return [begins] if game.state.phase is Phase.AFTER_GAME else [ends, begins]
    places = [at for at, event in enumerate(events) if isinstance(event.entry.event, HandStart)]
    if not all(isinstance(event.entry.event, _DEALING) for event in events[places[-1] + 1 :]):
        raise Refused("a hand is being played; finish it, or correct how it ended")
    if game.state.hand_number == 1:
        raise Refused("no hand has been played in this game yet")
    number = events[places[-1]].number
    place = sum(event.number == number for event in events[: places[-1]])
    return [correction(game.entries, number, place, "insert", [ends, begins])]


def refuse_equal_names(players: Sequence[str]) -> None:
    """Raise ``Refused`` where two players have one name: standings know people by their names."""
    for name in {player for player in players if player}:
        if sum(player.casefold() == name.casefold() for player in players) > 1:
            raise Refused(f"two players are called {name}; give one of them another name")


def by_referee(line: Entry, name: str) -> Entry:
    """A person's line with the name of who ruled so; unchanged without a name."""
    return replace(line, evidence=f"{RULED_BY}{name}") if name else line


def following(line: Entry) -> Entry:
    """A correction that follows from the line before it."""
    assert isinstance(line.event, Correct), "only corrections follow from others"
    return replace(line, event=replace(line.event, reason=FOLLOWS))


@dataclass
class _Change:
    """Numbers of the lines of one change, the person's own first."""

    lines: list[int]
    undone_by: list[int] = field(default_factory=list)


class EditHistory:
    """What people can undo and redo, the latest last."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.undo: list[_Change] = []
        self.redo: list[_Change] = []
        self._open: list[int] = []
        """Lines of the change that the next line may belong to."""
        self._ends_game = False
        """Whether the last line of a person ended a game: the start of the next goes with it."""
        for number, entry in enumerate(entries):
            self.take(number, entry)

    def take(self, number: int, entry: Entry) -> None:
        """Add the next line."""
        if entry.source != "person":
            return
        event = entry.event
        follows = isinstance(event, Correct) and event.reason == FOLLOWS
        follows |= isinstance(event, GameStart) and self._ends_game
        self._ends_game = isinstance(event, GameEnd)
        if follows and number - 1 in self._open[-1:]:
            self._open.append(number)
            return
        self._open = [number]
        of = event.of if isinstance(event, Correct) and not event.events else None
        if self.undo and of == self.undo[-1].lines[0]:
            self.redo.append(self.undo.pop())
            self.redo[-1].undone_by = self._open
        elif self.redo and of == self.redo[-1].undone_by[0]:
            self.undo.append(self.redo.pop())
        else:
            self.undo.append(_Change(self._open))
            self.redo.clear()


def undone(acts: EditHistory) -> list[Entry]:
    """The lines that undo what a person did last; raises ``NotThere``."""
    if not acts.undo:
        raise NotThere("there is nothing to undo")
    return _together([Entry(Correct(line, ())) for line in acts.undo[-1].lines])


def redone(acts: EditHistory, entries: Sequence[Entry]) -> list[Entry]:
    """The lines that redo what was undone last; raises ``NotThere``."""
    if not acts.redo:
        raise NotThere("there is nothing to redo")
    change = acts.redo[-1]
    pairs = zip(change.lines, change.undone_by, strict=False)
    return _together([_again(entries, line, undo) for line, undo in pairs])


def _again(entries: Sequence[Entry], line: int, undo: int) -> Entry:
    again = entries[line]
    event = again.event
    if isinstance(event, Correct) and any(
        isinstance(since.event, Correct) and since.event.of == event.of
        for since in entries[undo + 1 :]
    ):
        # The camera has corrected the same event since, which hides the line that was undone.
        was, now = (_on_line(lines, event.of) for lines in (entries[:line], entries))
        return replace(again, event=replace(event, events=_merged(event.events, was, now)))
    return Entry(Correct(undo, ()))


def _merged(
    written: Sequence[Entry], was: Sequence[Entry], now: Sequence[Entry]
) -> tuple[Entry, ...]:
    """What a person wrote on a line, with what the camera has seen since and put there.

    ``was``: the events of the line that the person saw.
    """
    events, known = list(written), {_seen_as(entry) for entry in was}
    for place, late in reversed(list(enumerate(now))):
        if _seen_as(late) not in known:
            later = {_seen_as(entry) for entry in now[place + 1 :]}
            before = (at for at, entry in enumerate(events) if _seen_as(entry) in later)
            events.insert(next(before, len(events)), late)
    return tuple(events)


def _seen_as(entry: Entry) -> object:
    """The change of an event; where it has none, the event itself."""
    return entry.event if entry.change is None else entry.change


def _on_line(entries: Sequence[Entry], number: int) -> list[Entry]:
    """The events in force of one line."""
    return [event.entry for event in in_force(entries, number) if event.number == number]


def _together(lines: Sequence[Entry]) -> list[Entry]:
    first, *rest = (replace(line, source="person") for line in lines)
    return [first, *map(following, rest)]


def _by_person(entry: Entry, old: Entry) -> Entry:
    """The entry as a person's, at the time of the one that it replaces, about the same change."""
    return replace(
        entry, t=old.t, evidence=old.evidence, confidence=None, source="person", change=old.change
    )


def ruled_by(entries: Sequence[Entry], number: int) -> list[str]:
    """Who has ruled on the events of one line, in order, unless the ruling was undone."""
    rulings = (
        line  # a correction stands after what it corrects
        for line, entry in enumerate(entries[number + 1 :], number + 1)
        if isinstance(entry.event, Correct) and entry.event.of == number
    )
    said = (str(entries[line].evidence) for line in rulings if not taken_back(entries, line))
    return [each.removeprefix(RULED_BY) for each in said if each.startswith(RULED_BY)]
