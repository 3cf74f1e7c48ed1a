"""What an archive knows of its films: added, read, doubtful, out of date."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, Engine, Select, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from engine.errors import Refused
from service.archive.films import FilmFile, ReadingSettings
from service.archive.leases import DONE, QUARANTINED, RUNNING, STATES, WAITING, Leases, now
from service.film.seat_recordings import FourNames
from service.hall.database_schema import (
    FILES,
    FILM_PLAYERS,
    FILMS,
    GAMES,
    HANDS,
    NAMES,
    QUESTIONS,
    READINGS,
)
from service.hall.names import drop_unused, numbers_of, one_line
from service.hall.results import latest_done, name_film
from service.report.public import Json
from service.report.questions import worded, wordless

LARGEST_FILE: Final = 64 * 1024 * 1024
HOUR_S: Final = 3600.0
NOBODY: Final[FourNames] = ("",) * 4


@dataclass(frozen=True)
class ArchiveProgress:
    """How far an archive is."""

    readings: Mapping[str, int]
    """By state."""
    hands: int
    questions: int
    """Without an answer."""
    seconds_read: float


@dataclass(frozen=True)
class ReadingRow:
    """One reading, for people."""

    id: int
    film: str
    address: str
    state: str
    read_s: float
    hands: int
    questions: int
    result: str | None
    error: str | None
    players: FourNames
    """Names of seats 0 to 3, empty where nobody gave one."""


@dataclass(frozen=True)
class FilmAsked:
    """The open questions of one reading, as ``questions.json`` has them."""

    reading: int
    film: str
    rules: str
    players: FourNames
    questions: list[Json]


@dataclass(frozen=True)
class StoredResult:
    """The stored files of one reading, and who sits in its film."""

    address: str
    remark: str | None
    """What is to be said of it, in one line."""
    names_stale: bool
    """Whether its files may still name people, as those of earlier versions do."""
    players: FourNames | None
    lang: str
    """The language of its report."""


class Ledger(Leases):
    """The films of an archive and their readings."""

    @property
    def engine(self) -> Engine:
        return self._engine

    def add_file(self, content: bytes) -> str:
        """Keep a table file or a profile for every worker; return its hash."""
        if len(content) > LARGEST_FILE:
            raise Refused(f"a file of {len(content)} bytes is no table file and no tile set")
        name = sha256(content).hexdigest()
        with self._engine.begin() as connection:
            if connection.execute(select(FILES.c.hash).where(FILES.c.hash == name)).first() is None:
                connection.execute(insert(FILES).values(hash=name, content=content))
        return name

    def file(self, name: str) -> bytes:
        """A kept file; raises ``Refused`` where there is none of this hash."""
        rows = self._rows(select(FILES.c.content).where(FILES.c.hash == name))
        content = bytes(rows[0].content) if rows else b""
        if sha256(content).hexdigest() != name:
            raise Refused(f"the database has no file {name}")
        return content

    def add(
        self, film: FilmFile, settings: ReadingSettings, players: FourNames | None = None
    ) -> bool:
        """Add a film to be read; False where it was added with these settings before.

        ``players``: the names of its seats; they also name a film that was added before.
        """
        try:
            return self._add(film, settings, players)
        except IntegrityError:  # another program adds the same film at the same moment
            return self._add(film, settings, players)

    def _add(self, film: FilmFile, settings: ReadingSettings, players: FourNames | None) -> bool:
        stored = settings.to_json()
        with self._engine.begin() as connection:
            number = _film(connection, film)
            if players is not None:
                _name(connection, number, players)
            same = and_(READINGS.c.film_id == number, READINGS.c.settings_hash == settings.hash)
            if connection.execute(select(READINGS.c.id).where(same)).first() is not None:
                # It may be set aside because its results could not be stored where they were to be.
                aside = and_(READINGS.c.state == QUARANTINED, READINGS.c.settings != stored)
                again = update(READINGS).where(same, aside)
                connection.execute(again.values(settings=stored, checkpoint=0))
                return False
            values = {"film_id": number, "settings": stored, "state": WAITING}
            connection.execute(insert(READINGS).values(settings_hash=settings.hash, **values))
        return True

    def name_players(self, reading_id: int, players: FourNames) -> None:
        """Name the players of a reading's film, in all its readings; raises ``Refused``."""
        with self._engine.begin() as connection:
            film = select(READINGS.c.film_id).where(READINGS.c.id == reading_id)
            row = connection.execute(film).first()
            if row is None:
                raise Refused(f"there is no reading {reading_id}")
            _name(connection, row.film_id, players)

    def retry(self) -> int:
        """Let films that were set aside be read once more; return how many."""
        with self._engine.begin() as connection:
            again = update(READINGS).where(READINGS.c.state == QUARANTINED)
            fresh = {"state": WAITING, "failures": 0, "losses": 0}
            fresh |= {"worker": None, "lease_until_s": None}  # nor does it rest any more
            return connection.execute(again.values(**fresh)).rowcount

    def idle(self) -> bool:
        """Whether nothing waits and nobody reads."""
        asked = select(READINGS.c.id).where(READINGS.c.state.in_((WAITING, RUNNING))).limit(1)
        return not self._rows(asked)

    def counts(self) -> ArchiveProgress:
        by_state = select(READINGS.c.state, func.count(), func.sum(READINGS.c.read_s))
        rows: list[Any] = [*self._rows(by_state.group_by(READINGS.c.state))]
        found = {state: (count, seconds) for state, count, seconds in rows}
        latest = latest_done()
        hands = select(func.count()).select_from(HANDS).join(GAMES, GAMES.c.id == HANDS.c.game_id)
        hands = hands.where(GAMES.c.reading_id.in_(latest))
        asked = select(func.count()).select_from(QUESTIONS)
        asked = asked.where(QUESTIONS.c.reading_id.in_(latest), QUESTIONS.c.answer.is_(None))
        return ArchiveProgress(
            {state: found.get(state, (0, 0))[0] for state in STATES},
            self._rows(hands)[0][0],
            self._rows(asked)[0][0],
            sum(seconds for _, seconds in found.values()),
        )

    def time_left_s(self) -> float | None:
        """How long the films that are left take, by those that were read in the last hour.

        Films are compared by their bytes. None where none was read, or none is left.
        """
        begun_s = func.min(READINGS.c.begun_s).label("begun_s")
        films = select(func.sum(FILMS.c.bytes).label("bytes"), begun_s)
        films = films.join(READINGS, FILMS.c.id == READINGS.c.film_id)
        left = films.where(READINGS.c.state.in_((WAITING, RUNNING)))
        with self._reading.begin() as connection:
            now_s = now(connection)
        done = films.where(READINGS.c.state == DONE, READINGS.c.ended_s > now_s - HOUR_S)
        to_read, was_read = self._rows(left)[0], self._rows(done)[0]
        if not to_read.bytes or not was_read.bytes:
            return None
        took_s = min(now_s - float(was_read.begun_s), HOUR_S)
        return float(to_read.bytes) / float(was_read.bytes) * took_s

    def stored(self, reading_id: int) -> StoredResult | None:
        """What a finished reading has stored; None where there is nothing."""
        asked = select(READINGS).where(READINGS.c.id == reading_id)
        rows = [row for row in self._rows(asked) if row.result]
        if not rows:
            return None
        (row,) = rows
        players = self.players_of([row.film_id]).get(row.film_id)
        lang = ReadingSettings.of_json(row.settings).lang
        return StoredResult(row.result, row.error, row.names_stale, players, lang)

    def questions_of(self, reading_id: int) -> list[Json]:
        """All questions of a reading, answered or not."""
        asked = select(QUESTIONS.c.asked).where(QUESTIONS.c.reading_id == reading_id)
        return [json.loads(row.asked) for row in self._rows(asked.order_by(QUESTIONS.c.number))]

    def readings(
        self, state: str | None = None, start: int = 0, most: int | None = None
    ) -> list[ReadingRow]:
        """Every film's latest reading, in the order in which they were added.

        ``state``: only those in this state, of which ``start`` are passed over.
        """
        questions = _count(select(func.count()), QUESTIONS.c.reading_id)
        hands = select(func.count()).select_from(HANDS).join(GAMES, GAMES.c.id == HANDS.c.game_id)
        hands = _count(hands, GAMES.c.reading_id)
        asked = (
            select(
                READINGS.c.id,
                FILMS.c.name.label("film"),
                FILMS.c.address,
                READINGS.c.state,
                READINGS.c.read_s,
                hands.label("hands"),
                questions.label("questions"),
                READINGS.c.result,
                READINGS.c.error,
                READINGS.c.film_id,
            )
            .join(FILMS, FILMS.c.id == READINGS.c.film_id)
            .where(READINGS.c.id.in_(_newest()))
            .order_by(READINGS.c.id)
            .offset(start)
            .limit(most)
        )
        if state is not None:
            asked = asked.where(READINGS.c.state == state)
        rows = self._rows(asked)
        players = self.players_of(row.film_id for row in rows)
        return [_reading(row, players) for row in rows]

    def players_of(self, film_ids: Iterable[int]) -> dict[int, FourNames]:
        """Who sits at seats 0 to 3, of films that have names."""
        numbers = set(film_ids)
        # Not by a list of numbers: an archive has more films than a statement takes values.
        first, last = min(numbers, default=0), max(numbers, default=0)
        asked = select(FILM_PLAYERS.c.film_id, FILM_PLAYERS.c.seat, NAMES.c.name)
        asked = asked.join(NAMES, NAMES.c.id == FILM_PLAYERS.c.name_id)
        found: dict[int, FourNames] = {}
        for row in self._rows(asked.where(FILM_PLAYERS.c.film_id.between(first, last))):
            names = found.get(row.film_id, NOBODY)
            found[row.film_id] = (*names[: row.seat], row.name, *names[row.seat + 1 :])
        return found

    def questions(self, most: int | None = None) -> list[FilmAsked]:
        """The open questions of every latest reading; at most so many questions."""
        asked = (
            select(
                QUESTIONS.c.reading_id,
                FILMS.c.name,
                READINGS.c.film_id,
                READINGS.c.settings,
                QUESTIONS.c.asked,
            )
            .join(READINGS, READINGS.c.id == QUESTIONS.c.reading_id)
            .join(FILMS, FILMS.c.id == READINGS.c.film_id)
            .where(READINGS.c.id.in_(latest_done()), QUESTIONS.c.answer.is_(None))
            .order_by(QUESTIONS.c.reading_id, QUESTIONS.c.number)
            .limit(most)
        )
        found: dict[int, FilmAsked] = {}
        rows = self._rows(asked)
        players = self.players_of(row.film_id for row in rows)
        for row in rows:
            given = ReadingSettings.of_json(row.settings)
            names = players.get(row.film_id, NOBODY)
            of_film = FilmAsked(row.reading_id, row.name, given.rules, names, [])
            question = worded(json.loads(row.asked), names, given.lang, given.rules)
            found.setdefault(row.reading_id, of_film).questions.append(question)
        return [*found.values()]

    def answer(self, reading_id: int, answered: Sequence[Mapping[str, Any]]) -> None:
        """Have a film read again with answers to its questions; raises ``Refused``."""
        with self._engine.begin() as connection:
            row = connection.execute(select(READINGS).where(READINGS.c.id == reading_id)).first()
            if row is None or row.state != DONE:
                raise Refused(
                    f"there is no finished reading {reading_id}; ask for the questions again"
                )
            before = {answer["id"]: answer for answer in json.loads(row.answers)}
            said = {str(one["id"]): wordless(dict(one)) for one in answered}
            mine = update(QUESTIONS).where(QUESTIONS.c.reading_id == reading_id)
            for name, one in said.items():
                noted = mine.where(QUESTIONS.c.name == name)
                connection.execute(noted.values(answer=json.dumps(one["answer"])))
            _again(connection, row, json.dumps([*(before | said).values()], ensure_ascii=False))

    def explained_before(self, reading_id: int) -> str | None:
        """The address of what an earlier reading made of the same film, with other answers.

        None where there is none, or where the film is to be read anew with the same answers.
        """
        mine = READINGS.alias()
        same = and_(
            mine.c.id == reading_id,
            READINGS.c.film_id == mine.c.film_id,
            READINGS.c.settings_hash == mine.c.settings_hash,
            READINGS.c.round < mine.c.round,
            READINGS.c.state == DONE,
        )
        asked = select(READINGS.c.result, READINGS.c.answers, mine.c.answers.label("now"))
        rows = self._rows(asked.where(same).order_by(READINGS.c.round.desc()).limit(1))
        other = [row for row in rows if row.answers != row.now]
        return str(other[0].result) if other and other[0].result else None

    def outdated(self, made_with: str) -> list[int]:
        """Latest readings that another program made; ``made_with`` is this one's fingerprint."""
        asked = select(READINGS.c.id, READINGS.c.made_with).where(READINGS.c.id.in_(latest_done()))
        rows = self._rows(asked.order_by(READINGS.c.id))
        return [row.id for row in rows if json.loads(row.made_with).get("program") != made_with]

    def repeated(self) -> list[tuple[int, int]]:
        """The last two finished readings of every film that has two."""
        rounds = (READINGS.c.film_id, READINGS.c.settings_hash, READINGS.c.round)
        asked = select(READINGS.c.id, *rounds).where(READINGS.c.state == DONE).order_by(*rounds)
        found: dict[tuple[int, str], list[int]] = {}
        for row in self._rows(asked):
            found.setdefault((row.film_id, row.settings_hash), []).append(row.id)
        return [(ids[-2], ids[-1]) for ids in found.values() if len(ids) > 1]

    def reread(self, reading_ids: Sequence[int]) -> int:
        """Have films read anew with the answers that were given; return how many."""
        with self._engine.begin() as connection:
            asked = select(READINGS).where(READINGS.c.id.in_(reading_ids))
            for row in connection.execute(asked).all():
                _again(connection, row, row.answers)
        return len(reading_ids)


def _reading(row: Any, players: Mapping[int, FourNames]) -> ReadingRow:
    told = {name: value for name, value in row._mapping.items() if name != "film_id"}
    return ReadingRow(**told, players=players.get(row.film_id, NOBODY))


def _film(connection: Connection, film: FilmFile) -> int:
    known = select(FILMS.c.id).where(FILMS.c.fingerprint == film.fingerprint)
    row = connection.execute(known).first()
    if row is not None:
        return int(row.id)
    values = {"address": film.address, "name": film.name, "bytes": float(film.bytes)}
    done = connection.execute(insert(FILMS).values(fingerprint=film.fingerprint, **values))
    (number,) = done.inserted_primary_key or (0,)
    return int(number)


def _name(connection: Connection, film_id: int, players: FourNames) -> None:
    """Name the players of a film, in what was found and in readings to come."""
    names = [one_line(name) for name in players]
    numbers = numbers_of(connection, names)
    own = FILM_PLAYERS.c.film_id == film_id
    before = connection.execute(select(FILM_PLAYERS.c.name_id).where(own)).scalars().all()
    connection.execute(delete(FILM_PLAYERS).where(own))
    rows = [
        {"film_id": film_id, "seat": seat, "name_id": numbers[name]}
        for seat, name in enumerate(names)
        if name
    ]
    if rows:
        connection.execute(insert(FILM_PLAYERS), rows)
    name_film(connection, film_id)
    drop_unused(connection, before)


def _again(connection: Connection, row: Any, answers: str) -> None:
    """Add another round of a reading."""
    same = and_(READINGS.c.film_id == row.film_id, READINGS.c.settings_hash == row.settings_hash)
    last = connection.execute(select(func.max(READINGS.c.round)).where(same)).scalar_one()
    waits = select(READINGS.c.id).where(same, READINGS.c.state.in_((WAITING, RUNNING)))
    if connection.execute(waits).first() is not None:
        raise Refused(f"reading {row.id} is being read again already; wait until it is done")
    kept = {"film_id": row.film_id, "settings": row.settings, "settings_hash": row.settings_hash}
    values = kept | {"round": last + 1, "answers": answers, "state": WAITING}
    connection.execute(insert(READINGS).values(**values))


def _newest() -> Any:
    """The last reading of each film with its settings, finished or not."""
    same = (READINGS.c.film_id, READINGS.c.settings_hash)
    return select(func.max(READINGS.c.id)).group_by(*same)


def _count(asked: Select[Any], column: Any) -> Any:
    return asked.where(column == READINGS.c.id).correlate(READINGS).scalar_subquery()
