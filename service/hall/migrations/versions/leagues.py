"""Leagues, and the results of finished games; those of earlier records are read out afterwards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "leagues"
down_revision = "tables_and_lines"


def upgrade() -> None:
    op.create_table(
        "leagues",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("season", sa.String(80), nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_leagues"),
        sa.UniqueConstraint("name", "season", name="uq_leagues_name"),
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
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("name", name="uq_players_name"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("record_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("ended_s", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(["record_id"], ["records.id"], name="fk_games_record_id"),
        sa.UniqueConstraint("record_id", "number", name="uq_games_record_id"),
    )
    op.create_table(
        "results",
        sa.Column("game_id", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_results"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_results_game_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_results_player_id"),
    )
