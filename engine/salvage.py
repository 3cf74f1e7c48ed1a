"""Reads a damaged record: what is wrong, and the game that the intact lines tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.codec import BadRecord, read_lines
from engine.events import Correct, Entry, HandEnd
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet


@dataclass(frozen=True)
class Salvaged:
    """The readable part of a record."""

    entries: tuple[Entry, ...]
    """A valid record in which every intact line keeps its number."""
    broken: tuple[BadRecord, ...]
    """One error for each line that cannot be read, in order."""


def salvage(text: str, rule_sets: Mapping[str, RuleSet] = RULE_SETS) -> Salvaged:
    """Parse every line that can be parsed.

    Corrections name events by number, so a damaged line must keep its number. A placeholder takes
    its place, and a correction at the end removes that, unless the record itself corrects the line.
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
