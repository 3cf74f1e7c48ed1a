"""Results of the hall's finished games, derived from the lines of its records."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import Connection, delete, insert, select, update

from service.drill import decisions, mistakes
from service.hall.database import Store
from service.hall.database_schema import (
    GAMES,
    LINES,
    PLAYER_NAMES,
    PLAYERS,
    RECORDS,
    RESULTS,
    seat_counts,
)
from service.hall.records import one_line, read
from service.report.story import GameStory, tell


class Results(Store):
    """What the standings and the people's pages are made of."""

    def with_news(self) -> list[int]:
        """Records with lines that the results do not include yet."""
        asked = select(RECORDS.c.id).where(RECORDS.c.told_lines < RECORDS.c.lines)
        return [row.id for row in self._rows(asked.order_by(RECORDS.c.id))]

    def update(self, record_id: int) -> None:
        """Derive the results from the lines with all their corrections."""
        while not self._updated(record_id):
            pass

    def _updated(self, record_id: int) -> bool:
        """Derive the results; False where a name was taken out of the lines meanwhile."""
        asked = select(LINES).where(LINES.c.record_id == record_id)
        rows = self._rows(asked.order_by(LINES.c.number))
        games = tell([read(row.line) for row in rows])
        with self._engine.begin() as connection:
            own = select(RECORDS.c.told_lines).where(RECORDS.c.id == record_id).with_for_update()
            if connection.execute(own).scalar_one() > len(rows):
                return True  # somebody has included more lines meanwhile
            now = connection.execute(asked.order_by(LINES.c.number).limit(len(rows))).all()
            if now != rows:
                return False
            old = select(GAMES.c.id).where(GAMES.c.record_id == record_id)
            connection.execute(delete(RESULTS).where(RESULTS.c.game_id.in_(old)))
            connection.execute(delete(GAMES).where(GAMES.c.record_id == record_id))
            for number, game in enumerate(games):
                if game.result is not None:
                    ended_s = rows[game.happened[-1].number].came_s
                    _keep(connection, record_id, number, game, ended_s)
            told = update(RECORDS).where(RECORDS.c.id == record_id)
            connection.execute(told.values(told_lines=len(rows)))
        return True

    def unjudged(self) -> list[int]:
        """Numbers of the games whose decisions nobody has judged yet, the latest first."""
        asked = select(RESULTS.c.game_id).where(RESULTS.c.decisions.is_(None)).distinct()
        return [row.game_id for row in self._rows(asked.order_by(RESULTS.c.game_id.desc()))]

    def judge(self, game_id: int) -> None:
        """Judge the decisions of a game's known hands, which takes seconds."""
        asked = (
            select(LINES.c.line, GAMES.c.number, RECORDS.c.told_lines)
            .join(RECORDS, RECORDS.c.id == LINES.c.record_id)
            .join(GAMES, GAMES.c.record_id == RECORDS.c.id)
            .where(GAMES.c.id == game_id, LINES.c.number < RECORDS.c.told_lines)
            .order_by(LINES.c.number)
        )
        rows = self._rows(asked)
        if not rows:
            return  # the results were derived anew meanwhile
        game = tell([read(row.line) for row in rows])[rows[0].number : rows[0].number + 1]
        counts = [(len(decisions(game, seat)), len(mistakes(game, seat))) for seat in range(4)]
        told = select(RECORDS.c.told_lines).join(GAMES, GAMES.c.record_id == RECORDS.c.id)
        own_record = told.where(GAMES.c.id == game_id).with_for_update(of=RECORDS)
        with self._engine.begin() as connection:
            if connection.execute(own_record).scalar() != rows[0].told_lines:
                return
            for seat, (decided, mistaken) in enumerate(counts):
                own = update(RESULTS).where(RESULTS.c.game_id == game_id, RESULTS.c.seat == seat)
                connection.execute(own.values(decisions=decided, mistakes=mistaken))


def person_of(connection: Connection, name: str) -> int:
    """The number of the person with this name, who is added if new."""
    known = select(PLAYER_NAMES.c.player_id).where(PLAYER_NAMES.c.name == name)
    found = connection.execute(known).scalar()
    if found is not None:
        return int(found)
    done = connection.execute(insert(PLAYERS).values(name=name))
    (number,) = done.inserted_primary_key or (0,)
    connection.execute(insert(PLAYER_NAMES).values(name=name, player_id=number))
    return int(number)


def _keep(
    connection: Connection, record_id: int, number: int, game: GameStory, ended_s: float
) -> None:
    assert game.result is not None
    row = {"record_id": record_id, "number": number, "rules": game.rules, "ended_s": ended_s}
    done = connection.execute(insert(GAMES).values(row))
    (game_id,) = done.inserted_primary_key or (0,)
    start = game.happened[0].state
    names = [one_line(given) for given in start.names]
    rows = [
        {
            "game_id": game_id,
            "seat": seat,
            "player_id": person_of(connection, names[seat]) if names[seat] else None,
            "place": game.result.places[seat],
            "points": game.points[seat] - start.points[seat],
            **asdict(seat_counts(game, seat)),
        }
        for seat in range(4)
    ]
    connection.execute(insert(RESULTS), rows)
