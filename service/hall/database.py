"""The database of a hall: an SQLite file or a PostgreSQL server."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy import URL, Connection, Engine, Row, Select, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as TooManyWait

from engine.errors import Refused
from service.machine.files import OWNER_ONLY, keep_private

DEFAULT: Final = "tilesight-hall.sqlite3"
AWAY: Final = (DBAPIError, TooManyWait)
"""Errors of a database that cannot be reached, or whose connections are all in use."""
_HIDDEN: Final = "postgresql://..."
POSTGRES: Final = ("postgresql://", "postgres://")
CONNECT_S: Final = 2
"""Time limit for connecting to a server."""
SILENT_S: Final = 5.0
"""A server that is silent for this long is given up: it may be frozen, or unplugged."""
BUSY_S: Final = 1.0
"""How long to wait while another program writes to the file."""
PATIENT_S: Final = 10.0
"""The same while the hall starts and no table waits for it."""
EMPTYING_MS: Final = 100
"""How long to wait for those who read, while the log of changes is emptied."""
READS: Final = "tilesight_reads"
"""Execution option of an engine that only reads."""
_UPGRADING: Final = 7_162_504
"""Number of the lock under which halls that start at the same time upgrade one by one."""


def open_database(where: str) -> Engine:
    """Connect, and upgrade the database to this version.

    ``where`` is a file, created if missing, or a ``postgresql://`` address. Raise ``Refused`` for
    an unusable database; messages never hold a password.
    """
    from alembic.util import CommandError

    engine = engine_of(where, patient=True)
    try:
        with upgrading(engine) as connection:
            _refuse_foreign(connection, display_name(where))
            upgrade(connection)
    except DBAPIError as error:
        raise Refused(
            f"cannot use the database {display_name(where)}: {_message_of(error)}"
        ) from None
    except CommandError:
        raise Refused(
            f"the database {display_name(where)} was made by a newer tilesight; update this one"
        ) from None
    finally:
        engine.dispose()
    return engine_of(where)


def engine_of(where: str, patient: bool = False) -> Engine:
    """Make an engine without upgrading; raise ``Refused`` for an unusable address.

    ``patient``: migrations may take long, and nobody waits for an answer.
    """
    return _postgres(where, patient) if where.startswith(POSTGRES) else _sqlite(where, patient)


class Store:
    """Base of the stores that keep their part of a hall's database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(**{READS: True})
        """For statements that only read: another program that writes does not hold them up."""

    def _rows(self, asked: Select[Any]) -> Sequence[Row[Any]]:
        with self._reading.begin() as connection:
            return connection.execute(asked).all()


def refuse_missing(where: str) -> None:
    """Raise ``Refused`` for a missing file, instead of creating an empty database."""
    path = where.removeprefix("sqlite:///")
    if "://" not in path and not Path(path).is_file():
        raise Refused(f"there is no database {path}; give the hall's with --database")


def empty_log(engine: Engine) -> bool:
    """Let SQLite drop its log of changes, in which deleted content stands for a while.

    Return False while another program reads or writes the database.
    """
    if engine.dialect.name != "sqlite":
        return True
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        (usual_ms,) = driver.execute("PRAGMA busy_timeout").fetchone()
        driver.execute(f"PRAGMA busy_timeout = {EMPTYING_MS}")  # others cannot write meanwhile
        try:
            (is_busy, _, _) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return False
        finally:
            driver.execute(f"PRAGMA busy_timeout = {usual_ms}")
    return not is_busy


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the missing migrations, all of them or none."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _UPGRADING})
    config = Config()
    config.set_main_option("script_location", "service.hall:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def display_name(where: str) -> str:
    """The database's name for messages: without user, password and options."""
    if not where.startswith(POSTGRES):
        return where
    try:
        address = urlsplit(where)
    except ValueError:
        return _HIDDEN
    if "@" in address.path + address.query + address.fragment:  # a password with a slash in it
        return _HIDDEN
    return f"postgresql://{address.netloc.rpartition('@')[2]}{address.path}"


def _postgres(where: str, patient: bool) -> Engine:
    import psycopg
    from psycopg.abc import PQGen
    from psycopg.conninfo import conninfo_to_dict

    class ImpatientConnection(psycopg.Connection[Any]):
        """A connection that ends when the server is silent for too long.

        The kernel of a frozen server's machine still acknowledges packets, so no time limit of the
        network or the server ends such a wait.
        """

        def wait(self, gen: PQGen[Any], *given: Any, **named: Any) -> Any:
            return super().wait(self._in_time(gen), *given, **named)

        def _in_time(self, gen: PQGen[Any]) -> PQGen[Any]:
            heard_s = time.monotonic()
            try:
                waits_for = next(gen)
                while True:
                    ready = yield waits_for
                    if ready:
                        heard_s = time.monotonic()
                    elif time.monotonic() - heard_s > SILENT_S:
                        self.pgconn.finish()
                        raise psycopg.OperationalError("the server does not answer")
                    waits_for = gen.send(ready)
            except StopIteration as done:
                return done.value

    kind: type[psycopg.Connection[Any]] = psycopg.Connection if patient else ImpatientConnection
    try:
        conninfo_to_dict(where)
    except psycopg.ProgrammingError:  # its message repeats parts of the address
        raise Refused(
            f"the address of the database, {display_name(where)}, cannot be read; in names and "
            "passwords, write %XX for characters other than letters and digits"
        ) from None

    def connect() -> psycopg.Connection[Any]:
        # libpq parses the address itself, because it knows every form of it.
        return kind.connect(where, connect_timeout=CONNECT_S, tcp_user_timeout=int(1000 * SILENT_S))

    return create_engine(
        "postgresql+psycopg://", creator=connect, pool_pre_ping=True, pool_timeout=BUSY_S
    )


def _sqlite(where: str, patient: bool) -> Engine:
    path = where.removeprefix("sqlite:///")
    if "://" in path:
        kind = path.partition("://")[0]
        raise Refused(f"{kind} cannot be a hall's database; give a file or a postgresql:// address")
    _refuse_no_file(path)
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise Refused(f"there is no folder {folder} for the database; make it first")
    _keep_to_owner(Path(path))
    engine = create_engine(
        URL.create("sqlite", database=path),
        connect_args={"timeout": PATIENT_S if patient else BUSY_S},
        pool_timeout=BUSY_S,
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _refuse_no_file(path: str) -> None:
    """Raise ``Refused`` for a folder, a device, a pipe; what is missing is made."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise Refused(f"cannot use the database {path}: {error.strerror}") from None
    if not stat.S_ISREG(mode):
        raise Refused(f"the database {path} is no file; name a file, or a postgresql:// address")


def _keep_to_owner(path: Path) -> None:
    """Make the database private; SQLite gives its side files the same rights."""
    with contextlib.suppress(OSError):  # SQLite reports a file that cannot be made
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT, OWNER_ONLY))
    for end in ("", "-wal", "-shm", "-journal"):
        keep_private(path.with_name(path.name + end))


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin explicitly
    # What is deleted is overwritten, too: it may be the name of somebody to be forgotten.
    for setting in (
        "foreign_keys = ON",
        "journal_mode = WAL",
        "secure_delete = ON",
        "synchronous = FULL",
    ):
        connection.execute(f"PRAGMA {setting}")


@contextlib.contextmanager
def upgrading(engine: Engine) -> Iterator[Connection]:
    """A transaction in which tables may be replaced by copies of themselves."""
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        if engine.dialect.name == "sqlite":  # SQLite takes this only outside a transaction
            driver.execute("PRAGMA foreign_keys = OFF")
        with connection.begin():
            yield connection
        if engine.dialect.name == "sqlite":
            driver.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    """Let one connection write at a time; readers do not wait."""
    reads = connection.get_execution_options().get(READS, False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _refuse_foreign(connection: Connection, name: str) -> None:
    names = set(inspect(connection).get_table_names())
    if names and "alembic_version" not in names:
        raise Refused(f"the database {name} holds something else; choose a new one")


def _message_of(error: DBAPIError) -> str:
    """The driver's message in one line; libpq puts no password in it."""
    return " ".join(str(error.orig).split())
