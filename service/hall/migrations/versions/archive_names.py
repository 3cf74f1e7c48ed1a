"""Note which readings' stored files may have the name of somebody who was forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "archive_names"
down_revision = "archive_gaps"


def upgrade() -> None:
    with op.batch_alter_table("archive_readings") as readings:
        stale = sa.Column("names_stale", sa.Boolean, nullable=False, server_default=sa.false())
        readings.add_column(stale)
