"""Note how far each webhook has been told of each record, in place of the messages that wait.

Each line of which a message waits is told again by itself, with the same ids, and is due at once.
Messages about needs go, as the hall tells them anew.
"""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "webhook_cursors"
down_revision = "archive_names"

NO_END = 2**31 - 1
OF_LINE = re.compile(r"(\d+)-(\d+)-(?:[a-z]+\.[a-z]+|corrected|\d+-event)")


def upgrade() -> None:
    connection = op.get_bind()
    waiting = connection.execute(sa.text("SELECT id, url, attempts FROM webhook_messages")).all()
    records = connection.execute(sa.text("SELECT id, lines, webhook_lines FROM records")).all()
    create_tables()
    urls = sorted({message.url for message in waiting})
    add_addresses = sa.text("INSERT INTO webhook_addresses (url) VALUES (:url)")
    add_cursors = sa.text(
        "INSERT INTO webhook_cursors (url, record_id, end_line, next_line, attempts) "
        "VALUES (:url, :record, :end, :line, :attempts)"
    )
    cursors = [*followed(urls, records), *left(waiting, {record.id for record in records})]
    for add, rows in ((add_addresses, [{"url": url} for url in urls]), (add_cursors, cursors)):
        if rows:
            connection.execute(add, rows)
    op.drop_table("webhook_messages")
    with op.batch_alter_table("records") as table:
        table.drop_column("webhook_lines")


def create_tables() -> None:
    op.create_table(
        "webhook_addresses",
        sa.Column("url", sa.Text, primary_key=True),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("due_s", sa.Double, nullable=False, server_default="0"),
    )
    address = sa.ForeignKey("webhook_addresses.url", ondelete="CASCADE")
    record = sa.ForeignKey("records.id", ondelete="CASCADE")
    op.create_table(
        "webhook_cursors",
        sa.Column("url", sa.Text, address, primary_key=True),
        sa.Column("record_id", sa.Integer, record, primary_key=True),
        sa.Column("end_line", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("next_line", sa.Integer, nullable=False),
        sa.Column("due_s", sa.Double, nullable=False, server_default="0"),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    )


def followed(urls: list[str], records: Any) -> list[dict[str, Any]]:
    """Cursors of what there are no messages of yet."""
    return [
        {
            "url": url,
            "record": record.id,
            "end": NO_END,
            "line": record.lines if record.webhook_lines is None else record.webhook_lines,
            "attempts": 0,
        }
        for url in urls
        for record in records
    ]


def left(waiting: Any, records: set[int]) -> list[dict[str, Any]]:
    """A cursor for each line of which a message waits."""
    attempts: dict[tuple[str, int, int], int] = {}
    for message in waiting:
        of = OF_LINE.fullmatch(message.id)
        if of is not None and int(of[1]) in records:
            key = (message.url, int(of[1]), int(of[2]))
            attempts[key] = min(message.attempts, attempts.get(key, message.attempts))
    return [
        {"url": url, "record": record, "end": line + 1, "line": line, "attempts": count}
        for (url, record, line), count in attempts.items()
    ]
