"""Add leagues and the results of finished games, which are derived from the lines later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "leagues"
down_revision = "tables_and_lines"


def upgrade() -> None:
    op.create_table(
        "leagues",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("season", sa.String(80), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.UniqueConstraint("name", "season"),
    )
    with op.batch_alter_table("tables") as tables:
        tables.add_column(sa.Column("league_id", sa.Integer))
        tables.create_foreign_key("fk_tables_league_id", "leagues", ["league_id"], ["id"])
    with op.batch_alter_table("records") as records:
        records.add_column(sa.Column("league_id", sa.Integer))
        told = sa.Column("told_lines", sa.Integer, nullable=False, server_default="0")
        records.add_column(told)
        records.create_foreign_key("fk_records_league_id", "leagues", ["league_id"], ["id"])
    op.create_table(
        "players",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("record_id", sa.Integer, sa.ForeignKey("records.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("ended_s", sa.Double, nullable=False),
        sa.UniqueConstraint("record_id", "number"),
    )
    op.create_table(
        "results",
        sa.Column("game_id", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id")),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
    )
