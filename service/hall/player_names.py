"""Which names are one person's: they are joined and parted again, and a person is forgotten."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select, update

from service.errors import Conflict, NotThere, Refused
from service.hall.database import Store, empty_log
from service.hall.database_schema import (
    GAMES,
    PLAYER_NAMES,
    PLAYERS,
    RECORDS,
    RESULTS,
)
from service.hall.forgetting import take_out


class PlayerNames(Store):
    """Changes people; each call is one transaction."""

    def rename(self, number: int, name: str) -> None:
        """Show this name from now on; the earlier names stay the same person's.

        Raise ``NotThere``, and ``Conflict`` where somebody else has the name.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            owner = _owner(connection, name)
            if owner not in (None, number):
                raise Conflict(f"somebody else is called {name}; join the two if they are one")
            if owner is None:
                connection.execute(insert(PLAYER_NAMES).values(name=name, player_id=number))
            _show(connection, number, name)

    def join(self, number: int, other: int) -> None:
        """Make two people one, who keeps the first one's name; raise ``NotThere``, ``Refused``."""
        if number == other:
            raise Refused("name two people to join")
        with self._engine.begin() as connection:
            for one in (number, other):
                _refuse_unknown(connection, one)
            for owned in (PLAYER_NAMES, RESULTS):
                own = update(owned).where(owned.c.player_id == other)
                connection.execute(own.values(player_id=number))
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == other))

    def part(self, number: int, name: str) -> list[int]:
        """Make one of a person's names a person of its own.

        Return the records whose results are to be derived again. Raise ``NotThere``, and
        ``Refused`` for the only name.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            if _owner(connection, name) != number:
                raise NotThere(f"player {number} has never played as {name}")
            asked = select(PLAYER_NAMES.c.name).where(PLAYER_NAMES.c.player_id == number)
            others = [one for one in connection.execute(asked).scalars() if one != name]
            if not others:
                raise Refused(f"{name} is this person's only name")
            shown = connection.execute(select(PLAYERS.c.name).where(PLAYERS.c.id == number))
            if shown.scalar_one() == name:
                _show(connection, number, min(others))
            done = connection.execute(insert(PLAYERS).values(name=name))
            (new,) = done.inserted_primary_key or (0,)
            moved = update(PLAYER_NAMES).where(PLAYER_NAMES.c.name == name)
            connection.execute(moved.values(player_id=new))
            return _records_of(connection, number)

    def forget(self, number: int) -> list[int]:
        """Take a person's names out of everything that is kept; the games stay.

        Return the records whose lines have changed. Raise ``NotThere``.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            asked = select(PLAYER_NAMES.c.name).where(PLAYER_NAMES.c.player_id == number)
            names = set(connection.execute(asked).scalars())
            changed = take_out(connection, names)
            connection.execute(
                update(RESULTS).where(RESULTS.c.player_id == number).values(player_id=None)
            )
            connection.execute(delete(PLAYER_NAMES).where(PLAYER_NAMES.c.player_id == number))
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == number))
        empty_log(self._engine)
        return changed


def _refuse_unknown(connection: Connection, number: int) -> None:
    asked = select(func.count()).where(PLAYERS.c.id == number)
    if not connection.execute(asked).scalar():
        raise NotThere(f"there is no player {number}")


def _owner(connection: Connection, name: str) -> int | None:
    asked = select(PLAYER_NAMES.c.player_id).where(PLAYER_NAMES.c.name == name)
    return connection.execute(asked).scalar()


def _show(connection: Connection, number: int, name: str) -> None:
    connection.execute(update(PLAYERS).where(PLAYERS.c.id == number).values(name=name))


def _records_of(connection: Connection, number: int) -> list[int]:
    asked = (
        select(RECORDS.c.id)
        .join(GAMES, GAMES.c.record_id == RECORDS.c.id)
        .join(RESULTS, RESULTS.c.game_id == GAMES.c.id)
        .where(RESULTS.c.player_id == number)
    )
    return sorted(set(connection.execute(asked).scalars()))
