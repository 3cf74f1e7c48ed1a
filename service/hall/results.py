"""The games, hands and seats of tables and films: one store, in the rows of engine.results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from engine.drill import decisions, mistakes_among
from engine.events import Correct, Discard, GameEnd
from engine.game import Game
from engine.results import PlayedGame, played_game
from engine.state import Phase
from engine.stories import GameStory, HandStory, StoryEvent, tell_game
from service.hall.database import Store
from service.hall.database_schema import (
    FILM_PLAYERS,
    FILMS,
    GAMES,
    HANDS,
    LEAGUES,
    LINES,
    NAMES,
    READINGS,
    RECORDS,
    RESULTS,
    SEATS,
    TABLES,
)
from service.hall.names import known_numbers, one_line
from service.hall.records import Records
from service.machine.records import replayed, tell


@dataclass(frozen=True)
class JudgedHand:
    """How well a hand was played."""

    hand: HandStory
    counts: tuple[tuple[int, int], ...]
    """Decisions and mistakes of seats 0 to 3."""

    @classmethod
    def of(cls, hand: HandStory, following: Sequence[HandStory]) -> JudgedHand:
        """Judge a hand, which takes a tenth of a second; what follows tells who let a tile pass."""
        events = (*hand.happened, *(event for other in following for event in other.happened[:1]))
        game = [GameStory((), (HandStory(events),))]
        made = [decisions(game, seat) for seat in range(4)]
        counts = ((len(own), len(mistakes_among(own, seat))) for seat, own in enumerate(made))
        return cls(hand, tuple(counts))

    def is_of(self, hand: HandStory) -> bool:
        """Whether it is this hand, as it was; one that breaks off goes on with what follows."""
        own, other = _in_play(self.hand), _in_play(hand)
        whole = len(own) == len(other) and not isinstance(own[-1].entry.event, Discard)
        return whole and all(one.state is two.state for one, two in zip(own, other, strict=True))


def _in_play(hand: HandStory) -> Sequence[StoryEvent]:
    """Its events but the end of the game, with which nobody decides anything."""
    ends = len(hand.happened) > 1 and isinstance(hand.happened[-1].entry.event, GameEnd)
    return hand.happened[:-1] if ends else hand.happened


class Results(Store):
    """Derives the games of tables from their lines."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._judged: dict[int, list[JudgedHand]] = {}
        """Of the newest game of each record on show."""
        self._looked: dict[int, Game] = {}

    def with_news(self) -> list[int]:
        """Records with lines that the results do not include yet."""
        asked = select(RECORDS.c.id).where(RECORDS.c.told_lines < RECORDS.c.lines)
        return [row.id for row in self._rows(asked.order_by(RECORDS.c.id))]

    def update(self, record_id: int, game: Game | None = None) -> None:
        """Derive the results from the lines with all their corrections.

        ``game``: their replay, where it is at hand, and nothing but lines has come since the last
        time. Then only the games that new lines can have changed are looked at.
        """
        if game is None:
            entries = Records(self._engine).entries(record_id)
            games, lines = tell(entries), len(entries)
        else:
            games, lines = tell_game(game), len(game.entries)
        with self._engine.begin() as connection:
            own = select(RECORDS.c.told_lines).where(RECORDS.c.id == record_id).with_for_update()
            told_lines = connection.execute(own).scalar_one()
            if told_lines > lines:
                return  # somebody has included more lines meanwhile
            same = 0 if game is None else _unchanged(games, game, told_lines)
            _replace(connection, record_id, games, same)
            told = update(RECORDS).where(RECORDS.c.id == record_id)
            connection.execute(told.values(told_lines=lines))

    def unjudged(self) -> list[int]:
        """Numbers of the games whose decisions nobody has judged yet, the latest first."""
        asked = select(RESULTS.c.game_id).where(RESULTS.c.decisions.is_(None)).distinct()
        asked = asked.join(GAMES, GAMES.c.id == RESULTS.c.game_id)
        asked = asked.where(GAMES.c.record_id.is_not(None))
        return [row.game_id for row in self._rows(asked.order_by(RESULTS.c.game_id.desc()))]

    def judge_hands(self, shown: Mapping[int, Game]) -> None:
        """Judge hands as they end, so that the end of a game leaves only its last one to judge.

        ``shown``: the replays of the records on show, by number. One that cannot be judged holds up
        no other table: ``judge`` tells why once its game is over.
        """
        self._judged = {record: self._judged.get(record, []) for record in shown}
        for record, game in shown.items():
            # A settled hand goes on with reveals and its end: each would make another one of it.
            ended = game.state.hand_over and game.state.phase is not Phase.SETTLED
            if ended and self._looked.get(record) is not game:
                with contextlib.suppress(Exception):
                    self._judged[record] = self._judged_hands(record, tell_game(game)[-1])
        self._looked = dict(shown)

    def _judged_hands(self, record: int, game: GameStory) -> list[JudgedHand]:
        """Every hand of a game; those that were judged before are not judged again."""
        before = self._judged.get(record, [])
        judged: list[JudgedHand] = []
        for at, hand in enumerate(game.hands):
            known = next((one for one in before if one.is_of(hand)), None)
            judged.append(known or JudgedHand.of(hand, game.hands[at + 1 : at + 2]))
        return judged

    def judge(
        self, game_id: int, shown: Callable[[int], Game | None] = lambda record_id: None
    ) -> None:
        """Judge the decisions of a game's known hands, which takes seconds.

        ``shown``: the replay of a record, where it is at hand.
        """
        asked = select(GAMES.c.number, RECORDS.c.id, RECORDS.c.told_lines)
        asked = asked.join(RECORDS, RECORDS.c.id == GAMES.c.record_id)
        rows = self._rows(asked.where(GAMES.c.id == game_id))
        if not rows:
            return  # the results were derived anew meanwhile
        (row,) = rows
        replay = shown(row.id)
        if replay is None or len(replay.entries) < row.told_lines:
            replay = replayed(Records(self._engine).entries(row.id))
        stories = tell_game(replay.first_lines(row.told_lines))
        game = stories[row.number : row.number + 1]
        hands = [] if not game else self._judged_hands(row.id, game[0])
        counts = [
            [sum(hand.counts[seat][which] for hand in hands) for which in (0, 1)]
            for seat in range(4)
        ]
        told = select(RECORDS.c.told_lines).join(GAMES, GAMES.c.record_id == RECORDS.c.id)
        own_record = told.where(GAMES.c.id == game_id).with_for_update(of=RECORDS)
        with self._engine.begin() as connection:
            if connection.execute(own_record).scalar() != row.told_lines:
                return
            for seat, (decided, mistaken) in enumerate(counts):
                own = update(RESULTS).where(RESULTS.c.game_id == game_id, RESULTS.c.seat == seat)
                connection.execute(own.values(decisions=decided, mistakes=mistaken))


def _unchanged(games: Sequence[GameStory], game: Game, told_lines: int) -> int:
    """How many of the first games the lines from ``told_lines`` on cannot have changed."""
    corrections = (line.event for line in game.entries[told_lines:])
    changed = [game.first_changed(event) for event in corrections if isinstance(event, Correct)]
    if not changed:
        return sum(story.happened[-1].number < told_lines for story in games)
    # A game goes up to the start of the next one, whatever was taken away at its end.
    begun = sum(story.happened[0].number < min(changed) for story in games)
    return max(0, begun - 1)


def _replace(connection: Connection, record_id: int, games: Sequence[GameStory], same: int) -> None:
    """Put these games in the place of those that are stored, but for the first ``same``."""
    drop_games(connection, and_(GAMES.c.record_id == record_id, GAMES.c.number >= same))
    played = [(at, played_game(game)) for at, game in enumerate(games) if at >= same]
    over = [(at, game) for at, game in played if game.is_over]
    asked = select(LINES.c.number, LINES.c.came_s).where(
        LINES.c.record_id == record_id, LINES.c.number.in_([game.last_line for _, game in over])
    )
    came_s = {row.number: row.came_s for row in connection.execute(asked)}
    for at, game in over:
        names = [one_line(seat.name) for seat in game.seats]
        # Nobody is added here: whoever was forgotten since the lines came stays so.
        numbers = known_numbers(connection, names)
        people = [numbers.get(name) for name in names]
        source = {"record_id": record_id, "number": at}
        keep_game(connection, source, game, came_s[game.last_line], people)


def drop_games(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete games with their hands and seats."""
    own = select(GAMES.c.id).where(which)
    for table in (SEATS, HANDS, RESULTS):
        connection.execute(delete(table).where(table.c.game_id.in_(own)))
    connection.execute(delete(GAMES).where(which))


def keep_game(
    connection: Connection,
    source: Mapping[str, int],
    game: PlayedGame,
    ended_s: float | None,
    people: Sequence[int | None],
    doubts: Sequence[tuple[int, int]] = (),
) -> None:
    """Store a game with its hands and seats.

    ``source``: which record or reading it is of, and which of its games. ``people``: numbers of
    the names of seats 0 to 3. ``doubts``: questions and gaps of each hand; none for a table's.
    """
    row = {**source, "rules": game.rules, "ended_s": ended_s if game.is_over else None}
    (game_id,) = connection.execute(insert(GAMES).values(row)).inserted_primary_key or (0,)
    of_game = {"game_id": game_id}
    results = [
        {**of_game, "seat": seat.seat, "name_id": name, "place": seat.place, "points": seat.points}
        | asdict(seat.counts)
        for seat, name in zip(game.seats, people, strict=True)
    ]
    hands = [
        {**of_game, "number": at, "hand": hand.number, "questions": questions, "gaps": gaps}
        | {name: getattr(hand, name) for name in _OF_HAND}
        for at, (hand, (questions, gaps)) in enumerate(
            zip(game.hands, doubts or [(0, 0)] * len(game.hands), strict=True)
        )
    ]
    seats = [
        {
            **of_game,
            "number": at,
            "seat": seat.seat,
            "points": seat.points,
            "won": seat.won,
            "patterns": f" {' '.join(seat.patterns)} " if seat.patterns else "",
        }
        for at, hand in enumerate(game.hands)
        for seat in hand.seats
    ]
    for table, rows in ((RESULTS, results), (HANDS, hands), (SEATS, seats)):
        if rows:
            connection.execute(insert(table), rows)


_OF_HAND: Final = ("round", "dealer", "begun_s", "ended_s", "outcome", "reason", "problems")


def name_film(connection: Connection, film_id: int) -> None:
    """Name the seats of a film's games as the film does."""
    games = select(GAMES.c.id).join(READINGS, READINGS.c.id == GAMES.c.reading_id)
    named = select(FILM_PLAYERS.c.name_id).where(
        FILM_PLAYERS.c.film_id == film_id, FILM_PLAYERS.c.seat == RESULTS.c.seat
    )
    own = update(RESULTS).where(RESULTS.c.game_id.in_(games.where(READINGS.c.film_id == film_id)))
    connection.execute(own.values(name_id=named.scalar_subquery()))


def latest_done() -> Select[Any]:
    """The number of each film's last finished reading, whatever its settings were."""
    done = select(func.max(READINGS.c.id)).where(READINGS.c.state == "done")
    return done.group_by(READINGS.c.film_id)


def take_film(connection: Connection, film_id: int) -> None:
    """Let a film that counts nowhere count in the newest league that takes films by its rules."""
    league = select(LEAGUES.c.id).where(takes_film()).order_by(LEAGUES.c.id.desc()).limit(1)
    own = update(FILMS).where(FILMS.c.id == film_id, counts_nowhere())
    connection.execute(own.values(league_id=league.correlate(FILMS).scalar_subquery()))


def takes_film() -> ColumnElement[bool]:
    """Whether a league takes a film: it takes films, and the film was last read by its rules."""
    rules = select(GAMES.c.rules).join(READINGS, READINGS.c.id == GAMES.c.reading_id)
    read = rules.where(READINGS.c.film_id == FILMS.c.id, READINGS.c.id.in_(latest_done()))
    return and_(LEAGUES.c.films, LEAGUES.c.rules.in_(read.correlate(FILMS)))


def counts_nowhere() -> ColumnElement[bool]:
    """Whether a film is in no league that takes it."""
    own = select(LEAGUES.c.id).where(LEAGUES.c.id == FILMS.c.league_id, takes_film())
    return ~own.correlate(FILMS).exists()


def counted_games(*columns: ColumnElement[Any]) -> Select[Any]:
    """Rows of the seats of all finished games that count, in no order.

    A table's games do; those of a film do where its league takes it, as it was read last.
    """
    of_film = and_(
        LEAGUES.c.films, LEAGUES.c.rules == GAMES.c.rules, GAMES.c.reading_id.in_(latest_done())
    )
    return (
        select(*columns, RESULTS)
        .select_from(GAMES)
        .join(RESULTS, RESULTS.c.game_id == GAMES.c.id)
        .outerjoin(RECORDS, RECORDS.c.id == GAMES.c.record_id)
        .outerjoin(TABLES, TABLES.c.id == RECORDS.c.table_id)
        .outerjoin(READINGS, READINGS.c.id == GAMES.c.reading_id)
        .outerjoin(FILMS, FILMS.c.id == READINGS.c.film_id)
        .outerjoin(LEAGUES, LEAGUES.c.id == FILMS.c.league_id)
        .where(GAMES.c.ended_s.is_not(None), or_(GAMES.c.record_id.is_not(None), of_film))
    )


SHOWN: Final = NAMES.alias("shown")
"""The names by which people are shown."""


def with_people(asked: Select[Any], name_id: ColumnElement[int]) -> Select[Any]:
    """Add who has a name, by any of their names: ``NAMES.player_id``, and ``SHOWN.name``.

    Rows without a name stay, with None in both.
    """
    shown = and_(SHOWN.c.player_id == NAMES.c.player_id, SHOWN.c.is_shown)
    return asked.outerjoin(NAMES, NAMES.c.id == name_id).outerjoin(SHOWN, shown)


PLAYED_AT: Final = func.coalesce(TABLES.c.title, FILMS.c.name)
"""The title of a table, or the name of a film."""
