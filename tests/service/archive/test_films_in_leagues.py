"""A film's games count in a league, and in people's figures, if the club says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import update

from engine.game import replay
from engine.results import played_games
from engine.stories import tell_game
from service.archive.films import FilmFile, ReadingSettings
from service.archive.hands_table import FoundHands, HandSearch
from service.archive.leases import QUARANTINED, found_in
from service.archive.ledger import Ledger
from service.hall.database import open_database
from service.hall.database_schema import READINGS
from service.hall.hall import Hall
from service.hall.league import LeagueRow
from tests.support.golden import golden

RULES = "hangzhou"
FOUR = ("Anna", "Bo", "", "Dana")
(GAME,) = played_games(tell_game(replay(golden(RULES))))


@pytest.fixture
def hall(database: str) -> Iterator[Hall]:
    engine = open_database(database)
    yield Hall(engine)
    engine.dispose()


def finish(hall: Hall, name: str, rules: str = RULES, again: bool = False) -> int:
    """Read a film, or read it anew with the same settings."""
    ledger = Ledger(hall.records._engine)
    if not again:
        film = FilmFile(f"/films/{name}", name, name.ljust(64, "0"), 1)
        assert ledger.add(film, ReadingSettings(rules, "/results"), FOUR)
    lease = ledger.claim("here", 60)
    assert lease is not None
    ledger.finish(lease, found_in(golden(rules), [], {}, 60.0), "")
    return lease.reading_id


def films_in(hall: Hall, league: LeagueRow) -> list[str]:
    return sorted(game.table for game in hall.leagues.games(league))


def with_games(hall: Hall) -> list[str]:
    return [person.name for person in hall.people.listed() if person.games]


def test_a_film_counts_only_where_the_club_says_so(hall: Hall) -> None:
    league = hall.leagues.add("Club", "2026", RULES)
    other = hall.leagues.add("Club", "riichi", "riichi", films=True)
    finish(hall, "a.mp4")
    assert (league.films, hall.leagues.standings(league), with_games(hall)) == (False, [], [])
    hall.leagues.take_films(league.id, True)
    assert hall.leagues.find(league.id).films
    assert films_in(hall, other) == [], "it is played by other rules"
    (game,) = hall.leagues.games(league)
    assert (game.table, game.table_name) == ("a.mp4", None)
    assert {(one.name, one.place, one.points) for one in game.players} == {
        (name or None, seat.place, seat.points) for seat, name in zip(GAME.seats, FOUR, strict=True)
    }
    people = {one.name: one for one in hall.people.listed()}
    assert set(people) == {"Anna", "Bo", "Dana"}
    assert people["Bo"].wins == GAME.seats[1].counts.wins
    assert {row["name"] for row in hall.leagues.standings(league)} == set(people)
    hall.leagues.take_films(league.id, False)
    assert (films_in(hall, league), with_games(hall)) == ([], [])


def test_a_film_counts_in_one_season_and_once_however_often_it_is_read(hall: Hall) -> None:
    first = hall.leagues.add("Club", "2026", RULES, films=True)
    number = finish(hall, "a.mp4")
    second = hall.leagues.add("Club", "2027", RULES, films=True)
    finish(hall, "b.mp4")
    assert (films_in(hall, first), films_in(hall, second)) == (["a.mp4"], ["b.mp4"])
    hall.leagues.take_films(first.id, False)
    hall.leagues.take_films(second.id, True)
    assert films_in(hall, second) == ["a.mp4", "b.mp4"], "the first takes no films any more"
    hall.leagues.take_films(first.id, True)
    assert films_in(hall, first) == [], "a film counts in one season"
    Ledger(hall.records._engine).reread([number])
    finish(hall, "a.mp4", again=True)
    assert (films_in(hall, first), films_in(hall, second)) == ([], ["a.mp4", "b.mp4"])


def test_a_film_is_named_later_and_a_person_forgotten(hall: Hall) -> None:
    league = hall.leagues.add("Club", "2026", RULES, films=True)
    number = finish(hall, "a.mp4")
    ledger = Ledger(hall.records._engine)
    ledger.name_players(number, ("Anna", "Bo", "Chen", ""))
    assert {row["name"] for row in hall.leagues.standings(league)} == {"Anna", "Bo", "Chen"}
    (bo,) = (one for one in hall.people.listed() if one.name == "Bo")
    assert [game.record for game in hall.people.find(bo.id).games] == ["a.mp4"]
    hall.player_names.forget(bo.id)
    assert {row["name"] for row in hall.leagues.standings(league)} == {"Anna", "Chen"}
    assert ledger.readings()[0].players == ("Anna", "", "Chen", "")


def test_a_film_counts_by_the_rules_that_it_was_read_by_last(hall: Hall) -> None:
    league = hall.leagues.add("Club", "2026", RULES, films=True)
    other = hall.leagues.add("Club", "riichi", "riichi", films=True)
    finish(hall, "a.mp4")
    assert (films_in(hall, league), films_in(hall, other)) == (["a.mp4"], [])
    finish(hall, "a.mp4", "riichi")
    assert (films_in(hall, league), films_in(hall, other)) == ([], ["a.mp4"])
    assert {game.rules for game in hall.people.find(1).games} == {"riichi"}
    hall.leagues.take_films(league.id, True)
    assert (films_in(hall, league), films_in(hall, other)) == ([], ["a.mp4"])
    hall.leagues.take_films(other.id, False)
    finish(hall, "b.mp4")
    finish(hall, "b.mp4", "riichi")
    hall.leagues.take_films(other.id, True)
    assert films_in(hall, other) == ["a.mp4", "b.mp4"]


def test_an_archive_counts_a_film_once_as_it_was_read_last(hall: Hall) -> None:
    league = hall.leagues.add("Club", "2026", RULES, films=True)
    finish(hall, "a.mp4", "riichi")
    finish(hall, "a.mp4")
    found = FoundHands(hall.records._engine)
    hands = len(GAME.hands)
    assert {row.rules for row in found.search(HandSearch())} == {RULES}
    assert len(found.search(HandSearch())) == hands
    assert {(row.player, row.hands) for row in found.players()} == {
        (name, hands) for name in FOUR if name
    }
    assert Ledger(hall.records._engine).counts().hands == hands
    assert films_in(hall, league) == ["a.mp4"]


def test_a_film_is_not_read_again_for_another_place_of_its_results(hall: Hall) -> None:
    number = finish(hall, "a.mp4")
    ledger = Ledger(hall.records._engine)
    film = FilmFile("/films/a.mp4", "a.mp4", "a.mp4".ljust(64, "0"), 1)
    elsewhere = ReadingSettings(RULES, "/elsewhere")
    assert not ledger.add(film, elsewhere)
    with ledger.engine.begin() as connection:
        connection.execute(update(READINGS).values(state=QUARANTINED))
    assert not ledger.add(film, elsewhere)
    assert ledger.retry() == 1
    lease = ledger.claim("here", 60)
    assert lease is not None
    assert (lease.reading_id, lease.settings) == (number, elsewhere), "the first place may be bad"


def test_the_archive_finds_and_counts_a_person_by_any_of_their_names(hall: Hall) -> None:
    finish(hall, "a.mp4")
    ledger, found = Ledger(hall.records._engine), FoundHands(hall.records._engine)
    ledger.name_players(finish(hall, "b.mp4"), ("Anna B.", "", "", ""))
    people = {one.name: one.id for one in hall.people.listed()}
    hall.player_names.join(people["Anna"], people["Anna B."])
    hands = 2 * len(GAME.hands)
    assert next((one.player, one.hands) for one in found.players()) == ("Anna", hands)
    for name in ("Anna", "Anna B."):
        rows = found.search(HandSearch(player=name))
        assert (len(rows), {row.player_0 for row in rows}) == (hands, {"Anna"})
    assert "Anna B." not in {one.player for one in found.players()}
