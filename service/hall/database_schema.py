"""The database tables of a hall: tables, keys, records, leagues, results, people and archives.

The lines are the truth and are only ever added to; games and results are derived from them. Times
are seconds since 1970, as ``time.time`` gives them.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)

from engine.results import COUNTED

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
    # Whether games of films count in it.
    Column("films", Boolean, nullable=False, server_default=false()),
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

# The numbers of somebody who was forgotten are never given again: lines may still have them.
PLAYERS: Final = Table(
    "players", METADATA, Column("id", Integer, primary_key=True), sqlite_autoincrement=True
)

# Each name once. All else that is stored names people by the number of their name.
NAMES: Final = Table(
    "names",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("player_id", ForeignKey("players.id", ondelete="CASCADE")),
    # Whether this one of a player's names is shown.
    Column("is_shown", Boolean, nullable=False),
    # False for the words of a ruling, as long as nobody of this name plays.
    Column("has_played", Boolean, nullable=False, server_default=true()),
    sqlite_autoincrement=True,
)

# Games of tables and of films, as engine.results tells them of their lines.
GAMES: Final = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True),
    # One of the two: where its lines are.
    Column("record_id", ForeignKey("records.id")),
    Column("reading_id", ForeignKey("archive_readings.id")),
    # Index of the game in its record.
    Column("number", Integer, nullable=False),
    Column("rules", String(NAME_LETTERS), nullable=False),
    # When its last line came, or its film was read; None for a game that is not over.
    Column("ended_s", Double),
    UniqueConstraint("record_id", "number"),
    UniqueConstraint("reading_id", "number"),
)

RESULTS: Final = Table(
    "results",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    # None without a name, or where somebody was forgotten.
    Column("name_id", ForeignKey("names.id", ondelete="SET NULL")),
    # None for a game that is not over.
    Column("place", Integer),
    Column("points", Integer, nullable=False),
    *(Column(name, Integer, nullable=False, server_default="0") for name in COUNTED),
    # Decisions of hands that the record knows, and those with a better choice. None until judged.
    Column("decisions", Integer),
    Column("mistakes", Integer),
    Index("ix_results_name", "name_id"),
)

HANDS: Final = Table(
    "hands",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    # Index of the hand in its game.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("hand", Integer, nullable=False),
    Column("round", String(2), nullable=False),
    Column("dealer", Integer, nullable=False),
    Column("begun_s", Double),
    Column("ended_s", Double),
    # "win", "draw", or "cut" for a hand whose end the record does not tell.
    Column("outcome", String(NAME_LETTERS), nullable=False),
    Column("reason", String(NAME_LETTERS)),
    Column("problems", Integer, nullable=False),
    Column("questions", Integer, nullable=False),
    # How many pieces of the hand its film does not show.
    Column("gaps", Integer, nullable=False),
)

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("points", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    # Names of what was paid for, each between spaces.
    Column("patterns", Text, nullable=False),
)

# Addresses of webhooks, from when they are first given until no hall serves them any more.
WEBHOOK_ADDRESSES: Final = Table(
    "webhook_addresses",
    METADATA,
    Column("url", Text, primary_key=True),
    # How often nothing was read, each time after the next pause; 0 once a message is read.
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("due_s", Double, nullable=False, server_default="0"),
    # When a hall has last noted that it serves the address.
    Column("served_s", Double, nullable=False, server_default="0"),
)

# How far an address has been told of a record; a line that it refused has one of its own.
WEBHOOK_CURSORS: Final = Table(
    "webhook_cursors",
    METADATA,
    Column("url", ForeignKey("webhook_addresses.url", ondelete="CASCADE"), primary_key=True),
    Column("record_id", ForeignKey("records.id", ondelete="CASCADE"), primary_key=True),
    # The first line that is not meant: very large, unless a single line is told again.
    Column("end_line", Integer, primary_key=True, autoincrement=False),
    Column("next_line", Integer, nullable=False),
    Column("due_s", Double, nullable=False, server_default="0"),
    # How often its messages were refused, or could not be made.
    Column("attempts", Integer, nullable=False, server_default="0"),
)


HASH_LETTERS: Final = 64

FILES: Final = Table(
    "archive_files",
    METADATA,
    # SHA-256 of the content: table files and profiles of tile sets, which every worker needs.
    Column("hash", String(HASH_LETTERS), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

FILMS: Final = Table(
    "archive_films",
    METADATA,
    Column("id", Integer, primary_key=True),
    # The same film under two addresses is one film.
    Column("fingerprint", String(HASH_LETTERS), nullable=False, unique=True),
    Column("address", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("bytes", Double, nullable=False),
    # Its games count in this league, as long as that takes films by the rules they are read by.
    Column("league_id", ForeignKey("leagues.id")),
)

# Who sits where in a film.
FILM_PLAYERS: Final = Table(
    "archive_players",
    METADATA,
    Column("film_id", ForeignKey("archive_films.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name_id", ForeignKey("names.id", ondelete="CASCADE"), nullable=False),
    Index("ix_archive_players_name", "name_id"),
)

READINGS: Final = Table(
    "archive_readings",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("film_id", ForeignKey("archive_films.id"), nullable=False),
    Column("settings", Text, nullable=False),
    Column("settings_hash", String(HASH_LETTERS), nullable=False),
    # Counts how often the film was read anew with these settings.
    Column("round", Integer, nullable=False, server_default="1"),
    Column("answers", Text, nullable=False, server_default="[]"),
    Column("state", String(NAME_LETTERS), nullable=False),
    Column("token", Integer, nullable=False, server_default="0"),
    Column("worker", Text),
    # Of a film that waits: nobody is given it before.
    Column("lease_until_s", Double),
    # Without a finished hand between them.
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("losses", Integer, nullable=False, server_default="0"),
    Column("read_s", Double, nullable=False, server_default="0"),
    Column("checkpoint", Integer, nullable=False, server_default="0"),
    Column("error", Text),
    Column("made_with", Text),
    Column("result", Text),
    # Whether its stored files may name people, as those of earlier versions do.
    Column("names_stale", Boolean, nullable=False, server_default=false()),
    Column("begun_s", Double),
    Column("ended_s", Double),
    UniqueConstraint("film_id", "settings_hash", "round"),
    Index("ix_archive_readings_state", "state", "id"),
    Index("ix_archive_readings_lease", "state", "lease_until_s"),
)

QUESTIONS: Final = Table(
    "archive_questions",
    METADATA,
    Column("reading_id", ForeignKey("archive_readings.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    # The question's id, by which answers name it.
    Column("name", Text, nullable=False),
    Column("time_s", Double, nullable=False),
    Column("asked", Text, nullable=False),
    Column("answer", Text),
)
