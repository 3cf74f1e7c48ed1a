"""Where a hall's database has the names of people, and how they are taken out of it.

Names stand in lines of records (players of a game, who ruled), in messages that wait for a webhook,
in labels of keys, and in an archive: players of films and seats, and texts of questions. Names of
files, titles of tables, leagues and seasons are words of the administrator and stay.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Table, delete, select, update

from engine.game import replay
from service.hall.database_schema import (
    FILMS,
    KEYS,
    LINES,
    QUESTIONS,
    READINGS,
    RECORDS,
    SEATS,
    TABLES,
    WEBHOOK_MESSAGES,
)
from service.hall.records import TableRow, one_line, read, without, without_words, written
from service.hall.watched_table import WatchedTable
from service.hall.webhooks import EVENT, NEEDS, news_of
from service.report.public import RULED_BY
from service.report.questions import wordless


def take_out(connection: Connection, names: Collection[str]) -> list[int]:
    """Take these names out of every table; return the records whose lines have changed."""
    # Whoever posts to a record, or derives its results, waits here, and sees it without the names.
    connection.execute(select(RECORDS.c.id).order_by(RECORDS.c.id).with_for_update()).all()
    changed = _of_lines(connection, names)
    for record in changed:
        _of_messages(connection, record)
    for row in connection.execute(select(KEYS.c.id, KEYS.c.label)).all():
        if (label := without_words(row.label, names)) != row.label:
            connection.execute(update(KEYS).where(KEYS.c.id == row.id).values(label=label))
    _of_films(connection, names)
    _of_questions(connection)
    return changed


def _of_lines(connection: Connection, names: Collection[str]) -> list[int]:
    changed: set[int] = set()
    line = LINES.c.line
    asked = select(LINES).where(
        line.contains('"players"', autoescape=True) | line.contains(RULED_BY, autoescape=True)
    )
    for row in connection.execute(asked).all():
        new = written(without(read(row.line), names))
        if new != row.line:
            own = (LINES.c.record_id == row.record_id) & (LINES.c.number == row.number)
            connection.execute(update(LINES).where(own).values(line=new))
            changed.add(row.record_id)
    return sorted(changed)


def _of_messages(connection: Connection, record: int) -> None:
    """Make the messages about a record anew from its lines; they keep their time."""
    wait = WEBHOOK_MESSAGES.c.id.startswith(f"{record}-", autoescape=True)
    rows = connection.execute(select(WEBHOOK_MESSAGES).where(wait)).all()
    if not rows:
        return
    asked = select(RECORDS.c.name.label("record"), TABLES).where(RECORDS.c.id == record)
    about = connection.execute(asked.join(TABLES, TABLES.c.id == RECORDS.c.table_id)).one()
    lines = select(LINES.c.line).where(LINES.c.record_id == record).order_by(LINES.c.number)
    watched = WatchedTable(TableRow(about.id, about.name, about.title, about.league_id), 0.0)
    entries = [read(line) for line in connection.execute(lines).scalars()]
    watched.begin((about.record, record), replay(entries), 0.0)
    every = any(row.id.endswith(f"-{EVENT}") for row in rows)
    news = dict(news_of(watched, 0, every))
    for row in rows:
        own = (WEBHOOK_MESSAGES.c.id == row.id) & (WEBHOOK_MESSAGES.c.url == row.url)
        if row.id.endswith(f"-{NEEDS}"):  # of a table whose name is such a number
            continue
        if row.id not in news:  # a later correction has replaced its line
            connection.execute(delete(WEBHOOK_MESSAGES).where(own))
            continue
        body = {**news[row.id], "timestamp": json.loads(row.body)["timestamp"]}
        change = update(WEBHOOK_MESSAGES).where(own)
        connection.execute(change.values(body=json.dumps(body, ensure_ascii=False)))


def _of_films(connection: Connection, names: Collection[str]) -> None:
    for row in connection.execute(select(FILMS).where(FILMS.c.players.is_not(None))).all():
        players = json.loads(row.players)
        kept = ["" if one_line(name) in names else name for name in players]
        if kept != players:
            change = update(FILMS).where(FILMS.c.id == row.id)
            connection.execute(change.values(players=json.dumps(kept, ensure_ascii=False)))
    # A film that was renamed since may have stored files with an earlier name.
    films = select(FILMS.c.id).where(FILMS.c.players.is_not(None))
    stored = (
        READINGS.c.film_id.in_(films),
        READINGS.c.result.is_not(None),
        READINGS.c.result != "",
    )
    connection.execute(update(READINGS).where(*stored).values(names_stale=True))
    named = connection.execute(select(SEATS.c.player).where(SEATS.c.player.is_not(None)).distinct())
    gone = [name for name in named.scalars() if one_line(name) in names]
    connection.execute(update(SEATS).where(SEATS.c.player.in_(gone)).values(player=None))


def _of_questions(connection: Connection) -> None:
    """Take texts out of questions that were kept with them; they are worded when they are asked."""
    texts = '"text"'
    for row in connection.execute(_holding(QUESTIONS, QUESTIONS.c.asked, texts)).all():
        own = (QUESTIONS.c.reading_id == row.reading_id) & (QUESTIONS.c.number == row.number)
        asked = json.dumps(wordless(json.loads(row.asked)), ensure_ascii=False)
        connection.execute(update(QUESTIONS).where(own).values(asked=asked))
    for row in connection.execute(_holding(READINGS, READINGS.c.answers, texts)).all():
        answers = [wordless(one) for one in json.loads(row.answers)]
        change = update(READINGS).where(READINGS.c.id == row.id)
        connection.execute(change.values(answers=json.dumps(answers, ensure_ascii=False)))


def _holding(table: Table, column: Any, text: str) -> Any:
    return select(table).where(column.contains(text, autoescape=True))
