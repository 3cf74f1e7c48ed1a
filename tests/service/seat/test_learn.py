"""Learn: the first pages about every game, from the set-up page to the first lesson."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.basics import OTHERS, paid
from engine.rules import RULE_SETS
from engine.rules.teaching import LEARNER
from engine.texts.figures import signed
from engine.texts.files import LANGUAGES
from service.seat.learn import PAGES, learn_view, pages_of
from service.texts.catalogue import texts_of
from tests.support.browsing import PHONE, opened
from tests.support.screens import looked_at
from tests.support.setting_up import set_up_at

every_game = pytest.mark.parametrize("game", RULE_SETS)


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


@every_game
def test_each_rule_set_tells_its_own(game: str) -> None:
    view = learn_view(game, "en", table=True)
    assert view["rules"] == game
    assert view["games"][game]
    assert view["pages"] == list(pages_of(game, "en"))
    rows = {page["name"]: [row["text"] for row in page["rows"]] for page in view["pages"]}
    to_end = RULE_SETS[game].payment.wins_to_end
    ends = {1: "the next hand is dealt", 3: "until 3 players have won", None: "plays on, too"}
    assert [said for said in rows["aim"] if ends[to_end] in said]
    assert [said for said in ends.values() if said in " ".join(rows["aim"])] == [ends[to_end]]
    assert ("red fives" in " ".join(rows["tiles"])) == any(
        tile != tile.kind for tile in RULE_SETS[game].wall.under(RULE_SETS[game].all_options())
    )


def test_a_table_with_house_rules_is_told_them() -> None:
    told = (("flowers", True), ("minimum_faan", 1))
    view = learn_view("hong-kong", "en", told, table=True)
    rows = [row["text"] for page in view["pages"] for row in page["rows"]]
    heads = {row["head"]: row["text"] for page in view["pages"] for row in page["rows"]}
    assert [said for said in rows if "flowers and seasons" in said]
    assert heads["Faan needed to win"] == "1"


def test_unknown_rules_are_told_as_the_game_that_is_taught_first() -> None:
    assert learn_view("nonsense", "en", table=False)["rules"] == next(iter(RULE_SETS))


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
