"""Learn: the first pages about every game, from the set-up page to the first lesson."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.basics import OTHERS, paid
from engine.rules import GAMES, RULE_SETS
from engine.rules.teaching import LEARNER
from engine.texts.figures import signed
from engine.texts.files import LANGUAGES
from service.seat.learn import PAGES, pages_of
from service.texts.catalogue import texts_of
from tests.support.browsing import PHONE, opened
from tests.support.screens import looked_at
from tests.support.setting_up import set_up_at

every_game = pytest.mark.parametrize("game", [game.id for game in GAMES])


@every_game
def test_every_page_is_told_in_every_language_without_an_unknown_word(game: str) -> None:
    for lang in LANGUAGES:
        told = pages_of(game, lang)
        assert [page["name"] for page in told] == list(PAGES)
        for page in told:
            assert page["title"]
            assert page["rows"]
            for row in page["rows"]:
                names = [tile["name"] for group in row["groups"] for tile in group]
                said = (row["text"], row["head"], *names)
                assert row["text"]
                assert all(names)
                assert re.search(r"[{}_]|learn\.|glossary\.|tile\.", " ".join(said)) is None


@every_game
def test_what_the_example_pays_is_what_the_engine_pays(game: str) -> None:
    rows = pages_of(game, "en")[-1]["rows"][-4:]
    deltas = paid(RULE_SETS[game]).deltas
    assert [row["text"] for row in rows] == [signed(deltas[seat]) for seat in (LEARNER, *OTHERS)]


def test_there_are_as_many_pages_as_the_set_up_page_says() -> None:
    assert len(PAGES) == 8
    assert "Eight short pages" in texts_of("en")["page.learn.says"]


def test_games_differ_where_their_rules_do() -> None:
    def told(game: str, name: str) -> str:
        page = pages_of(game, "en")[PAGES.index(name)]
        return "\n".join(f"{row['head']} {row['text']}" for row in page["rows"])

    assert "There are 108 tiles" in told("sichuan", "tiles")
    assert "seven pairs" in told("riichi", "sets")
    assert "seven pairs" not in told("hong-kong", "sets")
    assert "Chow Not with a discard" in told("sichuan", "claims")
    assert "Faan needed to win 3" in told("hong-kong", "win")
    assert "no yaku" in told("riichi", "win")


def test_learn_leads_from_the_set_up_page_to_the_first_lesson_and_the_drill(
    browser: Browser, tmp_path: Path
) -> None:
    complaints: list[str] = []
    with set_up_at(tmp_path) as setting:
        page = opened(browser, setting.server.url, PHONE, complaints)
        page.get_by_role("link", name="Learn").click()
        page.get_by_role("button", name="Riichi (EMA 2008)").click()
        current = page.locator("#steps [aria-current]")
        for number, name in enumerate(PAGES):
            expect(page.locator("#steps [aria-current]")).to_have_text(
                re.compile(rf"^{number + 1}")
            )
            expect(page).to_have_url(re.compile(f"page={name}"))
            if name != PAGES[-1]:
                page.get_by_role("button", name="Next").press("Enter")
        expect(page.get_by_label("white dragon").first).to_be_visible()
        page.go_back()
        expect(current).to_have_text(re.compile("^7"))
        page.go_forward()
        page.get_by_role("button", name="To the exercises").click()
        expect(page.locator("#question")).to_have_text("Which tile makes a run with these two?")
        # What was read is kept, also for who comes again later.
        page.go_back()
        page.get_by_role("button", name="Other games").click()
        looked_at(page, "learn-read")
        card = page.get_by_role("button", name="Riichi (EMA 2008)")
        expect(card).to_contain_text("8 of 8 pages read, 0 exercises solved")
        page.goto(f"{setting.server.url}/learn?rules=sichuan&page=pays")
        page.get_by_role("button", name="To the drill").click()
        expect(page.locator("#hand button").first).to_be_visible()
        assert setting.began[-1].record == tmp_path / "study" / "sichuan.jsonl"
        page.close()
    assert complaints == []
