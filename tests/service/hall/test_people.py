"""The people of a hall: their figures, their ratings, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from engine.codec import read_record
from service.hall.people import NEW_RATING, ratings
from service.machine.records import tell
from service.report.sheet import BYTE_ORDER_MARK
from tests.support.axe import faults
from tests.support.browsing import PHONE, choose_language, opened
from tests.support.halls import LINES, HallServed, hall_at, on_sqlite
from tests.support.paths import GAMES
from tests.support.patience import until
from tests.support.screens import in_every_language, looked_at

GAME = tell(read_record((GAMES / "riichi-tenhou.jsonl").read_text("utf-8")))[0]


@pytest.fixture
def hall(database: str) -> Iterator[HallServed]:
    with hall_at(database) as hall:
        yield hall


def named(*players: str) -> list[dict[str, Any]]:
    return [LINES[0] | {"players": list(players)}, *LINES[1:]]


def played(hall: HallServed, *tables: tuple[str, ...]) -> None:
    """Post one game for each four names."""
    hall.add("north")
    for number, players in enumerate(tables):
        assert hall.post("north", named(*players), record=f"{number}.jsonl").status == 200


def people(hall: HallServed) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in hall.told("GET", "players")["people"]}


def test_a_rating_rises_with_a_win_and_more_against_the_strong() -> None:
    first, second = ratings([{1: 1, 2: 2, 3: 3, 4: 4}, {1: 4, 5: 1, 3: 2, 4: 3}])
    assert first[1] > first[2] > first[3] > first[4]
    (level,) = ratings([{5: 1, 6: 2, 7: 3, 8: 4}])
    assert second[5] > level[5] > NEW_RATING, "whoever beats a winner gains more"
    assert second[1] < first[1]
    (tied,) = ratings([{1: 1, 2: 1, 3: 3, 4: 4}])
    assert tied[1] == pytest.approx(tied[2])
    assert list(ratings([{1: 1}])) == [{1: pytest.approx(NEW_RATING)}]


def test_people_are_told_with_their_figures_over_several_evenings(hall: HallServed) -> None:
    played(hall, ("Aki", "Ben", "Chiyo", "Dan"), ("Elena", "Ben", "", "Aki"))
    until(lambda: not hall.hall.results.unjudged())
    found = people(hall)
    assert next(iter(found)) == "Ben"
    ben = found["Ben"]
    assert (ben["games"], ben["points"], ben["places"]) == (2, 18_000, [2, 0, 0, 0])
    assert ben["hands"] == 2 * len(GAME.hands)
    assert 0 < ben["mistakes"] < ben["decisions"]
    assert ben["average_won"] == ben["won_points"] / ben["wins"]
    told = hall.told("GET", f"players/{ben['id']}")
    assert told["person"] == ben
    assert [one["record"] for one in told["games"]] == ["1.jsonl", "0.jsonl"]
    assert told["games"][0]["rating"] > told["games"][1]["rating"] > NEW_RATING
    assert hall.told("GET", "players")["rules"] == ["riichi-tenhou"]
    assert hall.told("GET", "players?rules=hangzhou")["people"] == []
    written = hall.ask("GET", "players/csv").text
    assert written.startswith(BYTE_ORDER_MARK)
    csv = written.removeprefix(BYTE_ORDER_MARK).splitlines()
    assert len(csv) == 6
    assert csv[0].startswith('"name","rank","rating"')


@on_sqlite
def test_names_are_joined_and_parted_again(hall: HallServed) -> None:
    played(hall, ("Aki", "Ben", "Chiyo", "Dan"), ("Aki", "Benn", "Chiyo", "Dan"))
    number, other = people(hall)["Ben"]["id"], people(hall)["Benn"]["id"]
    hall.told("POST", f"players/{number}/join", {"other": other})
    assert people(hall)["Ben"]["games"] == 2
    assert hall.told("GET", f"players/{number}")["names"] == ["Ben", "Benn"]
    assert hall.ask("GET", f"players/{other}").status == 404
    hall.told("PUT", f"players/{number}", {"name": "Benjamin"})
    assert hall.post("north", named("", "Ben", "", ""), record="2.jsonl").status == 200
    assert people(hall)["Benjamin"]["games"] == 3, "every name stays the same person's"
    hall.told("POST", f"players/{number}/part", {"name": "Benn"})
    found = people(hall)
    assert (found["Benjamin"]["games"], found["Benn"]["games"]) == (2, 1)
    for method, path, body, status in [
        ("PUT", f"players/{number}", {"name": "Aki"}, 409),
        ("PUT", "players/999", {"name": "Aki"}, 404),
        ("POST", f"players/{number}/join", {"other": number}, 422),
        ("POST", f"players/{number}/join", {"other": 999}, 404),
        ("POST", f"players/{number}/part", {"name": "Aki"}, 404),
        ("POST", f"players/{found['Benn']['id']}/part", {"name": "Benn"}, 422),
        ("DELETE", "players/999", {}, 404),
    ]:
        answer = hall.ask(method, path, body)
        assert (answer.status, "\n" in answer.text) == (status, False), (method, path, answer.text)
    assert people(hall) == found


def test_a_person_is_looked_at_renamed_and_forgotten(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        played(hall, ("Aki", "<b>Ben</b>", "Chiyo", "Dan"), ("Aki", "Benn", "Chiyo", "Dan"))
        page = opened(browser, hall.server.url, PHONE, complaints)
        page.get_by_role("link", name="Players").click()
        expect(page.locator("#everybody li")).to_have_count(5)
        looked_at(page, "people")
        assert faults(page, ("light",)) == []
        page.get_by_role("link", name="<b>Ben</b>").click()
        expect(page.locator("#title")).to_have_text("<b>Ben</b>")
        expect(page.locator("#rating polyline")).to_have_count(0)  # one game is no line
        expect(page.locator("#figures > div")).to_have_count(4)
        page.get_by_text("Names of this person").click()
        page.get_by_label("Is the same person as").select_option("Benn")
        page.get_by_role("button", name="Join the two").click()
        expect(page.locator("#names")).to_have_text("Has played as: <b>Ben</b>, Benn")
        expect(page.locator("#games tr")).to_have_count(2)
        expect(page.locator("#rating polyline")).to_have_count(1)
        in_every_language(page, "person")
        page.get_by_label("Shown as").fill("Aki")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#wrong")).to_contain_text("somebody else is called Aki")
        # What is read meanwhile does not take the refusal away.
        page.evaluate("import('/static/shared/enter.js').then(({ toldBy }) => toldBy('players'))")
        expect(page.locator("#wrong")).to_contain_text("somebody else is called Aki")
        looked_at(page, "refused")
        for lang, said in (("zh", "已经有别人叫Aki"), ("ja", "Akiという人がほかにいます")):
            choose_language(page, lang)
            page.locator("#rename input").fill("Aki")
            page.locator("#rename button").click()
            expect(page.locator("#wrong")).to_contain_text(said)
            looked_at(page, f"refused-{lang}", lang)
        choose_language(page, "en")
        assert faults(page, ("light",)) == []
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Forget this person").click()
        expect(page.locator("#everybody li")).to_have_count(3)
        assert [text for text in complaints if "409" not in text] == []
        page.close()
