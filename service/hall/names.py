"""Names of people: each is stored once, and stored lines name people by its number."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from engine.codec import entry_from_json, entry_to_json
from engine.corrections import RULED_BY
from engine.errors import Conflict, NotThere, Refused
from engine.events import Entry
from service.hall.database import Store, empty_log
from service.hall.database_schema import FILM_PLAYERS, KEYS, LINES, NAMES, PLAYERS, RESULTS

LONGEST: Final = 500
"""Letters of a name that are kept; PostgreSQL indexes no long texts."""
_RULER: Final = "ruled_by"
"""Key of who ruled, in the evidence of a stored line."""
_NAMED: Final = ('"players"', f'"{_RULER}"')
"""A stored line without these names nobody."""
UNKNOWN: Final = -1
"""Stands for the number of a name that is not there."""
_AT_ONCE: Final = 500
"""Values of one statement."""
Line = dict[str, Any]
"""A line of a record as JSON."""


def one_line(name: str) -> str:
    """A name as people are told apart by it; PostgreSQL stores no NUL."""
    return " ".join(name.replace("\0", " ").split())[:LONGEST]


def line_with_names(entry: Entry) -> Line:
    """A line as JSON that names people by their names, with who ruled in a field of its own."""
    return _each_line(entry_to_json(entry), _name_ruler)


def _name_ruler(line: Line) -> Line:
    evidence = line.get("evidence")
    if isinstance(evidence, str) and evidence.startswith(RULED_BY):
        line = {**line, "evidence": {_RULER: evidence.removeprefix(RULED_BY)}}
    return _with_people(line, one_line)


def people_in(line: Line) -> tuple[list[Any], list[Any]]:
    """Who plays and who ruled in a line with names or with numbers, in order."""
    players, rulers = list[Any](), list[Any]()

    def note(one: Line) -> Line:
        if _has_ruler(one):
            rulers.append(one["evidence"][_RULER])
        players.extend(one.get("players", ()))
        return one

    _each_line(line, note)
    return players, rulers


def with_numbers(line: Line, numbers: Mapping[str, int]) -> Line:
    """The line with people's numbers in place of their names; None for an empty name."""

    def number(name: str) -> int | None:
        return numbers.get(name, UNKNOWN) if name else None

    return _each_line(line, lambda one: _with_people(one, number))


def with_names(line: Line, names: Mapping[int, str]) -> Line:
    """A stored line with the names of its people; empty for a number that is no longer there."""

    def name(one: Line) -> Line:
        one = _with_people(one, lambda number: names.get(number, ""))
        if _has_ruler(one):
            ruler = one.pop("evidence")[_RULER]
            one |= {"evidence": RULED_BY + ruler} if ruler else {}
        return one

    return _each_line(line, name)


def _with_people(line: Line, other: Callable[[Any], Any]) -> Line:
    """A copy of one line with other people in it."""
    line = dict(line)
    if "players" in line:
        line["players"] = [other(person) for person in line["players"]]
    if _has_ruler(line):
        line["evidence"] = {_RULER: other(line["evidence"][_RULER])}
    return line


def _has_ruler(line: Line) -> bool:
    return isinstance(line.get("evidence"), dict)


def _each_line(line: Line, change: Callable[[Line], Line]) -> Line:
    """The line and those that it corrects others with, each changed."""
    changed = change(line)
    if "events" in line:
        changed = {**changed, "events": [_each_line(one, change) for one in line["events"]]}
    return changed


def is_same(stored: str, given: Line, numbers: Mapping[str, int], alive: Collection[int]) -> bool:
    """Whether a line with names is the stored one; whoever was forgotten may have had any name.

    ``numbers`` of the names that are there; ``alive``: those numbers of the stored line that are.
    """
    numbered = with_numbers(given, numbers)
    if stored == dumped(numbered):
        return True
    known = json.loads(stored)
    if with_names(known, {}) != with_names(numbered, {}):
        return False
    theirs, ours = people_in(known), people_in(numbered)
    pairs = zip([*theirs[0], *theirs[1]], [*ours[0], *ours[1]], strict=True)
    return all(one == other or (one is not None and one not in alive) for one, other in pairs)


def dumped(line: Line) -> str:
    """One line as it is stored: equal events give equal text."""
    return json.dumps(line, ensure_ascii=False)


def read_lines(connection: Connection, lines: Iterable[str]) -> list[Entry]:
    """Stored lines with the names that their people have now."""
    parsed = [(json.loads(line), any(key in line for key in _NAMED)) for line in lines]
    names = names_of(connection, numbers_in(line for line, named in parsed if named))
    return [entry_from_json(with_names(line, names) if named else line) for line, named in parsed]


def numbers_in(lines: Iterable[Line]) -> set[int]:
    """The numbers of people in lines with numbers."""
    found = (number for line in lines for people in people_in(line) for number in people)
    return {number for number in found if number is not None}


def names_of(connection: Connection, numbers: Iterable[int]) -> dict[int, str]:
    """The names with these numbers, as far as they are there."""
    found: dict[int, str] = {}
    for some in _some(set(numbers)):
        asked = select(NAMES.c.id, NAMES.c.name).where(NAMES.c.id.in_(some))
        found |= {row.id: row.name for row in connection.execute(asked)}
    return found


def known_numbers(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    """The numbers of these names, as far as they are there."""
    found: dict[str, int] = {}
    for some in _some(set(names)):
        asked = select(NAMES.c.id, NAMES.c.name).where(NAMES.c.name.in_(some))
        found |= {row.name: row.id for row in connection.execute(asked)}
    return found


def numbers_of(
    connection: Connection, players: Iterable[str], rulers: Iterable[str] = ()
) -> dict[str, int]:
    """The numbers of these names; each new one is added, and is a person."""
    playing = {name for name in players if name}
    wanted = sorted(playing.union(rulers) - {""})  # in one order, as others may add the same
    numbers: dict[str, int] = {}
    for some in _some(wanted):
        rows = connection.execute(select(NAMES).where(NAMES.c.name.in_(some))).all()
        known = {row.name: row for row in rows}
        for name in some:
            row = known.get(name)
            if row is None:
                new = {"player_id": _new_player(connection), "has_played": name in playing}
                numbers[name] = _added(connection, name=name, is_shown=True, **new)
                continue
            numbers[name] = row.id
            if not row.has_played and name in playing:
                own = update(NAMES).where(NAMES.c.id == row.id)
                connection.execute(own.values(has_played=True))
    return numbers


def drop_unused(connection: Connection, numbers: Iterable[int]) -> None:
    """Delete those of these names that nothing refers to, and the people who have no other."""
    alone = select(NAMES.c.player_id).group_by(NAMES.c.player_id).having(func.count() == 1)
    asked = select(NAMES.c.player_id, NAMES.c.id).where(
        NAMES.c.player_id.in_(alone),
        NAMES.c.id.in_(numbers),
        NAMES.c.id.not_in(select(FILM_PLAYERS.c.name_id)),
        NAMES.c.id.not_in(select(RESULTS.c.name_id).where(RESULTS.c.name_id.is_not(None))),
    )
    unused = {row.id: row.player_id for row in connection.execute(asked)}
    if unused:
        named = or_(*(LINES.c.line.contains(key) for key in _NAMED))
        lines = connection.execute(select(LINES.c.line).where(named)).scalars()
        for number in numbers_in(map(json.loads, lines)):
            unused.pop(number, None)
    connection.execute(delete(PLAYERS).where(PLAYERS.c.id.in_(unused.values())))


def _some(values: Collection[Any]) -> Iterator[list[Any]]:
    listed = [*values]
    return (listed[at : at + _AT_ONCE] for at in range(0, len(listed), _AT_ONCE))


def _new_player(connection: Connection) -> int:
    (number,) = connection.execute(insert(PLAYERS).values()).inserted_primary_key or (0,)
    return int(number)


def _added(connection: Connection, **row: Any) -> int:
    (number,) = connection.execute(insert(NAMES).values(row)).inserted_primary_key or (0,)
    return int(number)


class PlayerNames(Store):
    """Changes people; each call is one transaction. Results follow, as they name the names."""

    def rename(self, number: int, name: str) -> None:
        """Show this name from now on; the earlier names stay the same person's.

        Raise ``NotThere``, and ``Conflict`` where somebody else has the name.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            row = connection.execute(select(NAMES).where(NAMES.c.name == name)).one_or_none()
            if row is None:
                _added(connection, name=name, player_id=number, is_shown=False)
            elif row.player_id != number:
                raise Conflict(f"somebody else is called {name}; join the two if they are one")
            _show(connection, number, name)

    def join(self, number: int, other: int) -> None:
        """Make two people one, who keeps the first one's name; raise ``NotThere``, ``Refused``."""
        if number == other:
            raise Refused("name two people to join")
        with self._engine.begin() as connection:
            for one in (number, other):
                _refuse_unknown(connection, one)
            theirs = update(NAMES).where(NAMES.c.player_id == other)
            connection.execute(theirs.values(player_id=number, is_shown=False))
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == other))

    def part(self, number: int, name: str) -> None:
        """Make one of a person's names a person of its own.

        Raise ``NotThere``, and ``Refused`` for the only name.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            own = connection.execute(select(NAMES).where(NAMES.c.player_id == number)).all()
            parted = next((row for row in own if row.name == name), None)
            if parted is None:
                raise NotThere(f"player {number} has never played as {name}")
            others = [row.name for row in own if row is not parted]
            if not others:
                raise Refused(f"{name} is this person's only name")
            new = _new_player(connection)
            _give(connection, name, new)
            _show(connection, new, name)
            if parted.is_shown:
                _show(connection, number, min(others))

    def forget(self, number: int) -> None:
        """Delete a person with all their names; the games stay. Raise ``NotThere``.

        Texts about somebody, which are no names of players, lose these names, too.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            own = select(NAMES.c.name).where(NAMES.c.player_id == number)
            names = set(connection.execute(own).scalars())
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == number))
            for row in connection.execute(select(KEYS.c.id, KEYS.c.label)).all():
                if (label := without_words(row.label, names)) != row.label:
                    change = update(KEYS).where(KEYS.c.id == row.id)
                    connection.execute(change.values(label=label))
            for row in connection.execute(select(NAMES).where(~NAMES.c.has_played)).all():
                if without_words(row.name, names) != row.name:
                    _delete(connection, row.id, row.player_id)

    def empty_log(self) -> bool:
        """Let the database drop what was deleted; return False where it is to be tried again."""
        return empty_log(self._engine)


def without_words(text: str, names: Collection[str]) -> str:
    """A text without these names; a name inside a longer word is another one."""
    for name in sorted(names, key=len, reverse=True):
        words = r"\s+".join(map(re.escape, name.split()))
        text = re.sub(rf"(?<!\w){words}(?!\w)", "", text)
    return text


def _refuse_unknown(connection: Connection, number: int) -> None:
    asked = select(func.count()).where(PLAYERS.c.id == number)
    if not connection.execute(asked).scalar():
        raise NotThere(f"there is no player {number}")


def _delete(connection: Connection, name: int, player: int) -> None:
    """Delete a name, and its person where that was the only one."""
    connection.execute(delete(NAMES).where(NAMES.c.id == name))
    own = select(NAMES).where(NAMES.c.player_id == player)
    left = connection.execute(own.order_by(NAMES.c.is_shown.desc(), NAMES.c.name)).first()
    if left is None:
        connection.execute(delete(PLAYERS).where(PLAYERS.c.id == player))
    else:
        _show(connection, player, left.name)


def _give(connection: Connection, name: str, player: int) -> None:
    connection.execute(update(NAMES).where(NAMES.c.name == name).values(player_id=player))


def _show(connection: Connection, player: int, name: str) -> None:
    own = update(NAMES).where(NAMES.c.player_id == player)
    connection.execute(own.values(is_shown=NAMES.c.name == name))
