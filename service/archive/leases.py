"""What readings of films found, and leases on readings: which attempt reads a film until when.

A task that is killed, or whose machine is lost, says nothing: only the end of its lease does. The
attempts at a film are numbered. A task that was thought dead makes an older one than its successor,
so nothing that it says later is taken.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Update,
    and_,
    func,
    select,
    text,
    update,
)

from engine.events import Entry
from engine.results import PlayedGame, played_games
from service.archive.films import ReadingSettings
from service.hall.database import Store
from service.hall.database_schema import FILMS, GAMES, QUESTIONS, READINGS
from service.hall.results import drop_games, keep_game, name_film, take_film
from service.machine.records import tell
from service.report.gaps import Gap, gaps_in
from service.report.public import Json
from service.report.questions import wordless


@dataclass(frozen=True)
class Found:
    """The result of a reading."""

    made_with: Mapping[str, str]
    """Fingerprints of all that decided it."""
    duration_s: float
    games: Sequence[PlayedGame]
    doubts: Sequence[Sequence[tuple[int, int]]]
    """Of each game, how many questions and gaps each hand has."""
    questions: Sequence[Json]
    remark: str | None = None
    """Why there is nothing, in one line."""


def found_in(
    stood: Sequence[Entry],
    questions: Sequence[Json],
    made_with: Mapping[str, str],
    read_s: float,
    gaps: Sequence[Gap] = (),
) -> Found:
    """The rows of a record; ``questions`` as ``questions.json`` has them.

    ``gaps``: what was noticed to be missing in the film.
    """
    stories = tell(stood)
    played = played_games(stories)
    doubts = [
        [
            (sum(one["number"] in hand.lines for one in questions), len(gaps_in(told, gaps)))
            for hand, told in zip(game.hands, story.hands, strict=True)
        ]
        for game, story in zip(played, stories, strict=True)
    ]
    return Found(made_with, read_s, played, doubts, questions)


WAITING, RUNNING, DONE, QUARANTINED = "waiting", "running", "done", "quarantined"
STATES: Final = (WAITING, RUNNING, DONE, QUARANTINED)
MOST_FAILURES: Final = 3
"""A film that fails so often at one place is set aside."""
MOST_LOSSES: Final = 10
"""The same for tasks that vanished or were killed: machines are also switched off."""


FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0


def pause_s(times: int) -> float:
    """How long nobody asks a storage that did not answer ``times`` times in a row."""
    return min(FIRST_PAUSE_S * 2.0 ** (times - 1), LONGEST_PAUSE_S)


class LeaseLost(Exception):
    """Another task has the reading by now: what this one still says is not taken."""


@dataclass(frozen=True)
class Lease:
    """One attempt at one reading."""

    reading_id: int
    attempt: int
    """Its number, the ``token`` of the reading's row."""
    address: str
    """Where the film is."""
    name: str
    fingerprint: str
    settings: ReadingSettings
    answers: tuple[Mapping[str, Any], ...]
    """Questions of an earlier reading, with their answers."""
    checkpoint: int
    """Number of the last checkpoint; 0 for none."""


class Leases(Store):
    """What tasks say to the ledger; raises ``DBAPIError`` where it does not answer.

    The name of a task tells which reading it had, when it can no longer say so itself. No two tasks
    have one name, and a task reads one film at a time.
    """

    def claimable(self, most: int) -> int:
        """How many readings may be claimed now; counted up to ``most``."""
        with self._reading.begin() as connection:
            found, now_s = 0, now(connection)
            for asked in (_waiting(now_s), _abandoned(now_s)):
                rows = asked.with_only_columns(READINGS.c.id).limit(most - found)
                found += len(connection.execute(rows).all())
        return found

    def claim(self, task: str, lease_s: float) -> Lease | None:
        """Take the first reading that waits, or one whose task has vanished; None for none.

        A task that has one already is told which: it did not hear the answer.
        """
        with self._engine.begin() as connection:
            now_s = now(connection)
            row = _first(connection, _asked().where(_running([task])))
            if row is not None:
                connection.execute(_of(row.id).values(lease_until_s=now_s + lease_s))
                return _lease(row, row.token)
            row = _first(connection, _waiting(now_s))
            if row is None:
                row = _first(connection, _abandoned(now_s))
                if row is None:
                    return None
                if _failed(connection, row.id, "the task vanished", "losses"):
                    return None
            attempt = row.token + 1
            connection.execute(
                _of(row.id).values(
                    state=RUNNING,
                    token=attempt,
                    worker=task,
                    lease_until_s=now_s + lease_s,
                    begun_s=row.begun_s or now_s,
                    error=None,
                )
            )
        return _lease(row, attempt)

    def renew(self, lease: Lease, lease_s: float, read_s: float) -> None:
        """Keep a lease; raises ``LeaseLost``."""
        with self._engine.begin() as connection:
            until_s = now(connection) + lease_s
            _held(connection, lease, {"lease_until_s": until_s, "read_s": read_s})

    def keep(self, lease: Lease, checkpoint: int) -> None:
        """A further checkpoint is stored: the film is no poison so far. Raises ``LeaseLost``."""
        with self._engine.begin() as connection:
            _held(connection, lease, {"checkpoint": checkpoint, "failures": 0, "losses": 0})

    def finish(self, lease: Lease, found: Found, result: str) -> None:
        """Store what was found, once; the lease stays until ``cleared``. Raises ``LeaseLost``."""
        done: dict[str, object] = {"state": DONE, "result": result}
        done |= {"made_with": json.dumps(dict(found.made_with))}
        done |= {"read_s": found.duration_s, "error": found.remark}
        with self._engine.begin() as connection:
            now_s = now(connection)
            film_id = _held(connection, lease, done | {"ended_s": now_s}).film_id
            drop_games(connection, GAMES.c.reading_id == lease.reading_id)
            own = QUESTIONS.delete().where(QUESTIONS.c.reading_id == lease.reading_id)
            connection.execute(own)
            for at, (game, doubts) in enumerate(zip(found.games, found.doubts, strict=True)):
                source = {"reading_id": lease.reading_id, "number": at}
                keep_game(connection, source, game, now_s, [None] * 4, doubts)
            name_film(connection, film_id)
            take_film(connection, film_id)
            asked = [
                {
                    "reading_id": lease.reading_id,
                    "number": number,
                    "name": question["id"],
                    "time_s": question["t"],
                    "asked": json.dumps(wordless(question), ensure_ascii=False),
                }
                for number, question in enumerate(found.questions)
            ]
            if asked:
                connection.execute(QUESTIONS.insert(), asked)

    def cleared(self, lease: Lease) -> None:
        """Nothing is left of the unfinished folders of a finished reading."""
        with self._engine.begin() as connection:
            connection.execute(_done(lease.reading_id).values(lease_until_s=None))

    def uncleared(self) -> list[Lease]:
        """Finished readings whose task died, or wrote on, before all was cleared."""
        left = _asked().where(READINGS.c.state == DONE, READINGS.c.lease_until_s.is_not(None))
        return [_lease(row, row.token) for row in self._rows(left.order_by(READINGS.c.id))]

    def wrote_late(self, lease: Lease) -> None:
        """A task without its lease may have stored files after the film was finished."""
        with self._engine.begin() as connection:
            connection.execute(_done(lease.reading_id).values(lease_until_s=now(connection)))

    def fail(self, lease: Lease, error: str, for_good: bool, its_fault: bool = True) -> None:
        """Note a failure; the third in a row, or one for good, sets the film aside.

        One that is not the film's fault counts as the loss of a task, and nobody is given the film
        before a pause, which grows each time.
        """
        with self._engine.begin() as connection:
            _held(connection, lease, {"error": error})
            kind = "failures" if its_fault else "losses"
            _failed(connection, lease.reading_id, error, kind, for_good, rests=not its_fault)

    def lost(self, worker: str, how: str, fault: bool) -> bool:
        """Note that a task has ended without a word; return whether it had a film.

        ``fault``: it crashed or hung, which the film may have caused.
        """
        with self._engine.begin() as connection:
            asked = select(READINGS.c.id).where(_running([worker])).with_for_update()
            numbers = connection.execute(asked).scalars().all()
            for number in numbers:
                _failed(connection, number, how, "failures" if fault else "losses")
            return bool(numbers)

    def give_back(self, workers: Sequence[str]) -> None:
        """Let the films of tasks that were ended on purpose wait again."""
        free = {"state": WAITING, "worker": None, "lease_until_s": None}
        with self._engine.begin() as connection:
            connection.execute(update(READINGS).where(_running(workers)).values(free))

    def hold(self, workers: Sequence[str]) -> dict[str, bool]:
        """Of these tasks, those that have a film, and whether their lease has not run out."""
        with self._reading.begin() as connection:
            runs = READINGS.c.lease_until_s >= now(connection)
            rows = connection.execute(select(READINGS.c.worker, runs).where(_running(workers)))
            return {worker: bool(runs) for worker, runs in rows}


def now(connection: Connection) -> float:
    """The time of day by one clock: the server's where several machines share it."""
    if connection.dialect.name == "postgresql":
        return float(
            connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one()
        )
    return time.time()


def _running(workers: Sequence[str]) -> ColumnElement[bool]:
    return and_(READINGS.c.worker.in_(workers), READINGS.c.state == RUNNING)


def _of(reading_id: int) -> Update:
    return update(READINGS).where(READINGS.c.id == reading_id)


def _done(reading_id: int) -> Update:
    return _of(reading_id).where(READINGS.c.state == DONE)


def _lease(row: Row[Any], attempt: int) -> Lease:
    return Lease(
        row.id,
        attempt,
        row.address,
        row.name,
        row.fingerprint,
        ReadingSettings.of_json(row.settings),
        tuple(json.loads(row.answers)),
        row.checkpoint,
    )


def _asked() -> Select[Any]:
    columns = (FILMS.c.address, FILMS.c.name, FILMS.c.fingerprint)
    return select(READINGS, *columns).join(FILMS, FILMS.c.id == READINGS.c.film_id)


def _waiting(now_s: float) -> Select[Any]:
    rests_until_s = func.coalesce(READINGS.c.lease_until_s, now_s)
    waits = _asked().where(READINGS.c.state == WAITING, rests_until_s <= now_s)
    return waits.order_by(READINGS.c.id)


def _abandoned(now_s: float) -> Select[Any]:
    over = _asked().where(READINGS.c.state == RUNNING, READINGS.c.lease_until_s < now_s)
    return over.order_by(READINGS.c.lease_until_s)


def _first(connection: Connection, asked: Select[Any]) -> Row[Any] | None:
    # Several tasks ask at once: each passes over what another is just taking.
    asked = asked.limit(1).with_for_update(of=READINGS, skip_locked=True)
    return connection.execute(asked).first()


def _failed(
    connection: Connection,
    reading_id: int,
    how: str,
    kind: str,
    for_good: bool = False,
    rests: bool = False,
) -> bool:
    """Count a failure or a loss; return whether the film is set aside now."""
    row = connection.execute(select(READINGS).where(READINGS.c.id == reading_id)).one()
    times = int(row._mapping[kind]) + 1
    aside = for_good or times >= (MOST_FAILURES if kind == "failures" else MOST_LOSSES)
    state = QUARANTINED if aside else WAITING
    until_s = now(connection) + pause_s(times) if rests and not aside else None
    free = {"state": state, "worker": None, "lease_until_s": until_s}
    connection.execute(_of(reading_id).values({kind: times, "error": how, **free}))
    return aside


def _held(connection: Connection, lease: Lease, change: Mapping[str, object]) -> Row[Any]:
    """Change a reading whose lease is held, and return it; raises ``LeaseLost``."""
    held = _of(lease.reading_id).where(
        READINGS.c.token == lease.attempt, READINGS.c.state == RUNNING
    )
    row = connection.execute(held.values(**change).returning(READINGS)).first()
    if row is None:
        raise LeaseLost(f"reading {lease.reading_id} has another task by now")
    return row
