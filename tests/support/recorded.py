"""A hand-made table, its decoder, and the record that both the camera and people write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace

from games.recorded import RecordedDecoder

from engine.announce import Problem
from engine.events import (
    Correct,
    Draw,
    DrawnHand,
    Entry,
    Event,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
)
from engine.game import replay
from engine.log import in_force
from engine.state import State
from tests.support.tables import VIEW, Table, plain, shares
from vision.decoder.question import Answer, Question


class Recorded(Table):
    """A table of which every line is kept, as a session keeps them."""

    def __init__(self, rules: str = "harbin-hlr") -> None:
        super().__init__(rules)
        self.decoder = RecordedDecoder(rules, VIEW)
        self.lines: list[Entry] = []

    def restart(self) -> None:
        """Another program continues the record; its clock begins anew."""
        self.decoder = RecordedDecoder(self.rules, VIEW, before=self.lines)
        self.stage.time_s = 0.0

    # --- what happens on the table ---

    def show(self, lasts_s: float = 1.2) -> None:
        for seen in self.stage.shown(lasts_s):
            self.lines += self.decoder.observe(seen)

    def put(self, seat: int, face: str, place: int = 0, sure: float = 0.97) -> int:
        """A face in a seat's rows of five; nobody looks yet."""
        row, column = divmod(place, 5)
        tile = self.stage.put(seat, -64 + 32 * column, 110 + 42 * row, face)
        self.stage.change(tile, probabilities=shares(face, sure))
        return tile

    def discard(self, seat: int, face: str, place: int = 0, sure: float = 0.97) -> int:
        """A discard; the hand of a dealer falls to as many tiles as the others hold."""
        self.stage.busy = frozenset({seat})
        self.show(0.4)
        tile = self.put(seat, face, place, sure)
        self.stage.stand(seat, self.hand_size)
        self.show(0.4)
        self.stage.busy = frozenset()
        self.show(3.0)
        return tile

    def shake(self, tiles: Iterable[int], each_s: float = 0.4) -> None:
        """So much moves that nothing is read; one of these tiles after the other is gone."""
        for tile in tiles:
            self.stage.take(tile)
            for seen in self.stage.shown(each_s):
                self.lines += self.decoder.observe(replace(seen, unrest=0.6))

    def clear(self) -> None:
        self.stage.clear()
        self.show(3.0)

    # --- what people write ---

    def write(self, event: Event) -> list[Entry]:
        """A line by a person; returns what the decoder adds because of it."""
        line = Entry(event, source="person")
        follows = self.decoder.write(line)
        self.lines += [line, *follows]
        return follows

    def correct(self, number: int, *events: Event) -> list[Entry]:
        """Put events in the place of a line; those that stand there stay as they were written."""
        here = [one.entry for one in in_force(self.lines) if one.number == number]
        entries = (
            next((one for one in here if plain(one.event) == event), Entry(event, source="person"))
            for event in events
        )
        return self.write(Correct(number, tuple(entries)))

    def undo(self) -> list[Entry]:
        """Take back the last line of a person that is a correction."""
        number = max(
            at
            for at, line in enumerate(self.lines)
            if line.source == "person" and isinstance(line.event, Correct)
        )
        return self.correct(number)

    @staticmethod
    def answer_of(question: Question, choice: int) -> Answer:
        """A person takes one of the choices."""
        return Answer(question.place, question.choices[choice].events)

    # --- what the record says ---

    def number(self, event: Event) -> int:
        """Number of the last line on which an event stands."""
        return max(one.number for one in in_force(self.lines) if plain(one.entry.event) == event)

    @property
    def events(self) -> list[Event]:
        """The events in force, the start of the game left out; draws are not seen."""
        found = (plain(one.entry.event) for one in in_force(self.lines))
        return [event for event in found if not isinstance(event, GameStart | Draw)]

    @property
    def hand(self) -> list[Event]:
        """The events of the last hand, its start left out."""
        events = self.events
        starts = [at for at, event in enumerate(events) if isinstance(event, HandStart)]
        return events[starts[-1] + 1 :]

    @property
    def state(self) -> State:
        """The hand as it stands by what the decoder tells."""
        return replay(self.decoder.decoder.decoding().told).state

    def check(self) -> None:
        """The record replays, nobody was contradicted, and the film's end tells only itself."""
        game = replay(self.lines)
        said = [
            announcement
            for announcement in game.announcements()
            if isinstance(announcement, Problem)
        ]
        assert [one for one in said if one.impossible] == []
        for at, line in enumerate(self.lines):
            if line.source == "camera":
                kept = by_people(self.lines[: at + 1])
                assert all(said in kept for said in by_people(self.lines[:at])), f"line {at}"
        last = [plain(entry.event) for entry in deepcopy(self.decoder.decoder).close().told]
        last = [event for event in last if not isinstance(event, GameStart | Draw)]
        count = len(self.events)
        assert last[:count] == self.events
        assert all(isinstance(event, DrawnHand | HandEnd | GameEnd) for event in last[count:])


def by_people(lines: Sequence[Entry]) -> list[Entry]:
    """The entries in force that people wrote."""
    return [event.entry for event in in_force(lines) if event.entry.source == "person"]


def in_rows() -> Recorded:
    """A dealt table of riichi, whose discards lie in rows."""
    table = Recorded("riichi")
    table.deal()
    return table


def with_rivers() -> tuple[Recorded, list[int]]:
    """A hand after eight discards, and these."""
    table = Recorded("hong-kong")
    table.deal()
    faces = ("9s", "1m", "9s", "9s", "2m", "5p", "8m", "6s")
    return table, [table.discard(at % 4, face, at // 4) for at, face in enumerate(faces)]
