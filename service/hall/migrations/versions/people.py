"""Add what each seat did in a game, and the names of a person; all results are counted again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "people"
down_revision = "archive"

COUNTED = (
    "hands",
    "wins",
    "self_draws",
    "dealt_in",
    "won_points",
    "paid_points",
    "called",
    "ready",
)


def upgrade() -> None:
    with op.batch_alter_table("results") as results:
        for name in COUNTED:
            results.add_column(sa.Column(name, sa.Integer, nullable=False, server_default="0"))
        results.add_column(sa.Column("decisions", sa.Integer))
        results.add_column(sa.Column("mistakes", sa.Integer))
    op.create_table(
        "player_names",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("player_id", sa.Integer, sa.ForeignKey("players.id"), nullable=False),
    )
    op.execute("INSERT INTO player_names (name, player_id) SELECT name, id FROM players")
    op.execute("UPDATE records SET told_lines = 0")
