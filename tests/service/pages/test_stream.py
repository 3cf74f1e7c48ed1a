"""The stream page: delayed by the server, and with hands and waits only for its own key."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed

from engine.events import Win
from engine.game import replay
from service.access.keys import table_address
from tests.support.browsing import LAPTOP, menu, opened
from tests.support.keys import KEYS
from tests.support.patience import PATIENCE_S
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import Served, served


def ready_at() -> int:
    """Lines of the sample until somebody has claimed riichi and the hand goes on."""
    for lines in range(1, len(ENTRIES)):
        event = ENTRIES[lines - 1].event
        if getattr(event, "ready", False):
            return lines
    raise AssertionError("nobody claims riichi in the sample")


LINES = ready_at()
WON: Final = 1 + next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))
STATE = replay(ENTRIES[:LINES]).state


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:LINES]), KEYS) as server:
        server.wait_for_end()
        yield server


def first_view(server: Served, **said: object) -> dict[str, Any]:
    with server.socket("/ws/stream") as socket:
        socket.send(json.dumps(said))
        view: dict[str, Any] = json.loads(socket.recv(PATIENCE_S))
        return view


def test_hands_and_waits_are_for_the_stream_key(server: Served) -> None:
    view = first_view(server, waits=True, key=KEYS.stream)
    hands = [[str(tile) for tile in player.hand] for player in STATE.players]
    assert [seat["hand"] for seat in view["seats"]] == hands
    (ready,) = [seat for seat, player in enumerate(STATE.players) if player.ready]
    assert view["seats"][ready]["waits"]
    assert all(set(player["hand"]) <= {"?"} for player in view["table"]["players"])


def test_without_waits_it_tells_what_everybody_sees(server: Served) -> None:
    for key in (None, KEYS.stream):
        assert set(first_view(server, key=key)) == {"table", "said"}


@pytest.mark.parametrize("key", [None, "", "wrong", 7, *KEYS.seats, KEYS.control])
def test_no_other_key_shows_waits(server: Served, key: object) -> None:
    with pytest.raises(ConnectionClosed, match="control page"):
        first_view(server, waits=True, key=key)


@pytest.mark.parametrize("delay", [-1, 901, "5", True, None])
def test_a_delay_that_is_none_is_refused(server: Served, delay: object) -> None:
    with pytest.raises(ConnectionClosed, match="0 to 900 seconds"):
        first_view(server, delay_s=delay)


def test_nothing_comes_before_its_time(server: Served) -> None:
    begun = time.monotonic()
    first_view(server, delay_s=1.5, waits=True, key=KEYS.stream)
    assert time.monotonic() - begun >= 1.4


def test_a_streamer_opens_it_from_the_control_page(
    browser: Browser, server: Served, tmp_path: Path
) -> None:
    complaints: list[str] = []
    page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, complaints)
    menu(page)
    page.get_by_label("Delay in seconds").fill("0")
    link = page.get_by_role("link", name="Open it, or add it to OBS")
    assert KEYS.stream not in (link.get_attribute("href") or "")
    page.get_by_label("with hands and waits").check()
    page.goto(link.get_attribute("href") or "")
    expect(page.locator("#bar li")).to_have_count(4)
    expect(page.locator("#hands .waits .tile")).not_to_have_count(0)
    expect(page.locator("#hands .hand-laid .tile").nth(39)).to_be_attached()
    expect(page.locator("#table svg")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.screenshot(path=tmp_path / "stream.png", omit_background=True)
    with Image.open(tmp_path / "stream.png") as shown:
        alpha = np.asarray(shown.convert("RGBA"))[:, :, 3]
    # The game below shows through everywhere but where something is drawn.
    assert alpha[: LAPTOP["height"] // 2, : LAPTOP["width"] // 2].max() == 0
    assert alpha[-80, 60] > 150
    assert complaints == []
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
        page.goto(f"{server.url}/stream#table=1&waits=1&key={KEYS.stream}")
        result = page.locator("#result")
        expect(result).to_contain_text("Bo wins from Anna")
        assert result.evaluate_all(BOX) == [[360, 540, 1200, 300]]
        assert page.locator("#table").evaluate_all(BOX) == [[1400, 40, 480, 480]]
        cells = [[40 + 464 * seat, 944, 448, 96] for seat in range(4)]
        assert page.locator("#bar li").evaluate_all(BOX) == cells
        for _, y, width, height in page.locator("#hands .own .tile").evaluate_all(BOX):
            assert (y, width, height) == (893, 32, 43)
        for shown in ("#line", "#hands > div"):
            for x, y, width, height in page.locator(shown).evaluate_all(BOX):
                assert 0 <= x <= x + width <= 1920
                assert 0 <= y <= y + height <= 944
        page.clock.fast_forward(10_000)
        expect(result).to_be_hidden()
        page.close()
