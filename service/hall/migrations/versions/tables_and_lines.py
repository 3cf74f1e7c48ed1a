"""Add tables, their keys, and the lines that they post."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "tables_and_lines"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False, unique=True),
        sa.Column("title", sa.String(80), nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("role", sa.String(40), nullable=False),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id")),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("made_s", sa.Double, nullable=False),
        sa.Column("revoked_s", sa.Double),
    )
    op.create_table(
        "records",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("begun_s", sa.Double, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.UniqueConstraint("table_id", "name"),
    )
    op.create_table(
        "lines",
        sa.Column("record_id", sa.Integer, sa.ForeignKey("records.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("came_s", sa.Double, nullable=False),
    )
