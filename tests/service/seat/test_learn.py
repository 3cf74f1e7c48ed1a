"""Learn: the first pages about every game, from the set-up page to the first lesson."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.basics import OTHERS, Told, paid
from engine.events import Deal, Entry, GameStart, HandStart
from engine.game import replay
from engine.rules import GAMES, RULE_SETS
from engine.rules.teaching import LEARNER
from engine.texts.figures import signed
from engine.texts.files import LANGUAGES
from engine.tiles import Tile, parse
from service.seat.frequencies import COMMONEST, counted
from service.seat.learn import PAGES, learn_view, pages_of
from service.seat.lessons import answered
from service.texts.catalogue import texts_for, texts_of
from service.texts.pages import terms_of
from tests.support.browsing import PHONE, opened
from tests.support.screens import looked_at
from tests.support.setting_up import set_up_at

FLOWERS = ("1f", "2f", "3f", "4f")
AT_TABLE = (GameStart("wsom"), HandStart(dealer=0), Deal(0, parse("123456m 55p 678s 11z 9p")))

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
    assert len(PAGES) == 9
    assert "Nine short pages" in texts_of("en")["page.learn.says"]


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


@every_game
def test_every_term_of_a_game_has_a_picture(game: str) -> None:
    rows = {row["term"]: row for row in pages_of(game, "en")[PAGES.index("words")]["rows"]}
    wall = {*RULE_SETS[game].wall.under(RULE_SETS[game].all_options()), *map(Tile, FLOWERS)}
    for term in terms_of(RULE_SETS[game]):
        tiles = [tile["tile"] for group in rows[term]["groups"] for tile in group]
        assert tiles, term
        assert {Tile(tile) for tile in tiles} <= wall, term


@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_the_commonest_patterns_stand_first_with_a_hand_of_each(game: str) -> None:
    found = counted(game)
    assert found is not None
    assert found.hands >= 100
    often = [pattern.one_in for pattern in found.patterns]
    assert often == sorted(often)
    rows = [row for row in pages_of(game, "en")[PAGES.index("patterns")]["rows"] if row["term"]]
    assert len(rows) == min(COMMONEST, len(found.patterns))
    size = RULE_SETS[game].wall.hand_size + 1
    for pattern in found.patterns:
        tiles = [tile for group in pattern.groups for tile in group]
        kongs = sum(len(group) == 4 for group in pattern.groups[:-2])
        assert len(tiles) in (0, size + kongs), pattern.name
        assert f"item.{pattern.name}" in texts_for(game, "en")
    assert any(pattern.groups for pattern in found.patterns)
    assert (
        f"{found.hands} hands" in pages_of(game, "en")[PAGES.index("patterns")]["rows"][-1]["text"]
    )


def test_what_the_own_hand_has_of_a_pattern_is_told_beside_it() -> None:
    state = replay([Entry(event) for event in AT_TABLE])
    rows = answered("cards", state.played, 0, "en")["rows"]
    named = {name for row in rows for name in row.get("patterns", ())}
    assert named
    assert named <= set(RULE_SETS["wsom"].payment.rows)


def test_a_word_is_found_by_typing_and_from_an_explanation(
    browser: Browser, tmp_path: Path
) -> None:
    complaints: list[str] = []
    with set_up_at(tmp_path) as setting:
        url = f"{setting.server.url}/learn?rules=riichi&page=words&term=furiten"
        page = opened(browser, url, PHONE, complaints)
        expect(page.locator("#rows .asked")).to_contain_text("Furiten")
        expect(page.locator("#rows .asked .tile").first).to_be_visible()
        page.locator("#search").fill("PUNG")
        expect(page.locator("#rows li:visible").first).to_contain_text("Pung")
        expect(page.locator("#rows .asked")).to_be_hidden()
        page.locator("#search").fill("no such word")
        expect(page.locator("#rows li:visible")).to_have_count(0)
        expect(page.locator("#no-word")).not_to_be_empty()
        page.close()
    assert complaints == []


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
        expect(current).to_have_text(re.compile("^8"))
        page.go_forward()
        page.get_by_role("button", name="To the exercises").click()
        expect(page.locator("#question")).to_have_text("Which tile makes a run with these two?")
        # What was read is kept, also for who comes again later.
        page.go_back()
        page.get_by_role("button", name="Other games").click()
        looked_at(page, "learn-read")
        card = page.get_by_role("button", name="Riichi (EMA 2008)")
        expect(card).to_contain_text("9 of 9 pages read, 0 exercises solved")
        page.goto(f"{setting.server.url}/learn?rules=sichuan&page=pays")
        page.get_by_role("button", name="To the drill").click()
        expect(page.locator("#hand button").first).to_be_visible()
        assert setting.began[-1].record == tmp_path / "study" / "sichuan.jsonl"
        page.close()
    assert complaints == []


def test_no_pattern_is_told_that_the_rule_set_leaves_out() -> None:
    """Counted once for a game: its variants and house rules may know no such pattern."""

    def told(rules: str, options: Told = ()) -> set[str]:
        pages = {page["name"]: page["rows"] for page in pages_of(rules, "en", options)}
        return {row["term"] for row in (*pages["patterns"], *pages["words"])}

    assert {"red_five", "ippatsu", "ura_dora"} <= told("riichi")
    assert "red_five" not in told("riichi-2016")
    assert "red_five" not in told("riichi", (("red_fives", 0),))
    assert "ippatsu" not in told("riichi", (("ippatsu", False),))
