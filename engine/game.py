"""A game: a rule set, an append-only record, and the state that its replay gives."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.announce import Announcement, Hint, Problem, heard_by
from engine.events import Chow, Claim, Correct, Entry, Event, GameStart, Kong, Pung, Seat, Win
from engine.evolve import evolve
from engine.log import EventInForce, GrowingList, in_force, reads_again
from engine.options import check, rules_of
from engine.played import PlayedEvent
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.rules.competing_claims import takers
from engine.state import Phase, State
from engine.surely_seen import surely_seen
from engine.visibility import begins, event_seen, events_seen

AnswerToDiscard = Callable[[Seat, tuple[Claim | Win, ...]], Claim | Win | None]
"""What a seat does about the last discard: one of its claims, or None to let it pass."""


Progress = Callable[[int, int], object]
"""Hears how many events have been replayed, and of how many."""


@dataclass(frozen=True)
class GamePreview:
    """The state and announcements if some events came next."""

    state: State
    announcements: tuple[Announcement, ...]


class Game:
    """A growing record and its replay so far: the only mutable object of the engine.

    Every event keeps the state that it led to. So a new line costs one step, and a correction costs
    the steps from the event that it changes.
    """

    def __init__(self, rule_sets: Mapping[str, RuleSet] = RULE_SETS) -> None:
        self._rule_sets = rule_sets
        self._entries: list[Entry] = []
        self._played: list[PlayedEvent] = []
        self._nested = False
        """Whether a correction holds another correction, so that any event may depend on it."""
        self._reads_again = False

    @property
    def entries(self) -> Sequence[Entry]:
        """Every line so far, corrections included."""
        return GrowingList(self._entries)

    @property
    def played(self) -> Sequence[PlayedEvent]:
        """Every event in force with its effects, in the order of play."""
        return GrowingList(self._played)

    @property
    def state(self) -> State:
        """The state after the events in force."""
        return self._played[-1].state if self._played else State()

    @property
    def rules(self) -> RuleSet | None:
        """The rule set of the current game. None before the first one starts."""
        return self._played[-1].rules if self._played else None

    @property
    def reads_again(self) -> bool:
        """Whether a line tells what was read a second time, in force or not."""
        return self._reads_again

    def submit(self, line: Entry | Event) -> tuple[Announcement, ...]:
        """Append one line and return the new announcements.

        An impossible event leaves the state unchanged and keeps its number. After a correction all
        later events are replayed, and only announcements that were not made before are returned.
        Raise ``Unreadable``, with nothing appended, for a game with unknown rules or options.
        """
        entry = line if isinstance(line, Entry) else Entry(line)
        check(entry, self._rule_sets)
        if isinstance(entry.event, Correct):
            first = self.first_changed(entry.event)
            self._append(entry)
            return self._replay(first)
        self._append(entry)
        played = self._play(EventInForce(len(self._entries) - 1, entry), self.rules, self.state)
        self._played.append(played)
        return played.announcements

    def preview(self, entries: Sequence[Entry]) -> GamePreview:
        """Return what would follow if these lines came next; the game stays as it is."""
        if any(isinstance(entry.event, Correct) for entry in entries):
            return self._preview_corrected(entries)
        rules, state = self.rules, self.state
        announced: list[Announcement] = []
        for number, entry in enumerate(entries, start=len(self._entries)):
            check(entry, self._rule_sets)
            played = self._play(EventInForce(number, entry), rules, state)
            rules, state = played.rules, played.state
            announced += played.announcements
        return GamePreview(state, tuple(announced))

    def with_lines(self, *entries: Entry) -> Game:
        """Return a copy of the game with these lines added."""
        other = Game(self._rule_sets)
        other._entries = list(self._entries)
        other._played = list(self._played)
        other._nested = self._nested
        other._reads_again = self._reads_again
        for entry in entries:
            other.submit(entry)
        return other

    def as_it_was(self, count: int) -> Game:
        """Return the game after so many of its events in force, beside the whole record."""
        other = self.with_lines()
        del other._played[count:]
        return other

    def first_lines(self, count: int) -> Game:
        """Return the game that so many lines tell; only what a later line changed is replayed."""
        later = (entry.event for entry in self._entries[count:])
        changed = (self.first_changed(event) for event in later if isinstance(event, Correct))
        first = min(changed, default=count)
        other = Game(self._rule_sets)
        other._entries = self._entries[:count]
        other._played = self._played[: first_since(self._played, min(first, count))]
        other._nested = self._nested
        other._reads_again = self._reads_again
        if first < count:
            other._replay(first)
        return other

    def as_seen(self, number: int | None = None) -> Game:
        """Return the game as everybody saw it, to try out events on it.

        In the hand of event ``number`` (default: the newest) and later nothing depends on a tile
        that only one seat knows. Earlier hands stay as they were played. An event that the record
        calls impossible is impossible here too, even if the public cannot tell why.
        """
        played = self._played
        first = 0 if self._nested else _hand_of(played, number)
        seen = events_seen(self, last=len(played) - first)
        line = played[first].event.number if first < len(played) else 0
        shown = {
            id(actual.event.entry): visible.entry
            for actual, visible in zip(played[first:], seen, strict=True)
        }
        other = self.with_lines()
        other._entries[line:] = [_line_seen(entry, shown) for entry in self._entries[line:]]
        del other._played[first:]
        for actual, visible in zip(played[first:], seen, strict=True):
            replayed = other._play(
                EventInForce(visible.number, visible.entry), other.rules, other.state
            )
            if _impossible(actual) and not _impossible(replayed):
                public = tuple(heard_by(actual.announcements, None))
                replayed = replayed._replace(state=other.state, announcements=public)
            other._played.append(replayed)
        return other

    def announcements(self, since: int = 0) -> tuple[Announcement, ...]:
        """All announcements of the record with its corrections, in the order of play.

        ``since``: only those that events from this number on caused.
        """
        return tuple(announced_since(self.played, since))

    def first_changed(self, correct: Correct) -> int:
        """The number of the first line that this correction changes."""
        number = correct.of
        if not 0 <= number < len(self._entries):
            return len(self._entries)
        if self._nested or _brings_a_correction(correct):
            return 0
        while isinstance(event := self._entries[number].event, Correct) and 0 <= event.of < number:
            number = event.of
        return number

    def legal(self, seat: Seat | None = None) -> tuple[Event, ...]:
        """Every regular event that may come next, or only what this seat may do.

        Indicators that are due are among them, with the tile ``?``.
        """
        starts: tuple[Event, ...] = ()
        if self.state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME):
            starts = tuple(GameStart(name) for name in self._rule_sets)
        every = starts + (self.rules.legal(self.state) if self.rules else ())
        return (
            every if seat is None else tuple(e for e in every if getattr(e, "seat", None) == seat)
        )

    def ask(self, answer: AnswerToDiscard) -> tuple[Claim | Win, ...]:
        """Ask every seat that may claim the last discard, and return the claims that get it.

        There are several where several may win, and none where all let it pass.
        """
        answers = []
        for seat in self.state.claimant_seats:
            claims = [e for e in self.legal(seat) if isinstance(e, Chow | Pung | Kong | Win)]
            if claims:
                answers.append(answer(seat, tuple(claims)))
        wanted = [claim for claim in answers if claim is not None]
        return takers(self.rules, self.state, wanted) if self.rules else ()

    def hint(self, seat: Seat) -> Hint:
        """What this seat should discard or claim, by what it can see; private to it."""
        hint = self.rules.hint(self.state, seat) if self.rules else Hint(seat, (), audience=seat)
        return replace(hint, of=self._played[-1].event.number if self._played else -1)

    def taught(self) -> Iterator[Announcement]:
        """All announcements, with new hints after every event for the seats that have a choice."""
        for played, hints in zip(self._played, self.hints(), strict=True):
            yield from (*played.announcements, *hints)

    def hints(self) -> Iterator[list[Hint]]:
        """For every event in force the new hints that follow it."""
        before: dict[Seat, Hint] = {}
        for played in self._played:
            fresh = []
            for seat in _choosing(played.state) if played.rules is not None else ():
                assert played.rules is not None
                hint = played.rules.hint(played.state, seat)
                choice = hint.discards or hint.claims or hint.win or hint.flower
                if choice and hint != before.get(seat):
                    before[seat] = hint
                    fresh.append(replace(hint, of=played.event.number))
            yield fresh

    def _as_seen_surely(
        self, entry: Entry, announced: tuple[Announcement, ...]
    ) -> tuple[Announcement, ...]:
        """Announcements whose fouls are certain only if the camera surely saw what they rest on."""
        if surely_seen(entry, self._played):
            return announced
        return tuple(
            evolve(one, certain=False) if isinstance(one, Problem) and not one.impossible else one
            for one in announced
        )

    def _append(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._nested |= isinstance(entry.event, Correct) and _brings_a_correction(entry.event)
        self._reads_again |= reads_again(entry)

    def _replay(
        self, since: int = 0, progress: Progress = lambda played, of: None
    ) -> tuple[Announcement, ...]:
        """Replay the lines from number ``since`` on; earlier results and later games stay."""
        before, same = self._played, first_since(self._played, since)
        events = in_force(self._entries, since)
        kept = same + _common(before, same, events)
        events = events[kept - same :]
        later = _later_games(before[kept:], events)
        changed, gone = events[: len(events) - later], before[kept : len(before) - later]
        # A new list, so that a reader of the old one still sees the old game.
        self._played = before[:kept]
        for count, event in enumerate(changed, start=1):
            self._played.append(self._play(event, self.rules, self.state))
            progress(count, len(changed))
        announced = [
            announcement for played in self._played[kept:] for announcement in played.announcements
        ]
        self._played += before[len(before) - later :]
        return _new(
            announced, [announcement for played in gone for announcement in played.announcements]
        )

    def _preview_corrected(self, entries: Sequence[Entry]) -> GamePreview:
        other = self.with_lines()
        announcements = [announcement for entry in entries for announcement in other.submit(entry)]
        return GamePreview(other.state, tuple(announcements))

    def _play(self, event: EventInForce, rules: RuleSet | None, state: State) -> PlayedEvent:
        happened = event.entry.event
        if isinstance(happened, GameStart):
            rules, state = rules_of(happened, self._rule_sets), State()
        if isinstance(happened, Correct):
            return PlayedEvent(event, rules, state, (_nothing_there(event.number),))
        if rules is None:
            return PlayedEvent(event, rules, state, (_no_game(event.number),))
        step = rules.apply(state, event.entry, event.number)
        announced = tuple(
            [
                evolve(announcement, of=event.number) if announcement.of < 0 else announcement
                for announcement in step.announcements
            ]
        )
        if any(isinstance(one, Problem) for one in announced):
            announced = self._as_seen_surely(event.entry, announced)
        return PlayedEvent(event, rules, step.state, announced)


def replay(
    lines: Iterable[Entry | Event],
    rule_sets: Mapping[str, RuleSet] = RULE_SETS,
    since: int = 0,
    progress: Progress = lambda played, of: None,
) -> Game:
    """Replay a whole record; raise ``Unreadable`` as ``Game.submit`` does.

    ``since``: as if nothing had happened before this line, such as the start of the last game.
    ``progress`` is told after each event.
    """
    game = Game(rule_sets)
    for line in lines:
        entry = line if isinstance(line, Entry) else Entry(line)
        check(entry, rule_sets)
        game._append(entry)
    game._replay(since, progress)
    return game


def _line_seen(entry: Entry, shown: Mapping[int, Entry]) -> Entry:
    """A line as the public may see it. Events that are no longer in force are hidden."""
    if id(entry) in shown:
        return shown[id(entry)]
    event = entry.event
    if isinstance(event, Correct):
        inner = tuple(_line_seen(line, shown) for line in event.events)
        return replace(entry, event=replace(event, events=inner))
    return replace(entry, event=event_seen(event, State(), None, None))


def _hand_of(played: Sequence[PlayedEvent], number: int | None) -> int:
    """The index of the first event of the hand of event ``number``, or of the newest hand."""
    at = len(played) - 1
    while at > 0 and number is not None and played[at].event.number > number:
        at -= 1
    while at > 0 and not begins(played, at):
        at -= 1
    # A line that brings several events is replaced as a whole.
    return first_since(played, played[at].event.number) if played else 0


def _impossible(played: PlayedEvent) -> bool:
    return any(
        isinstance(announcement, Problem) and announcement.impossible
        for announcement in played.announcements
    )


def _choosing(state: State) -> tuple[Seat, ...]:
    """Seats that may discard now, claim the last discard, or have drawn in a last turn."""
    if state.phase is Phase.TO_DISCARD:
        return (state.turn,)
    if state.phase is not Phase.TO_DRAW:
        return ()
    drawn = (seat for seat in range(4) if state.players[seat].holds_extra)
    return tuple(dict.fromkeys((*state.claimant_seats, *drawn)))


def first_since(played: Sequence[PlayedEvent], number: int) -> int:
    """The index of the first event in force from this number on."""
    return bisect_left(played, number, key=lambda event: event.event.number)


def announced_since(played: Sequence[PlayedEvent], number: int) -> Iterator[Announcement]:
    """Announcements that events from this number on caused."""
    for place in range(first_since(played, number), len(played)):
        yield from played[place].announcements


def _common(before: Sequence[PlayedEvent], since: int, events: Sequence[EventInForce]) -> int:
    """How many events from index ``since`` on are unchanged."""
    for count, (played, event) in enumerate(zip(before[since:], events, strict=False)):
        if played.event != event:
            return count
    return min(len(before) - since, len(events))


def _later_games(before: Sequence[PlayedEvent], events: Sequence[EventInForce]) -> int:
    """How many events at the end are unchanged games: the start of a game forgets all before it."""
    found = 0
    pairs = zip(reversed(before), reversed(events), strict=False)
    for count, (played, event) in enumerate(pairs, start=1):
        if played.event != event:
            break
        if isinstance(event.entry.event, GameStart):
            found = count
    return found


def _brings_a_correction(correct: Correct) -> bool:
    return any(isinstance(entry.event, Correct) for entry in correct.events)


def _new(
    announcements: Iterable[Announcement], before: Iterable[Announcement]
) -> tuple[Announcement, ...]:
    """Announcements that were not made before, counting repetitions."""
    known = Counter(map(repr, before))
    if not known:
        return tuple(announcements)
    fresh = []
    for announcement in announcements:
        words = repr(announcement)  # suggestions may hold mappings, which cannot be hashed
        if known[words]:
            known[words] -= 1
        else:
            fresh.append(announcement)
    return tuple(fresh)


def _nothing_there(number: int) -> Problem:
    return Problem("no_such_event", None, True, "record, events", "correct_earlier", of=number)


def _no_game(number: int) -> Problem:
    return Problem("no_game", None, True, "record, events", "start_game", of=number)
