"""Names of people in the lines of a record: players of a game, and who ruled."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from engine.events import Correct, Entry, GameStart
from service.report.public import RULED_BY


def one_line(name: str) -> str:
    """A name as people are told apart by it; PostgreSQL stores no NUL."""
    return " ".join(name.replace("\0", " ").split())


def without(entry: Entry, names: Collection[str]) -> Entry:
    """The same line with these players' names left empty, and without who ruled."""
    event, ruler = entry.event, str(entry.evidence)
    if ruler.startswith(RULED_BY) and without_words(ruler, names) != ruler:
        entry = replace(entry, evidence=None)
    if isinstance(event, GameStart) and event.players is not None:
        kept = tuple("" if one_line(one) in names else one for one in event.players)
        return replace(entry, event=replace(event, players=kept))
    if isinstance(event, Correct):
        inner = tuple(without(one, names) for one in event.events)
        return replace(entry, event=replace(event, events=inner))
    return entry


def without_words(text: str, names: Collection[str]) -> str:
    """A text without these names; a name inside a longer word is another one."""
    for name in sorted(names, key=len, reverse=True):
        words = r"\s+".join(map(re.escape, name.split()))
        text = re.sub(rf"(?<!\w){words}(?!\w)", "", text)
    return text


def names_in(entry: Entry) -> set[str]:
    """The names of players and of who ruled in a line."""
    event, found = entry.event, set()
    if isinstance(entry.evidence, str) and entry.evidence.startswith(RULED_BY):
        found.add(one_line(entry.evidence.removeprefix(RULED_BY)))
    if isinstance(event, GameStart) and event.players is not None:
        found |= {one_line(name) for name in event.players}
    if isinstance(event, Correct):
        found = found.union(*map(names_in, event.events))
    return found - {""}


def same_but_for_names(stored: Entry, given: Entry) -> bool:
    """Whether a line is the stored one, out of which a name was taken meanwhile."""
    return without(given, names_in(given) - names_in(stored)) == stored
