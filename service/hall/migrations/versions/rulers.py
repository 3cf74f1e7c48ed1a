"""Make everybody who is named a person, also whoever ruled and has not played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "rulers"
down_revision = "one_store"


def upgrade() -> None:
    connection = op.get_bind()
    played = sa.Column("has_played", sa.Boolean, nullable=False, server_default=sa.true())
    op.add_column("names", played)
    change = sa.text(
        "UPDATE names SET player_id = :player, is_shown = :yes, has_played = :no WHERE id = :id"
    )
    for row in connection.execute(sa.text("SELECT id FROM names WHERE player_id IS NULL")).all():
        new = sa.text("INSERT INTO players DEFAULT VALUES RETURNING id")
        player = int(connection.execute(new).scalar_one())
        values = {"player": player, "id": row.id, "yes": True, "no": False}
        connection.execute(change, values)
