"""What a decoder believes of a whole game; each time a new value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.events import Entry, HandEnd
from engine.updates import Believed
from vision.decoder.question import Question, QuestionTile


@dataclass(frozen=True)
class Decoding(Believed):
    """The events of the game, as far as they will hardly change without a person."""

    questions: tuple[Question, ...] = ()
    """Few, in the order of play."""
    lying: Mapping[str, tuple[QuestionTile, ...]] = field(default_factory=dict)
    """Where the tiles lie that show each change of a hand that was won; empty before that."""

    def new(self, before: Sequence[Entry]) -> list[Entry]:
        """What is told beside what was told before, or otherwise."""
        known = set(map(id, before))
        return [entry for entry in self.told if id(entry) not in known]

    def ends_hand(self, before: Sequence[Entry]) -> bool:
        """Whether a hand ends that was not told to end before: a part of a film is kept there."""
        return any(isinstance(entry.event, HandEnd) for entry in self.new(before))

    def until(self, time_s: float) -> Decoding:
        """The decoding of a film that ends then: nothing happened later."""
        return replace(
            self,
            told=tuple(
                replace(entry, t=round(time_s, 2)) if entry.t and entry.t > time_s else entry
                for entry in self.told
            ),
        )


class ChangeNames:
    """Names of changes; within the search they are numbers."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    def name(self, number: int, proposed: str) -> str:
        """The name of a change; ``proposed`` is taken where it has none yet."""
        if number not in self._names:
            free = proposed
            while free in self._numbers:
                free += "'"
            self._names[number], self._numbers[free] = free, number
        return self._names[number]

    def __getitem__(self, number: int) -> str:
        return self._names[number]

    def number(self, name: str) -> int | None:
        """The number of a change; None where there is none of this name."""
        return self._numbers.get(name)

    def earlier(self, name: str) -> int:
        """The number of a change that another program saw, below zero."""
        if name not in self._numbers:
            self.name(-1 - len(self._names), name)
        return self._numbers[name]
