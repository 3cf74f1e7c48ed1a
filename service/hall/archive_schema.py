"""The database tables of an archive; they stand beside a hall's, in one history of migrations.

Films and readings are the ledger; hands, seats and questions are what the readings found. Times
are seconds since 1970, times in films seconds from their beginning.
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
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from service.hall.database_schema import METADATA, NAME_LETTERS

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
    Column("duration_s", Double),
    # The names of seats 0 to 3, as JSON.
    Column("players", Text),
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
    Column("lease_until_s", Double),
    # Without a finished hand between them.
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("losses", Integer, nullable=False, server_default="0"),
    Column("read_s", Double, nullable=False, server_default="0"),
    Column("checkpoint", Integer, nullable=False, server_default="0"),
    Column("error", Text),
    Column("made_with", Text),
    Column("result", Text),
    # Whether its stored files may name somebody whom the film no longer names.
    Column("names_stale", Boolean, nullable=False, server_default=false()),
    Column("begun_s", Double),
    Column("ended_s", Double),
    UniqueConstraint("film_id", "settings_hash", "round"),
    Index("ix_archive_readings_state", "state", "id"),
    Index("ix_archive_readings_lease", "state", "lease_until_s"),
)

HANDS: Final = Table(
    "archive_hands",
    METADATA,
    Column("reading_id", ForeignKey("archive_readings.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("game", Integer, nullable=False),
    Column("rules", String(NAME_LETTERS), nullable=False),
    Column("hand", Integer, nullable=False),
    Column("round", String(2), nullable=False),
    Column("dealer", Integer, nullable=False),
    Column("begun_s", Double),
    Column("ended_s", Double),
    # "win", "draw", or "cut" for a hand whose end the film does not show.
    Column("outcome", String(NAME_LETTERS), nullable=False),
    Column("reason", String(NAME_LETTERS)),
    Column("problems", Integer, nullable=False),
    Column("questions", Integer, nullable=False),
    # How many pieces of the hand the film does not show.
    Column("gaps", Integer, nullable=False, server_default="0"),
)

SEATS: Final = Table(
    "archive_seats",
    METADATA,
    Column("reading_id", ForeignKey("archive_readings.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", Text),
    Column("points", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    # Names of what was paid for, each between spaces.
    Column("patterns", Text, nullable=False),
    Index("ix_archive_seats_player", "player"),
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
