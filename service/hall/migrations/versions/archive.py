"""Add the films of an archive, their readings, and what those found."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "archive"
down_revision = "leagues"


def upgrade() -> None:
    op.create_table(
        "archive_files",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "archive_films",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("fingerprint", sa.String(64), nullable=False, unique=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("bytes", sa.Double, nullable=False),
        sa.Column("duration_s", sa.Double),
    )
    films, readings = "archive_films.id", "archive_readings.id"
    op.create_table(
        "archive_readings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("film_id", sa.Integer, sa.ForeignKey(films), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("settings_hash", sa.String(64), nullable=False),
        sa.Column("round", sa.Integer, nullable=False, server_default="1"),
        sa.Column("answers", sa.Text, nullable=False, server_default="[]"),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("token", sa.Integer, nullable=False, server_default="0"),
        sa.Column("worker", sa.Text),
        sa.Column("lease_until_s", sa.Double),
        sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
        sa.Column("losses", sa.Integer, nullable=False, server_default="0"),
        sa.Column("read_s", sa.Double, nullable=False, server_default="0"),
        sa.Column("checkpoint", sa.Integer, nullable=False, server_default="0"),
        sa.Column("error", sa.Text),
        sa.Column("made_with", sa.Text),
        sa.Column("result", sa.Text),
        sa.Column("begun_s", sa.Double),
        sa.Column("ended_s", sa.Double),
        sa.UniqueConstraint("film_id", "settings_hash", "round"),
    )
    op.create_index("ix_archive_readings_state", "archive_readings", ["state", "id"])
    op.create_index("ix_archive_readings_lease", "archive_readings", ["state", "lease_until_s"])
    op.create_table(
        "archive_hands",
        sa.Column("reading_id", sa.Integer, sa.ForeignKey(readings), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("round", sa.String(2), nullable=False),
        sa.Column("dealer", sa.Integer, nullable=False),
        sa.Column("begun_s", sa.Double),
        sa.Column("ended_s", sa.Double),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(40)),
        sa.Column("problems", sa.Integer, nullable=False),
        sa.Column("questions", sa.Integer, nullable=False),
    )
    op.create_table(
        "archive_seats",
        sa.Column("reading_id", sa.Integer, sa.ForeignKey(readings), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Text),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("patterns", sa.Text, nullable=False),
    )
    op.create_index("ix_archive_seats_player", "archive_seats", ["player"])
    op.create_table(
        "archive_questions",
        sa.Column("reading_id", sa.Integer, sa.ForeignKey(readings), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("time_s", sa.Double, nullable=False),
        sa.Column("asked", sa.Text, nullable=False),
        sa.Column("answer", sa.Text),
    )
