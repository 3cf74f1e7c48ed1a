"""Tables, their keys, and the lines that they post."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "tables_and_lines"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("name", name="uq_tables_name"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("role", sa.String(40), nullable=False),
        sa.Column("table_id", sa.Integer),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("made_s", sa.Double, nullable=False),
        sa.Column("revoked_s", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_keys_table_id"),
        sa.UniqueConstraint("hash", name="uq_keys_hash"),
    )
    op.create_table(
        "records",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("table_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("begun_s", sa.Double, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_records_table_id"),
        sa.UniqueConstraint("table_id", "name", name="uq_records_table_id"),
    )
    op.create_table(
        "lines",
        sa.Column("record_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("came_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("record_id", "number", name="pk_lines"),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_lines_record_id"),
    )
