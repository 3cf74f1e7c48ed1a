"""The reader's questions are answered with one tap, and the record says what was answered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, FloatRect, expect

from engine.codec import read_record
from engine.events import Correct, Dice, Discard, Draw, Entry, Event, Indicator, Pung, Win
from engine.game import Game, replay
from engine.tiles import Tile
from engine.updates import pinned
from service.app import create_app
from service.machine.jpeg import decoded
from service.pages.settings import PageSettings
from service.table.dispute import Dispute
from service.table.live_table import LiveTable, TableSettings
from service.table.options import Options
from service.table.pictures import OF_FILM, Pictures
from service.table.questions import BESIDE, UPRIGHT_PX, answer_lines, questions_json
from service.table.record_file import RecordFile
from tests.support.browsing import PHONE, choose_language, menu, opened
from tests.support.discard_film import Looker, SeeingTold, filmed
from tests.support.harbin_game import ENTRIES
from tests.support.modules import name_exports
from tests.support.patience import until
from tests.support.riichi_sample import ENTRIES as RIICHI
from tests.support.screens import in_every_language, looked_at
from tests.support.served import Served, serving
from tests.support.told_reader import AskingTold, bare
from vision.decoder.question import AnswerChoice, EventPlace, Question, QuestionTile, as_read
from vision.table.view import TableView

VIEW = TableView(
    ((100.0, 20.0), (540.0, 20.0), (540.0, 340.0), (100.0, 340.0)), (800, 800), (640, 360)
)
NINE, EIGHT = Discard(0, Tile("9m")), Discard(0, Tile("8m"))
LAST = Discard(1, Tile("6m"))
DICE = Dice((1, 2))
PUNG = Pung(2, 0, Tile("9m"), (Tile("9m"), Tile("9m")))


ASKED = QuestionTile(((0.4, 0.4), (0.45, 0.4), (0.45, 0.52), (0.4, 0.52)), True, 0.0)
"""A tile that a question is about."""


def question(what: str, time_s: float, *choices: Sequence[Event]) -> Question:
    shares = (0.6, 0.3, 0.1)
    told = tuple(
        AnswerChoice(tuple(each), share) for each, share in zip(choices, shares, strict=False)
    )
    return Question(EventPlace(what, time_s, round(100 * time_s), 20), told, 3, (ASKED,))


@pytest.fixture
def reader() -> AskingTold:
    return AskingTold(
        ENTRIES,
        [
            question("laid", 0.2, [NINE], [EIGHT], []),
            question("laid", 1.1, [LAST], [Discard(1, Tile("5m"))]),
            question(
                "turned", 0.5, [Indicator(Tile("1m"), "dora")], [Indicator(Tile("2m"), "dora")]
            ),
        ],
        VIEW,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


@pytest.fixture
def server(reader: AskingTold, path: Path) -> Iterator[Served]:
    record = RecordFile(path)
    pictures = Pictures.kept_in(path.with_name("pictures"))
    table = LiveTable(reader, filmed(), record, TableSettings("harbin-hlr", "x", pictures=pictures))
    with serving(create_app(table, PageSettings(dispute=Dispute(pictures, Looker)))) as server:
        server.wait_for_end()
        yield server
    record.close()


def open_questions(server: Served) -> list[str]:
    return [one["id"] for one in server.json("/api/questions")["questions"]]


def test_an_answer_corrects_the_record_and_is_told_to_the_reader(
    server: Served, reader: AskingTold, path: Path
) -> None:
    # What only ready players may look at is not asked in public.
    first, second = server.json("/api/questions")["questions"]
    assert [one["id"].split("@")[0] for one in (first, second)] == ["laid", "laid"]
    assert [choice["share"] for choice in first["choices"]] == [0.6, 0.3, 0.1]
    assert first["choices"][2]["nothing"]
    (same, _) = server.json("/api/questions?lang=zh")["questions"]
    assert same["choices"][0]["told"] != first["choices"][0]["told"]
    assert (same["id"], same["asks"] != first["asks"]) == (first["id"], True)
    answer = server.post("/api/answers", {"id": second["id"], "choice": 1})
    assert answer.status == 200
    (last,) = bare(read_record(path.read_text())[-1:])
    assert last == Entry(
        Correct(12, (Entry(Discard(1, Tile("5m")), t=1.1, source="person"),)),
        t=1.1,
        source="person",
    )
    assert [one.event for one in reader.pins.own] == [Discard(1, Tile("5m"))]
    assert open_questions(server) == [first["id"]]
    # It can be taken back as any other mend, and is asked again.
    lines = server.json("/api/events")["lines"]
    assert server.post("/api/undo", {"lines": lines}).status == 200
    assert open_questions(server) == [first["id"], second["id"]]


def test_what_was_recorded_right_is_written_too_and_what_was_nothing_is_removed(
    server: Served, reader: AskingTold, path: Path
) -> None:
    """The likeliest reading is a person's word from then on, also for another program."""
    first, second = open_questions(server)
    assert server.post("/api/answers", {"id": second, "choice": 0}).status == 200
    lines = read_record(path.read_text())
    (last,) = bare(lines[-1:])
    said = Entry(LAST, t=1.1, source="person")
    assert last == Entry(Correct(12, (said,)), t=1.1, source="person")
    assert [one.event for one in reader.pins.own] == [LAST]
    assert [one.event for one in pinned(lines).in_force if one.source == "person"] == [LAST]
    assert server.json("/api/events")["events"][-1]["confidence"] is None
    assert server.post("/api/undo", {"lines": len(lines)}).status == 200
    assert open_questions(server) == [first, second]
    assert server.post("/api/answers", {"id": first, "choice": 2}).status == 200
    assert read_record(path.read_text())[-1].event == Correct(3, ())


def test_answers_to_nothing_change_nothing_and_one_is_given_once(
    server: Served, path: Path
) -> None:
    before, (first, _) = path.read_text(), open_questions(server)
    wrong: list[tuple[object, int]] = [
        ({"id": "laid@9.9@0,0", "choice": 0}, 404),
        ({"id": first, "choice": 3}, 404),
        ({"id": first, "choice": -1}, 400),
        ({"id": first}, 400),
        ({"id": 7, "choice": 0}, 400),
        (b"?", 400),
    ]
    for body, status in wrong:
        answer = server.post("/api/answers", body)
        assert (answer.status, path.read_text()) == (status, before), body
        assert "\n" not in json.loads(answer.text)["detail"]
    assert server.post("/api/answers", {"id": first, "choice": 1}).status == 200
    assert server.post("/api/answers", {"id": first, "choice": 0}).status == 404


def test_the_doubtful_tiles_are_shown(server: Served) -> None:
    first, _ = open_questions(server)
    for kind, size in (("picture", None), ("tiles", UPRIGHT_PX)):
        shown = decoded(server.get_bytes(f"/api/questions/{first}/{kind}"))
        assert size in (None, shown.shape[1::-1])
        assert server.get(f"/api/questions/none/{kind}").status == 204  # closed, or none


def test_a_question_of_several_events_replaces_them_all(path: Path) -> None:
    asked = question("claimed", 0.3, [NINE, PUNG], [EIGHT])
    reader = AskingTold(ENTRIES, [asked])
    record = RecordFile(path)
    with serving(
        create_app(LiveTable(reader, filmed(), record, TableSettings("harbin-hlr", "x")))
    ) as server:
        server.wait_for_end()
        (name,) = open_questions(server)
        assert server.post("/api/answers", {"id": name, "choice": 1}).status == 200
        told = server.json("/api/events")["events"]
    record.close()
    assert [event["event"]["type"] for event in told[2:5]] == ["draw", "discard", "discard"]
    assert Draw(0, Tile("3m")) == ENTRIES[2].event
    assert np.isclose(told[3]["t"], 0.2)


@pytest.mark.parametrize("choice", [0, 1])
def test_what_was_told_beside_the_tiles_of_an_answered_event_stays(choice: int) -> None:
    """Readings hold neither which tile was just drawn nor the dice."""
    told = [Entry(replace(NINE, drawn=True), t=0.2, change="a", confidence=0.6)]
    told += [Entry(LAST, t=1.1, change="b")]
    asked = question("laid", 0.2, [NINE], [EIGHT])
    asked = replace(asked, place=replace(asked.place, change="a"))
    together = [*ENTRIES[:3], Entry(DICE, t=0.1), Entry(Correct(3, tuple(told)))]
    for lines in ([*ENTRIES[:3], *told], together):
        (line,) = answer_lines(lines, asked, asked.choices[choice])
        assert isinstance(line.event, Correct)
        first, *rest = line.event.events
        assert first.event == replace((NINE, EIGHT)[choice], drawn=True)
        assert (first.source, first.confidence, first.change) == ("person", None, "a")
        assert rest == (told[1:] if lines is together else [])


def test_one_tap_answers(browser: Browser, server: Served) -> None:
    complaints: list[str] = []
    page = opened(browser, server.url, PHONE, complaints)
    questions = page.locator("#questions .question")
    expect(questions).to_have_count(2)
    expect(questions.first.locator(".upright img")).to_be_visible()
    expect(page.get_by_role("button", name="Nothing happened")).to_be_visible()
    in_every_language(page, "question")
    # Shares that change leave the buttons where they are: a tap meanwhile is not lost.
    name_exports(page, "table/questions", "shared/speech")
    assert page.evaluate(
        "() => { const kept = document.querySelector('#questions .readings button');"
        " asked[0].choices[0].share = 0.37; showQuestions(asked);"
        " const now = document.querySelector('#questions .readings button');"
        " return kept === now && now.textContent.endsWith('37\\u00a0%'); }"
    )
    # It is spoken as a person would; 1, 2 and 3 answer the first.
    page.evaluate(
        "() => { window.spoken = []; speechSynthesis.speak = ({ text }) => spoken.push(text);"
        " questionsHeard.clear(); }"
    )
    menu(page)
    page.get_by_role("button", name="Speak").click()
    page.evaluate("showQuestions(asked)")
    said = "What did Anna discard? nine of characters, or eight of characters, or nothing at all?"
    assert page.evaluate("spoken") == [said]
    # One stands in the slot at a time; who puts it off finds it in the header again.
    expect(questions.nth(1)).to_be_hidden()
    page.get_by_role("button", name="Later").first.click()
    expect(questions).to_have_count(1)
    questions.locator(".readings button").nth(1).click()
    expect(page.locator("#questions")).to_be_hidden()
    expect(page.locator("#saved")).to_contain_text("Saved.")
    page.get_by_role("button", name="1 question").click()
    expect(page.locator(".event.by-person")).to_contain_text("Bo discards")
    menu(page)
    choose_language(page, "zh")
    expect(page.locator("#questions h2")).to_contain_text("还有1个")
    page.keyboard.press("1")
    expect(page.locator("#questions")).to_be_hidden()
    looked_at(page, "answered")
    assert complaints == []
    page.close()


def test_a_question_of_which_no_picture_was_kept_says_so(
    browser: Browser, server: Served, path: Path
) -> None:
    for picture in path.with_name("pictures").iterdir():
        picture.unlink()
    page = opened(browser, server.url, PHONE, [])
    card = page.locator("#questions .question").first
    expect(card).to_contain_text("No picture of this moment was kept.")
    expect(card.get_by_role("link", name="Enlarge")).to_have_count(0)
    page.close()


def test_what_no_choice_says_is_entered_from_the_question(
    browser: Browser, server: Served, path: Path
) -> None:
    complaints: list[str] = []
    page = opened(browser, server.url, PHONE, complaints)
    questions, form = page.locator("#questions .question"), page.locator("#mend")
    first = questions.first
    line, place = server.json("/api/questions")["questions"][0]["of"]
    first.get_by_role("button", name="Something else").click()
    expect(form).to_contain_text("What did Anna discard?")
    # The form is of the event that is asked about.
    expect(form.locator("img.crop")).to_have_attribute(
        "src", f"/api/events/{line}/crop?place={place}"
    )
    looked_at(page, "something-else")
    form.locator(".palette").get_by_role("button", name="5s").click()
    form.locator("#mend-save").click()
    # The question is closed, and the next one is asked.
    expect(questions).to_have_count(1)
    (written,) = bare(read_record(path.read_text())[-1:])
    assert isinstance(written.event, Correct)
    assert [entry.event for entry in written.event.events] == [Discard(0, Tile("5s"))]
    assert complaints == []
    page.close()


def test_a_question_is_of_its_own_event_in_a_line_that_holds_several() -> None:
    together = Correct(3, (Entry(NINE, t=0.2, change="a"), Entry(LAST, t=1.1, change="b")))
    game = Game()
    for entry in (*ENTRIES[:3], Entry(DICE, t=0.1), Entry(together)):
        game.submit(entry)
    first, second = (
        replace(asked, place=replace(asked.place, change=change))
        for asked, change in (
            (question("laid", 0.2, [NINE], [EIGHT]), "a"),
            (question("laid", 1.1, [LAST], [DICE]), "b"),
        )
    )
    assert [one["of"] for one in questions_json([first, second], game, "en")] == [(3, 0), (3, 1)]


def test_a_question_whose_event_the_record_lacks_has_no_place_to_enter_another() -> None:
    game = Game()
    for entry in ENTRIES[:3]:
        game.submit(entry)
    (told,) = questions_json([question("laid", 0.2, [NINE], [EIGHT])], game, "en")
    assert told["of"] is None


def enlarged(picture: FloatRect | None) -> FloatRect | None:
    """The place of a picture on the page, if the tile in it is large enough to be told."""
    large = picture is not None and picture["width"] / (1 + 2 * BESIDE) >= 96
    return picture if large else None


def test_the_doubtful_tile_is_large_beside_its_claim_and_undone_for_ten_seconds(
    browser: Browser, server: Served
) -> None:
    page = opened(browser, "about:blank", PHONE, [])
    page.clock.install()
    page.goto(server.url)
    page.get_by_role("button", name="Later").click()  # while one waits, it comes at once instead
    card = page.locator("#questions .question").first
    for width, height in ((390, 844), (768, 1024), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        # The picture shows a little of what lies beside the tile. It grows when it has loaded.
        picture = until(lambda: enlarged(card.locator(".upright img").bounding_box()))
        assert picture is not None
        readings = [tap.bounding_box() for tap in card.locator(".readings button").all()]
        assert all(each is not None and each["height"] >= 56 for each in readings)
        assert all(each is not None and each["y"] < picture["y"] + 160 for each in readings[:1])
        covering = page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).tagName",
            [picture["x"] + picture["width"] / 2, picture["y"] + picture["height"] / 2],
        )
        assert covering == "IMG"
    card.locator(".readings button").first.click()
    expect(page.locator("#saved")).to_be_visible()
    page.clock.fast_forward(9_000)
    page.locator("#saved").get_by_role("button").click(trial=True)
    page.clock.fast_forward(1_500)
    expect(page.locator("#saved")).to_be_hidden()
    page.close()


def test_what_is_answered_names_the_tile_that_is_kept(tmp_path: Path) -> None:
    doubt = question("laid", 2.0, [NINE], [EIGHT])
    lines = [*ENTRIES[:3], replace(ENTRIES[3], t=2.0)]
    record, kept = RecordFile(tmp_path / "game.jsonl"), tmp_path / "kept"
    settings = TableSettings(
        "harbin-hlr", "x", Options(keep_tiles=kept), pictures=Pictures(OF_FILM)
    )
    table = LiveTable(SeeingTold(lines, [doubt], VIEW), filmed(), record, settings)
    with serving(create_app(table, PageSettings())) as server:
        server.wait_for_end()
        assert server.post("/api/answers", {"id": doubt.id, "choice": 1}).status == 200
    record.close()
    told = [json.loads(line)["tiles"] for line in (kept / "tiles.jsonl").read_text().splitlines()]
    assert [(tile["tile"], tile["by"]) for (tile,) in told] == [("9m", "asked"), ("8m", "person")]
    assert told[0][0]["read"] == "9m"
    assert told[0][0]["confidence"] == 0.81


def opens_and_pays(
    game: Game, event: Event, *choices: Sequence[Event]
) -> tuple[bool, list[list[int] | None]]:
    """Whether a question about an event is asked at once, and what each choice pays."""
    asked = question("laid", 1.0, [event], *choices)
    asked = replace(asked, place=replace(asked.place, change="here"))
    (told,) = questions_json([asked], game, "en")
    assert told["of"] is not None
    return told["opens"], [one["deltas"] for one in told["choices"]]


def test_a_choice_says_who_pays_once_the_hand_is_over() -> None:
    at = next(at for at, one in enumerate(RIICHI) if isinstance(one.event, Win))
    win = RIICHI[at].event
    game = replay([*RIICHI[:at], replace(RIICHI[at], change="here")])
    paid = [[-2000, 2000, 0, 0], [0, 0, 0, 0]]
    assert opens_and_pays(game, win, []) == (True, paid)
    # In the next hand nothing hangs on it, and in the next game it waits until somebody looks.
    later = game.with_lines(*RIICHI[at + 1 : at + 8])
    assert later.state.hand_number == 2
    assert opens_and_pays(later, win, []) == (True, [None, None])
    assert opens_and_pays(later.with_lines(RIICHI[0]), win, []) == (False, [None, None])


def test_what_likely_did_not_happen_is_of_the_game_that_was_played_then() -> None:
    at = next(at for at, one in enumerate(RIICHI) if isinstance(one.event, Win))
    game = replay(RIICHI[:at])
    likely_nothing = question("laid", 1.0, [], [RIICHI[at].event])
    after, before = (game.with_lines(replace(RIICHI[0], t=time_s)) for time_s in (2.0, 0.5))
    assert [
        questions_json([likely_nothing], each, "en")[0]["opens"] for each in (game, after, before)
    ] == [True, False, True]


def test_what_changes_no_payment_says_nothing_of_payers() -> None:
    at = next(at for at, one in enumerate(RIICHI) if isinstance(one.event, Discard))
    first = as_read(RIICHI[at].event)
    assert isinstance(first, Discard)
    other = replace(first, tile=Tile("2z"))
    game = replay([*RIICHI[:at], replace(RIICHI[at], change="here"), *RIICHI[at + 1 : at + 3]])
    assert opens_and_pays(game, first, [other]) == (True, [None, None])
    over = next(at for at, one in enumerate(RIICHI) if isinstance(one.event, Win))
    won = game.with_lines(*RIICHI[at + 3 : over + 1])
    assert won.state.hand_over
    assert opens_and_pays(won, first, [other]) == (True, [None, None])
