"""Keep games, hands and seats of tables and films in one store, and let films count in leagues.

Results are counted again. Games of films that were read before have no places until they are read
again.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "one_store"
down_revision = "names"

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
    connection = op.get_bind()
    hands = connection.execute(
        sa.text("SELECT * FROM archive_hands ORDER BY reading_id, number")
    ).all()
    seats = connection.execute(sa.text("SELECT * FROM archive_seats")).all()
    for table in ("results", "games", "archive_seats", "archive_hands"):
        op.drop_table(table)
    create_games()
    create_hands()
    move(connection, hands, seats)
    connection.execute(sa.text("UPDATE records SET told_lines = 0"))
    with op.batch_alter_table("leagues") as leagues:
        films = sa.Column("films", sa.Boolean, nullable=False, server_default=sa.false())
        leagues.add_column(films)
    with op.batch_alter_table("archive_films") as archive:
        archive.add_column(sa.Column("league_id", sa.Integer))
        archive.create_foreign_key("fk_archive_films_league_id", "leagues", ["league_id"], ["id"])


def create_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("record_id", sa.Integer, sa.ForeignKey("records.id")),
        sa.Column("reading_id", sa.Integer, sa.ForeignKey("archive_readings.id")),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("rules", sa.String(40), nullable=False),
        sa.Column("ended_s", sa.Double),
        sa.UniqueConstraint("record_id", "number"),
        sa.UniqueConstraint("reading_id", "number"),
    )
    op.create_table(
        "results",
        sa.Column("game_id", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name_id", sa.Integer, sa.ForeignKey("names.id", ondelete="SET NULL")),
        sa.Column("place", sa.Integer),
        sa.Column("points", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False, server_default="0") for name in COUNTED),
        sa.Column("decisions", sa.Integer),
        sa.Column("mistakes", sa.Integer),
    )
    op.create_index("ix_results_name", "results", ["name_id"])


def create_hands() -> None:
    game = sa.ForeignKey("games.id")
    op.create_table(
        "hands",
        sa.Column("game_id", sa.Integer, game, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("round", sa.String(2), nullable=False),
        sa.Column("dealer", sa.Integer, nullable=False),
        sa.Column("begun_s", sa.Double),
        sa.Column("ended_s", sa.Double),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(40)),
        sa.Column("problems", sa.Integer, nullable=False),
        sa.Column("questions", sa.Integer, nullable=False),
        sa.Column("gaps", sa.Integer, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("patterns", sa.Text, nullable=False),
    )


def move(connection: sa.Connection, hands: Any, seats: Any) -> None:
    """Put the hands of films into the store; hands were numbered in their reading before."""
    tables = sa.MetaData()
    tables.reflect(connection, only=["games", "hands", "seats"])
    games: dict[tuple[int, int], int] = {}
    places: dict[tuple[int, int], tuple[int, int]] = {}
    first: dict[int, int] = {}
    for hand in hands:
        key = hand.reading_id, hand.game
        if key not in games:
            about = {"reading_id": hand.reading_id, "number": hand.game - 1, "rules": hand.rules}
            added = sa.insert(tables.tables["games"]).values(about)
            (games[key],) = connection.execute(added).inserted_primary_key or (0,)
            first[games[key]] = hand.number
        game = games[key]
        places[hand.reading_id, hand.number] = game, hand.number - first[game]
    for name, rows in (("hands", hands), ("seats", seats)):
        table = tables.tables[name]
        moved = []
        for row in rows:
            game, number = places[row.reading_id, row.number]
            kept = {key: value for key, value in row._mapping.items() if key in table.columns}
            moved.append({**kept, "game_id": game, "number": number})
        if moved:
            connection.execute(sa.insert(table), moved)
