"""The table is drawn as the engine understands it, whatever the rule set."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.codec import read_record
from engine.events import Entry, Win
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.state import Phase, State
from service.report.public import names_of, public_table
from service.table.live_table import LiveTable, TableSettings
from tests.support.added_rules import SOURCE, install, known
from tests.support.browsing import LAPTOP, opened
from tests.support.golden import golden
from tests.support.live_table import KeptLines, frames, played
from tests.support.modules import name_exports
from tests.support.served import served
from tests.support.told_reader import ToldReader

MOMENTS: Final[dict[str, Callable[[State], bool]]] = {
    "a ready player": lambda state: any(player.ready for player in state.players),
    "a counter": lambda state: state.honba > 0 and len(state.players[0].river) > 3,
    "a fortune": lambda state: bool(state.indicators) and state.staying > 1,
    "all indicators": lambda state: len({indicator.kind for indicator in state.indicators}) == 3,
    "sets": lambda state: sum(len(player.melds) for player in state.players) > 2,
}


def until(rules: str, shown: str) -> list[Entry]:
    """The golden game up to a moment at which there is something to see."""
    entries = golden(rules)
    game = Game()
    for length, entry in enumerate(entries, start=1):
        game.submit(entry)
        if game.state.phase in (Phase.TO_DRAW, Phase.SETTLED) and MOMENTS[shown](game.state):
            return entries[:length]
    raise AssertionError(f"no moment with {shown}")


WINDS = ("East", "South", "West", "North")


def in_middle(state: State) -> set[str]:
    """Words and figures that stand beside the indicators."""
    lines = {f"stays: {state.staying}"} if state.staying > 1 else set()
    if state.rules.startswith("riichi"):
        number = (state.dealer - state.first_dealer) % 4 + 1
        lines = {f"{WINDS[state.round.rank - 1]} {number}"}
        lines |= {f"×{state.honba}"} if state.honba else set()
    if state.pot:
        lines.add(str(state.pot))
    if state.rules == "hangzhou":
        lines.add(f"stays: {state.staying}")
    return lines


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    complaints: list[str] = []
    with served(played([], "riichi")) as server:
        server.wait_for_end()
        page = opened(browser, server.url, LAPTOP, complaints)
        expect(page.locator("#status")).to_have_attribute("data-state", "ended")
        name_exports(page, "shared/felt")
        yield page
        page.close()
    assert complaints == []


def drawn(page: Page, rules: str, shown: str) -> State:
    """Draw the table at that moment of a game."""
    state = replay(until(rules, shown)).state
    table = json.loads(json.dumps(public_table(state, names_of(state))))
    page.evaluate("(table) => redraw(document.getElementById('table'), table)", table)
    return state


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        ("harbin-hlr", "a ready player"),
        ("harbin-treasure", "a ready player"),
        ("riichi", "a ready player"),
        ("riichi", "a counter"),
        ("hangzhou", "a fortune"),
        ("wsom", "sets"),
    ],
)
def test_what_the_engine_knows_is_drawn(page: Page, rules: str, shown: str) -> None:
    state = drawn(page, rules, shown)
    rivers = sum(one.claimed_by is None for player in state.players for one in player.river)
    sets = sum(len(meld.tiles) for player in state.players for meld in player.melds)
    expect(page.locator(".river use")).to_have_count(rivers)
    expect(page.locator(".melds use")).to_have_count(sets)
    expect(page.locator("#table .wall")).to_have_text(f"×{RULE_SETS[rules].wall.live(state)}")
    for seat in range(4):
        plate = page.locator(f'.plate[data-seat="{seat}"]')
        expect(plate.locator(".points")).to_have_text(str(state.points[seat]).replace("-", "−"))
        expect(plate.locator("rect.turn")).to_have_count(int(seat == state.turn))
        expect(plate.locator(".wind")).to_contain_text(WINDS[(seat - state.dealer) % 4][0])
        expect(plate.locator(".dealer")).to_have_count(int(seat == state.dealer))
        stick = page.locator("#table .side").nth(seat).locator(".stick")
        expect(stick).to_have_count(int(state.players[seat].ready))
    assert in_middle(state) <= set(page.locator(".middle .line").all_text_contents())


def test_a_tile_that_claimed_ready_lies_sideways(page: Page) -> None:
    drawn(page, "riichi", "a ready player")
    expect(page.locator('.river .piece[transform*="rotate"]')).to_have_count(1)


def test_no_indicator_covers_a_discard(page: Page) -> None:
    state = drawn(page, "riichi-tenhou", "all indicators")
    expect(page.locator(".middle use")).to_have_count(len(state.indicators))
    covered = page.evaluate(
        """() => {
          const boxes = (what) =>
            [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
          const meet = (one, other) =>
            one.left < other.right && other.left < one.right &&
            one.top < other.bottom && other.top < one.bottom;
          const discards = boxes(".river use");
          return boxes(".middle use, .middle text")
            .filter((one) => discards.some((other) => meet(one, other))).length;
        }"""
    )
    assert covered == 0


def test_who_has_won_is_shown_while_the_others_play(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with known(install(tmp_path)):
        entries = read_record((SOURCE / "bloody.jsonl").read_text("utf-8"))
        won = next(place for place, one in enumerate(entries) if isinstance(one.event, Win))
        state = replay(entries[: won + 1]).state
        settings = TableSettings("bloody", "game.mp4")
        table = LiveTable(ToldReader(entries[: won + 1]), frames(), KeptLines(), settings)
        with served(table) as server:
            server.wait_for_end()
            page = opened(browser, server.url, LAPTOP, complaints)
            expect(page.locator("#rules")).to_have_text("Bloody mahjong")
            for seat in range(4):
                plate = page.locator(f'.plate[data-seat="{seat}"]')
                expect(plate.locator("rect.turn")).to_have_count(int(seat == state.turn))
                assert plate.evaluate("(one) => one.matches('.winner')") is (seat in state.winners)
            page.close()
    assert complaints == []


def test_what_is_new_moves_unless_motion_is_not_wanted(page: Page) -> None:
    drawn(page, "wsom", "sets")
    drawn(page, "riichi", "sets")
    moved = page.locator("#table .arrives, #table .change")
    page.evaluate(
        "() => { const at = document.getElementById('table'); redraw(at, drawn.get(at)); }"
    )
    expect(moved).to_have_count(0)
    page.evaluate("""() => {
      const at = document.getElementById("table"), table = structuredClone(drawn.get(at));
      table.points[2] += 1000;
      table.players[1].river.push(table.players[1].river[0]);
      redraw(at, table);
    }""")
    expect(moved).to_have_count(2)
    expect(page.locator("#table .change.gain")).to_have_text("+1000")
    page.emulate_media(reduced_motion="reduce")
    expect(page.locator("#table .change")).to_be_hidden()
    page.emulate_media(reduced_motion="no-preference")
