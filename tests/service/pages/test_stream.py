"""The stream page: what everybody sees of the table, on a transparent ground."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed

from engine.events import Win
from service.texts.catalogue import texts_of
from service.web.keys import table_address
from tests.support.browsing import LAPTOP, menu, opened
from tests.support.keys import KEYS
from tests.support.patience import PATIENCE_S
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import Served, served

WON: Final = 1 + next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))
LINES: Final = WON - 2


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:LINES]), KEYS, without_key=None) as server:
        yield server


def test_old_addresses_say_what_to_do(server: Served) -> None:
    for path in ("/api/stream", "/api/v1/stream"):
        answer = server.get(path, key=KEYS.control)
        assert (answer.status, "set the delay in OBS" in answer.text) == (404, True)
    with served(table_of(ENTRIES[:LINES]), KEYS) as here, here.socket("/ws/stream") as socket:
        socket.send('{"delay_s": 60, "waits": true}')
        with pytest.raises(ConnectionClosed, match="set the delay in OBS"):
            socket.recv(PATIENCE_S)


@pytest.mark.parametrize("wish", ["delay=60&table=1", "waits=1&table=1"])
@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_an_address_that_counts_on_a_delay_shows_nothing_without_it(
    browser: Browser, server: Served, wish: str, lang: str
) -> None:
    page = opened(browser, f"{server.url}/stream#{wish}&lang={lang}&key={KEYS.viewer}", LAPTOP, [])
    expect(page.locator("#status")).to_have_text(texts_of(lang)["page.stream.old_address"])
    expect(page.locator("#bar li")).to_have_count(0)
    expect(page.locator("#table svg")).to_have_count(0)
    page.close()


def test_the_stream_has_no_key_or_role_of_its_own(server: Served) -> None:
    assert server.get("/stream").status == 401
    for key in (KEYS.viewer, KEYS.scorer, KEYS.seats[0], KEYS.control):
        assert server.get("/stream", key=key).status == 200
    assert not hasattr(KEYS, "stream")


def test_a_streamer_opens_it_from_the_admin_page(
    browser: Browser, server: Served, tmp_path: Path
) -> None:
    complaints: list[str] = []
    page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, complaints)
    menu(page)
    link = page.get_by_role("link", name="Open it, or add it to OBS")
    expect(link).to_have_attribute("href", f"{server.url}/stream#lang=en&table=1&key={KEYS.viewer}")
    page.context.clear_cookies()  # the key of the address is enough
    address = link.get_attribute("href") or ""
    page.goto("about:blank")
    complaints.clear()
    page.goto(address)
    expect(page.locator("#bar li")).to_have_count(4)
    expect(page.locator("#table svg")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.screenshot(path=tmp_path / "stream.png", omit_background=True)
    with Image.open(tmp_path / "stream.png") as shown:
        alpha = np.asarray(shown.convert("RGBA"))[:, :, 3]
    # The game below shows through everywhere but where something is drawn.
    assert alpha[: LAPTOP["height"] // 2, : LAPTOP["width"] // 2].max() == 0
    assert alpha[-80, 60] > 150
    page.close()


BOX: Final = """(all) => all.map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""


def test_it_lies_where_nothing_of_the_picture_below_is_lost(browser: Browser) -> None:
    """The places are those of a picture of 1920 by 1080; a result goes after 10 seconds."""
    with served(table_of(ENTRIES[:WON]), KEYS) as server:
        server.wait_for_end()
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.clock.install()
        page.goto(f"{server.url}/stream#table=1&key={KEYS.viewer}")
        result = page.locator("#result")
        expect(result).to_contain_text("Bo wins from Anna")
        assert result.evaluate_all(BOX) == [[360, 540, 1200, 300]]
        assert page.locator("#table").evaluate_all(BOX) == [[1400, 40, 480, 480]]
        cells = [[40 + 464 * seat, 944, 448, 96] for seat in range(4)]
        assert page.locator("#bar li").evaluate_all(BOX) == cells
        for shown in ("#line", "#hands > div"):
            for x, y, width, height in page.locator(shown).evaluate_all(BOX):
                assert 0 <= x <= x + width <= 1920
                assert 0 <= y <= y + height <= 944
        page.clock.fast_forward(10_000)
        expect(result).to_be_hidden()
        page.close()
