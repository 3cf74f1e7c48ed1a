"""Results of a record that grows: what new lines cannot have changed is not derived anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from engine import game
from engine.drill import decisions, mistakes_among
from engine.events import Correct
from engine.game import Game, replay
from engine.stories import HandStory, tell_game
from service.hall.database import open_database
from service.hall.database_schema import GAMES, RESULTS
from service.hall.hall import Hall
from service.hall.results import JudgedHand, Results
from tests.support.golden import WITH_GAME, golden
from tests.support.halls import LINES, HallServed, hall_at

NAMES = ("Aki", "Ben", "Chiyo", "Dan")
END = len(LINES) - 1
UNDONE = {"type": "correct", "of": END, "events": []}


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HallServed]:
    monkeypatch.setattr(Results, "unjudged", lambda self: [])  # they come later, and in any order
    with hall_at(str(tmp_path / "hall.sqlite3")) as served:
        served.add("north")
        yield served


def renamed(line: int, *names: str) -> dict[str, Any]:
    return {"type": "correct", "of": line, "events": [LINES[0] | {"players": list(names)}]}


def stored(hall: HallServed) -> list[tuple[Any, ...]]:
    """Each seat of each game, without the numbers that the database gives."""
    asked = select(GAMES.c.number, GAMES.c.ended_s, RESULTS).join(
        RESULTS, RESULTS.c.game_id == GAMES.c.id
    )
    rows = hall.hall.results._rows(asked.order_by(GAMES.c.number, RESULTS.c.seat))
    return [
        tuple(value for name, value in row._mapping.items() if name != "game_id") for row in rows
    ]


def numbers(hall: HallServed) -> list[int]:
    return [row.id for row in hall.hall.results._rows(select(GAMES.c.id).order_by(GAMES.c.number))]


def test_a_post_that_ends_a_game_plays_its_own_lines_alone(
    hall: HallServed, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []
    play = game.Game._play

    def noted(self: Any, event: Any, *rest: Any) -> Any:
        played.append(event.number)
        return play(self, event, *rest)

    hall.post("north", LINES)
    hall.post("north", LINES[:-1], len(LINES))
    monkeypatch.setattr(game.Game, "_play", noted)
    known = numbers(hall)
    assert hall.post("north", LINES[-1:], 2 * len(LINES) - 1).status == 200
    assert played == [2 * len(LINES) - 1]
    assert numbers(hall)[:1] == known, "the first game is left as it is"
    assert len(stored(hall)) == 8


def test_results_of_a_growing_record_are_those_of_the_whole(hall: HallServed) -> None:
    told = 0
    for lines in (
        LINES,
        LINES,
        [renamed(len(LINES), "Eve", *NAMES[1:])],
        [UNDONE],  # the first game goes on into the second one's start
        LINES,
        [renamed(0, "Aki", "Ben", "Flo", "Dan"), {"type": "correct", "of": 3, "events": []}],
        [{"type": "correct", "of": 2 * len(LINES) + 1, "events": []}],
        [{"type": "game_end"}],
    ):
        assert hall.post("north", lines, told).status == 200
        told += len(lines)
        grown = stored(hall)
        hall.hall.results.update(1)
        assert stored(hall) == grown


@pytest.mark.parametrize("name", WITH_GAME)
def test_hands_that_are_judged_as_they_end_add_up_to_their_game(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []
    judge = JudgedHand.of.__func__  # type: ignore[attr-defined]

    def noted(cls: type[JudgedHand], hand: HandStory, following: Any) -> JudgedHand:
        judged.append(hand.happened[0].number)
        found: JudgedHand = judge(cls, hand, following)
        return found

    monkeypatch.setattr(JudgedHand, "of", classmethod(noted))
    engine = open_database(str(tmp_path / "hall.sqlite3"))
    hall, lines = Hall(engine), golden(name)
    table = hall.records.add_table("north", "North").id
    record = hall.records.take(table, "a", 0, lines).record_id
    played = Game()
    for line in lines:
        played = played.with_lines(line)
        hall.results.judge_hands({record: played})
    hall.results.update(record, played)
    games = tell_game(played)
    hands, changed = (
        sum(len(game.hands) for game in games),
        sum(isinstance(line.event, Correct) for line in lines),
    )
    assert len(judged) <= hands + changed, "no hand is judged again with each of its last lines"
    made = [[decisions([game], seat) for seat in range(4)] for game in games]
    expected = [
        [(len(own), len(mistakes_among(own, seat))) for seat, own in enumerate(of_game)]
        for of_game in made
    ]
    with engine.begin() as connection:
        numbers = connection.execute(select(GAMES.c.id).order_by(GAMES.c.number)).scalars().all()
    judged.clear()
    for number in reversed(numbers):
        hall.results.judge(number, {record: played}.get)
    earlier = sum(len(game.hands) for game in games[:-1])
    assert len(judged) - earlier <= 1, "of the last game at most the last hand is left"
    asked = select(RESULTS.c.decisions, RESULTS.c.mistakes).join(GAMES)
    with engine.begin() as connection:
        rows = connection.execute(asked.order_by(GAMES.c.number, RESULTS.c.seat)).all()
    assert [tuple(row) for row in rows] == [counts for game in expected for counts in game]
    engine.dispose()


def test_a_hand_that_cannot_be_judged_holds_up_no_other_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = JudgedHand.of.__func__  # type: ignore[attr-defined]
    north, south = (replay(golden("riichi-tenhou")) for _ in "NS")

    def failing(cls: type[JudgedHand], hand: HandStory, following: Any) -> JudgedHand:
        if any(hand.happened[0].state is event.state for event in north.played):
            raise RuntimeError("no hand of the north can be judged")
        found: JudgedHand = judge(cls, hand, following)
        return found

    monkeypatch.setattr(JudgedHand, "of", classmethod(failing))
    engine = open_database(str(tmp_path / "hall.sqlite3"))
    hall = Hall(engine)
    shown: dict[int, Game] = {}
    failed: list[int] = []
    for name, played in (("north", north), ("south", south)):
        table = hall.records.add_table(name, name).id
        record = hall.records.take(table, "a", 0, played.entries).record_id
        shown[record] = played
        hall.results.update(record, played)
    ended = {record: game.first_lines(len(game.entries) - 1) for record, game in shown.items()}
    assert all(game.state.hand_over for game in ended.values())
    hall.results.judge_hands(ended)
    for number in hall.results.unjudged():
        try:
            hall.results.judge(number, shown.get)
        except RuntimeError:
            failed.append(number)
    assert failed == hall.results.unjudged(), "its own game says what is wrong, and no other one"
    assert len(failed) == 1
    engine.dispose()


def test_a_name_that_went_from_the_lines_does_not_come_back(hall: HallServed) -> None:
    hall.post("north", LINES)
    before = hall.hall.find("north").game
    people = {one["name"]: one["id"] for one in hall.told("GET", "players")["people"]}
    hall.hall.player_names.forget(people["Ben"])
    hall.hall.results.update(1, before)  # with the name that it still holds
    left = {one["name"] for one in hall.told("GET", "players")["people"]}
    assert left == set(NAMES) - {"Ben"}
