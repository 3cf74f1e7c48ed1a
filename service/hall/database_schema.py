"""The database tables of a hall: tables, keys, lines of records, leagues, results and people.

The lines are the truth and are only ever added to; games and results are derived from them. Times
are seconds since 1970, as ``time.time`` gives them.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from service.hall.seat_counts import COUNTED

NAME_LETTERS: Final = 40
TITLE_LETTERS: Final = 80
RECORD_LETTERS: Final = 120

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

LEAGUES: Final = Table(
    "leagues",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(TITLE_LETTERS), nullable=False),
    Column("season", String(TITLE_LETTERS), nullable=False),
    Column("rules", String(NAME_LETTERS), nullable=False),
    UniqueConstraint("name", "season"),
)

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(NAME_LETTERS), nullable=False, unique=True),
    Column("title", String(TITLE_LETTERS), nullable=False),
    # New records of this table count in this league.
    Column("league_id", ForeignKey("leagues.id")),
)

KEYS: Final = Table(
    "keys",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("role", String(NAME_LETTERS), nullable=False),
    Column("table_id", ForeignKey("tables.id")),
    # A key has 24 random bytes that nobody can guess, so one round of SHA-256 is enough.
    Column("hash", String(64), nullable=False, unique=True),
    Column("label", String(TITLE_LETTERS), nullable=False),
    Column("made_s", Double, nullable=False),
    Column("revoked_s", Double),
)

RECORDS: Final = Table(
    "records",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("name", String(RECORD_LETTERS), nullable=False),
    Column("begun_s", Double, nullable=False),
    Column("lines", Integer, nullable=False),
    Column("league_id", ForeignKey("leagues.id")),
    # Number of lines that the results include. If there are more, they are read again.
    Column("told_lines", Integer, nullable=False, server_default="0"),
    # Number of lines that there are webhook messages of; None where there never was one.
    Column("webhook_lines", Integer),
    UniqueConstraint("table_id", "name"),
)

LINES: Final = Table(
    "lines",
    METADATA,
    Column("record_id", ForeignKey("records.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    Column("came_s", Double, nullable=False),
)

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
)

# Names under which a person has played; "name" of a person is one of them.
PLAYER_NAMES: Final = Table(
    "player_names",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
)

GAMES: Final = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("record_id", ForeignKey("records.id"), nullable=False),
    # Index of the game in its record.
    Column("number", Integer, nullable=False),
    Column("rules", String(NAME_LETTERS), nullable=False),
    Column("ended_s", Double, nullable=False),
    UniqueConstraint("record_id", "number"),
)

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player_id", ForeignKey("players.id")),  # None without a name
    Column("place", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    *(Column(name, Integer, nullable=False, server_default="0") for name in COUNTED),
    # Decisions of hands that the record knows, and those with a better choice. None until judged.
    Column("decisions", Integer),
    Column("mistakes", Integer),
)

# Messages that an address has not taken yet.
WEBHOOK_MESSAGES: Final = Table(
    "webhook_messages",
    METADATA,
    Column("id", String(RECORD_LETTERS), primary_key=True),
    Column("url", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("due_s", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
)
