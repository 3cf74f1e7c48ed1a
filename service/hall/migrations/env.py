"""Alembic's entry point: it runs the steps on the connection that the program gives."""

from __future__ import annotations

from alembic import context

from service.hall.database_schema import HANDS

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=HANDS.metadata,
    # SQLite cannot add a foreign key to a table, so the table is copied instead.
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
