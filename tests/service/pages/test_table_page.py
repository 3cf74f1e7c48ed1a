"""The table page: the board stands still, and one place tells what comes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.events import Win
from service.access.keys import table_address
from tests.support.browsing import LAPTOP, opened
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import served

SIZES: Final = ((390, 844), (768, 1024), (1280, 800), (1920, 1080))
WON: Final = 1 + next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))

ASKED: Final = """() => {
  const every = (said) => Object.fromEntries(Object.keys(WORDS).map((lang) => [lang, said]));
  const choice = (tile, share) => ({ told: every(["Bo discards", { tile }]), share });
  showQuestions([1, 2].map((id) => ({
    id: `q${id}`, t: 110, asks: every("What did Bo discard?"), spoken: every(""),
    choices: [choice("9s", 0.8), choice("6s", 0.15), { nothing: true, share: 0.05 }],
  })));
}"""
LONG: Final = "too dark to read the tiles; a hand or a sleeve may lie over the camera " * 3
COMES: Final[dict[str, str]] = {
    "question": ASKED,
    "trouble": f"() => setStatus('failed', {LONG!r})",
    "no network": "() => showClosed({ code: 1006 })",
    "announcement": "() => showAnnounced({ of: 999, kind: 'ready', texts: WORDS_OF_IT })".replace(
        "WORDS_OF_IT", f"Object.fromEntries(Object.keys(WORDS).map((lang) => [lang, {LONG!r}]))"
    ),
}
"""What may come while a hand is played, as the page is told it."""


COVERED: Final = """({ left, top, width }) =>
  [[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5], [0.5, 0], [0.5, 1], [0, 0.5], [1, 0.5]].filter(
    (part) => {
      const [x, y] = part.map((each) => 4 + each * (width - 8));
      return document.elementFromPoint(left + x, top + y).closest("#table") === null;
    })"""
"""Parts of the felt on which something else lies."""


@pytest.fixture(scope="module", params=[60, WON], ids=["playing", "result"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    with served(table_of(ENTRIES[: request.param]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
        expect(page.locator("#table svg")).to_be_visible()
        if request.param == WON:
            expect(page.locator("#result .outcome")).to_be_visible()
        yield page
        page.close()


def box(page: Page) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(
        "() => document.querySelector('#table svg').getBoundingClientRect().toJSON()"
    )
    return found


@pytest.mark.parametrize("what", COMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_nothing_moves_resizes_or_covers_the_felt(
    page: Page, size: tuple[int, int], what: str
) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    before = box(page)
    assert 0 <= before["left"] < before["right"] <= width
    assert 0 <= before["top"] < before["bottom"] <= height
    assert before["width"] == before["height"]
    page.evaluate(COMES[what])
    try:
        assert box(page) == before
        assert page.evaluate(COVERED, before) == []
    finally:
        page.evaluate("() => { showQuestions([]); setStatus('watching', ''); showAgain(); }")
    assert box(page) == before


FIRST_SCREEN: Final = """() => {
  const seen = (each) => {
    const { top, left, width, height } = each.getBoundingClientRect();
    const inside = top < innerHeight && left < innerWidth && width > 1 && height > 1;
    return inside && each.checkVisibility();
  };
  const controls = [...document.querySelectorAll("body > header :is(a, button), #tabs button")];
  const written = [...document.querySelectorAll("main :is(p, li, span, strong, button, dt, dd)")];
  const texts = written.filter((each) =>
    [...each.childNodes].some((one) => one.nodeType === 3 && one.data.trim() !== ""));
  const least = (all) =>
    Math.min(...all.map((each) => parseFloat(getComputedStyle(each).fontSize)));
  return {
    controls: controls.filter(seen).length,
    letters: least(texts.filter(seen)),
    points: least([...document.querySelectorAll("#bar strong")]),
    // A drawing does not reach the edge of its tile.
    tile: document.querySelector("#table .river use").width.baseVal.value *
      document.querySelector("#table svg").getBoundingClientRect().width / 1000,
  };
}"""


@pytest.mark.parametrize(
    ("size", "letters", "points", "tile"),
    [((390, 844), 14, 20, 23), ((1280, 800), 16, 28, 38), ((1920, 1080), 16, 28, 58)],
)
def test_it_can_be_read_from_where_people_sit(
    page: Page, size: tuple[int, int], letters: int, points: int, tile: int
) -> None:
    """Few controls, and letters, points and tiles that are large enough."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    found = page.evaluate(FIRST_SCREEN)
    assert found["controls"] <= 7
    assert found["letters"] >= letters
    assert found["points"] >= points
    assert found["tile"] >= tile
