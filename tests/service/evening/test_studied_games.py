"""A browser studies a record with games by several rule sets, and chooses among them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.codec import write_record
from engine.texts.files import LANGUAGES
from service.machine.records import load_record
from service.texts.catalogue import rules_title
from service.web.keys import TableKeys, keys_file
from tests.support.browsing import LAPTOP, PHONE, choose_language, menu, opened
from tests.support.paths import GAMES
from tests.support.screens import stands, stands_here
from tests.support.setting_up import Setting, set_up_at

CHOOSE = "header > .choose-game"
RULES = ("riichi", "hangzhou", "taiwan")


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    entries = [entry for rules in RULES for entry in load_record(str(GAMES / f"{rules}.jsonl"))]
    with set_up_at(tmp_path) as setting:
        setting.put("records/several.jsonl", write_record(entries).encode())
        yield setting


def choose(page: Page, rules: str) -> None:
    page.locator(CHOOSE).click()
    row = page.locator("#studied button").filter(has_text=rules_title(rules))
    with page.expect_navigation():
        row.click()
    expect(page.locator(CHOOSE)).to_contain_text(rules_title(rules))


def test_every_page_speaks_of_the_game_that_was_chosen(browser: Browser, setting: Setting) -> None:
    told = setting.ask("/api/setup/start", {"open": "study/several.jsonl", "lang": "en"})
    assert told["status"] == 200, told
    address, complaints = setting.server.url + told["page"], list[str]()
    page = opened(browser, address, LAPTOP, complaints)
    key = told["page"].partition("#")[2]
    expect(page.locator(CHOOSE)).to_contain_text(rules_title("riichi"))
    page.locator(CHOOSE).click()
    expect(page.locator("#studied button")).to_have_count(len(RULES))
    expect(page.locator("#studied [aria-current]")).to_contain_text(rules_title("riichi"))
    page.keyboard.press("Escape")
    for rules in RULES[1:]:
        choose(page, rules)
        expect(page.locator("#rules")).to_have_attribute("data-rules", rules)
        shown = setting.server.json("/api/table")
        assert shown["names"] == list(setting.began[-1].games[RULES.index(rules)].told["names"])
        lessons = page.request.get(f"{setting.server.url}/api/lessons", headers=_bearer(key))
        assert lessons.json()["rules"] == rules
    page.goto(f"{setting.server.url}/game?at=5#{key}")
    expect(page.locator("#rules")).to_have_attribute("data-rules", RULES[-1])
    choose(page, RULES[0])
    assert "at=" not in page.url, "it was a moment of the other game"
    expect(page.locator("#rules")).to_have_attribute("data-rules", RULES[0])
    for path in ("game", "drill", ""):
        page.set_viewport_size({"width": LAPTOP["width"], "height": LAPTOP["height"]})
        page.goto(f"{setting.server.url}/{path}#{key}")
        expect(page.locator(CHOOSE)).to_be_visible()
        stands(page, path)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    for lang in LANGUAGES:
        menu(page)
        choose_language(page, lang)
        tap = page.locator("#menu > .choose-game")
        expect(tap).to_contain_text(rules_title(RULES[0], lang))
        tap.click()
        expect(page.locator("#studied [aria-current]")).to_be_visible()
        stands_here(page, f"games-{lang}")
        page.keyboard.press("Escape")
    assert [said for said in complaints if "WebSocket" not in said] == []


def test_only_who_may_correct_chooses_for_all(setting: Setting) -> None:
    told = setting.ask("/api/setup/start", {"open": "study/several.jsonl", "lang": "en"})
    key = told["page"].partition("#")[2]
    assert setting.ask("/api/games", {"number": len(RULES)}, key)["status"] == 404
    assert setting.ask("/api/games", {"number": -1}, key)["status"] in (400, 422)
    seat = keys_of(setting, 0).seats[1]
    TableKeys.kept_beside(setting.began[-1].games[2].record)  # it was studied alone once
    assert setting.ask("/api/games", {"number": 2}, seat)["status"] == 403
    assert setting.ask("/api/games", {"number": 2}, key)["status"] == 200
    # Other people sat there; whoever looks on with a phone stays where they are.
    assert setting.server.get("/api/drill", key=seat).status == 200
    assert keys_of(setting, 2) == keys_of(setting, 0)
    assert setting.server.json("/api/hands")["games"][0]["rules"] == RULES[2]
    assert len(setting.server.json("/api/hands")["games"]) == 1


def keys_of(setting: Setting, number: int) -> TableKeys:
    keys = TableKeys.read_from(keys_file(setting.began[-1].games[number].record))
    assert keys is not None
    return keys


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}
