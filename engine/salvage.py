"""A record some lines of which cannot be read: what is wrong, and the game that the others tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.codec import BadRecord, read_lines
from engine.events import Correct, Entry, HandEnd
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet


@dataclass(frozen=True)
class Salvaged:
    """What is left of a record."""

    entries: tuple[Entry, ...]
    """A record of its own, in which every line that was read keeps its number."""
    broken: tuple[BadRecord, ...]
    """One for each line that could not be read, in the order of the lines."""


def salvage(text: str, rule_sets: Mapping[str, RuleSet] = RULE_SETS) -> Salvaged:
    """Read all that can be read.

    A line that cannot be read took a number when it was written, and corrections name events by
    number. So something stands in its place, and a correction at the end takes that away, unless
    the record itself says what belongs there.
    """
    entries: list[Entry] = []
    broken: dict[int, BadRecord] = {}
    for read in read_lines(text, rule_sets):
        if isinstance(read, BadRecord):
            broken[len(entries)] = read
            entries.append(Entry(HandEnd()))
        else:
            entries.append(read)
    corrected = {entry.event.of for entry in entries if isinstance(entry.event, Correct)}
    entries += [Entry(Correct(number, ())) for number in broken if number not in corrected]
    return Salvaged(tuple(entries), tuple(broken.values()))
