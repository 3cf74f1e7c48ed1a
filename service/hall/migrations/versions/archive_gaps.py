"""Add to each hand how many pieces of it its film does not show."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "archive_gaps"
down_revision = "webhooks"


def upgrade() -> None:
    with op.batch_alter_table("archive_hands") as hands:
        hands.add_column(sa.Column("gaps", sa.Integer, nullable=False, server_default="0"))
