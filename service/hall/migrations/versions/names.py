"""Store each name once, and let lines and films name people by its number.

Results are counted again. Stored files of an archive are rewritten by the hall afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "names"
down_revision = "webhook_cursors"

RULED_BY = "ruled by "
LONGEST = 500
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
    people = connection.execute(sa.text("SELECT id, name FROM players")).all()
    names = connection.execute(sa.text("SELECT name, player_id FROM player_names")).all()
    for table in ("results", "games", "player_names", "players"):
        op.drop_table(table)
    create_tables()
    create_results()
    known = Names(connection)
    shown = {person.id: person.name for person in people}
    for person in sorted(shown):
        connection.execute(sa.text("INSERT INTO players (id) VALUES (:id)"), {"id": person})
    if connection.dialect.name == "postgresql" and shown:
        last = "SELECT setval(pg_get_serial_sequence('players', 'id'), :last)"
        connection.execute(sa.text(last), {"last": max(shown)})
    for row in names:
        known.add(row.name, row.player_id, row.name == shown[row.player_id])
    number_lines(connection, known)
    connection.execute(sa.text("UPDATE records SET told_lines = 0"))
    name_films(connection, known)
    take_texts(connection)


def create_tables() -> None:
    op.create_table(
        "players", sa.Column("id", sa.Integer, primary_key=True), sqlite_autoincrement=True
    )
    player = sa.ForeignKey("players.id", ondelete="CASCADE")
    op.create_table(
        "names",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("player_id", sa.Integer, player),
        sa.Column("is_shown", sa.Boolean, nullable=False),
        sqlite_autoincrement=True,
    )


def create_results() -> None:
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
        sa.Column("name_id", sa.Integer, sa.ForeignKey("names.id", ondelete="SET NULL")),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False, server_default="0") for name in COUNTED),
        sa.Column("decisions", sa.Integer),
        sa.Column("mistakes", sa.Integer),
    )
    op.create_index("ix_results_name", "results", ["name_id"])


class Names:
    """The numbers of names while the database is upgraded."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._numbers: dict[str, int] = {}
        self._players: set[str] = set()

    def add(self, name: str, player: int | None, is_shown: bool) -> None:
        row = {"name": name, "player": player, "shown": is_shown}
        added = "INSERT INTO names (name, player_id, is_shown) VALUES (:name, :player, :shown)"
        done = self._connection.execute(sa.text(f"{added} RETURNING id"), row)
        self._numbers[name] = int(done.scalar_one())
        if player is not None:
            self._players.add(name)

    def player(self, name: str) -> int | None:
        """The number of a player's name; None for an empty one."""
        name = one_line(name)
        if name and name not in self._players:
            new = sa.text("INSERT INTO players DEFAULT VALUES RETURNING id")
            player = int(self._connection.execute(new).scalar_one())
            if name in self._numbers:
                change = "UPDATE names SET player_id = :player, is_shown = :shown WHERE id = :id"
                values = {"player": player, "shown": True, "id": self._numbers[name]}
                self._connection.execute(sa.text(change), values)
                self._players.add(name)
            else:
                self.add(name, player, True)
        return self._numbers.get(name)

    def ruler(self, name: str) -> int | None:
        name = one_line(name)
        if name and name not in self._numbers:
            self.add(name, None, False)
        return self._numbers.get(name)


def one_line(name: str) -> str:
    return " ".join(name.replace("\0", " ").split())[:LONGEST]


def number_lines(connection: sa.Connection, names: Names) -> None:
    asked = sa.text(
        "SELECT record_id, number, line FROM lines "
        "WHERE line LIKE :players OR line LIKE :ruled ORDER BY record_id, number"
    )
    given = {"players": '%"players"%', "ruled": f"%{RULED_BY}%"}
    change = sa.text("UPDATE lines SET line = :line WHERE record_id = :record AND number = :number")
    for row in connection.execute(asked, given).all():
        line = json.dumps(numbered(json.loads(row.line), names), ensure_ascii=False)
        values = {"line": line, "record": row.record_id, "number": row.number}
        connection.execute(change, values)


def numbered(line: dict[str, Any], names: Names) -> dict[str, Any]:
    line = dict(line)
    if isinstance(line.get("players"), list):
        line["players"] = [names.player(name) for name in line["players"]]
    evidence = line.get("evidence")
    if isinstance(evidence, str) and evidence.startswith(RULED_BY):
        line["evidence"] = {"ruled_by": names.ruler(evidence.removeprefix(RULED_BY))}
    if isinstance(line.get("events"), list):
        line["events"] = [numbered(one, names) for one in line["events"]]
    return line


def name_films(connection: sa.Connection, names: Names) -> None:
    op.create_table(
        "archive_players",
        sa.Column("film_id", sa.Integer, sa.ForeignKey("archive_films.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column(
            "name_id", sa.Integer, sa.ForeignKey("names.id", ondelete="CASCADE"), nullable=False
        ),
    )
    op.create_index("ix_archive_players_name", "archive_players", ["name_id"])
    films = sa.text("SELECT id, players FROM archive_films WHERE players IS NOT NULL ORDER BY id")
    add = sa.text("INSERT INTO archive_players (film_id, seat, name_id) VALUES (:f, :seat, :name)")
    for film in connection.execute(films).all():
        for seat, name in enumerate(json.loads(film.players)):
            if (number := names.player(name)) is not None:
                connection.execute(add, {"f": film.id, "seat": seat, "name": number})
    with op.batch_alter_table("archive_films") as table:
        table.drop_column("players")
    op.drop_index("ix_archive_seats_player", "archive_seats")
    with op.batch_alter_table("archive_seats") as table:
        table.drop_column("player")


def take_texts(connection: sa.Connection) -> None:
    """Take texts with names out of questions, and note which stored files may have some."""
    asked = sa.text("SELECT reading_id, number, asked FROM archive_questions")
    keep = "UPDATE archive_questions SET asked = :asked WHERE reading_id = :id AND number = :number"
    for row in connection.execute(asked).all():
        bare = json.dumps(wordless(json.loads(row.asked)), ensure_ascii=False)
        values = {"asked": bare, "id": row.reading_id, "number": row.number}
        connection.execute(sa.text(keep), values)
    for row in connection.execute(sa.text("SELECT id, answers FROM archive_readings")).all():
        bare = json.dumps([*map(wordless, json.loads(row.answers))], ensure_ascii=False)
        change = sa.text("UPDATE archive_readings SET answers = :answers WHERE id = :id")
        connection.execute(change, {"answers": bare, "id": row.id})
    stored = sa.text("UPDATE archive_readings SET names_stale = :yes WHERE result <> ''")
    connection.execute(stored, {"yes": True})


def wordless(asked: dict[str, Any]) -> dict[str, Any]:
    choices: Iterable[dict[str, Any]] = asked.get("choices", [])
    bare = [{key: choice[key] for key in choice if key != "text"} for choice in choices]
    return {**asked, "choices": bare}
