"""Add the messages that wait for webhooks, and how far each record has been told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "webhooks"
down_revision = "people"


def upgrade() -> None:
    with op.batch_alter_table("records") as records:
        records.add_column(sa.Column("webhook_lines", sa.Integer))
    op.create_table(
        "webhook_messages",
        sa.Column("id", sa.String(120), primary_key=True),
        sa.Column("url", sa.Text, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("due_s", sa.Double, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
