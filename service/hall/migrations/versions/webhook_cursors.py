"""Note how far each webhook has been told of each record, in place of the messages that wait.

An address with waiting messages begins with the earliest of them: what it took of later lines comes
again, with the same ids. Messages about needs go, as the hall tells them anew.
"""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "webhook_cursors"
down_revision = "archive_names"

NO_END = 2**31 - 1
OF_LINE = re.compile(r"(\d+)-(\d+)-(?:[a-z]+\.[a-z]+|corrected|\d+-event)")


def upgrade() -> None:
    connection = op.get_bind()
    waiting = connection.execute(
        sa.text("SELECT id, url, due_s, attempts FROM webhook_messages")
    ).all()
    records = connection.execute(sa.text("SELECT id, lines, webhook_lines FROM records")).all()
    op.create_table(
        "webhook_cursors",
        sa.Column("url", sa.Text, primary_key=True),
        sa.Column(
            "record_id",
            sa.Integer,
            sa.ForeignKey("records.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("end_line", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("next_line", sa.Integer, nullable=False),
        sa.Column("due_s", sa.Double, nullable=False, server_default="0"),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    )
    first: dict[tuple[str, int], tuple[int, float, int]] = {}
    for message in waiting:
        if of := OF_LINE.fullmatch(message.id):
            key = (message.url, int(of[1]))
            own = (int(of[2]), message.due_s, message.attempts)
            first[key] = min(own, first.get(key, own))
    add = sa.text(
        "INSERT INTO webhook_cursors (url, record_id, end_line, next_line, due_s, attempts) "
        "VALUES (:url, :record, :end, :line, :due_s, :attempts)"
    )
    for url in {message.url for message in waiting}:
        for record in records:
            told = record.lines if record.webhook_lines is None else record.webhook_lines
            line, due_s, attempts = first.get((url, record.id), (told, 0.0, 0))
            about = {"url": url, "record": record.id, "end": NO_END}
            connection.execute(add, about | {"line": line, "due_s": due_s, "attempts": attempts})
    op.drop_table("webhook_messages")
    with op.batch_alter_table("records") as table:
        table.drop_column("webhook_lines")
