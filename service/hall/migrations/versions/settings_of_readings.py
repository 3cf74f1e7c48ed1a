"""Tell the settings of readings apart without the address of the results, and drop what is unused.

So a film that was read before is not read again because its results are to be stored elsewhere.
"""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256

import sqlalchemy as sa
from alembic import op

revision = "settings_of_readings"
down_revision = "rulers"

NOT_GIVEN = dict.fromkeys(("table", "own_set", "seat0", "first_dealer", "mirrored"))
LEFT_OUT = {"lang": "en", "out": ""}


def upgrade() -> None:
    connection = op.get_bind()
    asked = sa.text("SELECT id, film_id, settings FROM archive_readings ORDER BY id")
    readings = connection.execute(asked).all()
    # First a hash that no other reading has: rounds of two addresses become rounds of one.
    connection.execute(sa.text("UPDATE archive_readings SET settings_hash = CAST(id AS TEXT)"))
    change = sa.text(
        "UPDATE archive_readings SET settings_hash = :hash, round = :round WHERE id = :id"
    )
    rounds = Counter[tuple[int, str]]()
    for row in readings:
        settings = NOT_GIVEN | json.loads(row.settings) | LEFT_OUT
        of_film = row.film_id, sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()
        rounds[of_film] += 1
        values = {"id": row.id, "hash": of_film[1], "round": rounds[of_film]}
        connection.execute(change, values)
    with op.batch_alter_table("archive_films") as films:
        films.drop_column("duration_s")
