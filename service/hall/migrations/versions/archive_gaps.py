"""Add the players of films, and how many pieces of each hand its film does not show."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "archive_gaps"
down_revision = "webhooks"


def upgrade() -> None:
    with op.batch_alter_table("archive_hands") as hands:
        hands.add_column(sa.Column("gaps", sa.Integer, nullable=False, server_default="0"))
    with op.batch_alter_table("archive_films") as films:
        films.add_column(sa.Column("players", sa.Text))
