"""A browser opens the real page of the real server while a recorded game plays."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from engine.tiles import Tile
from service.table.live_table import LiveTable, TableSettings
from service.table.record_file import RecordFile
from tests.support.browsing import GREEN_PIXELS, LAPTOP, PHONE, choose_language, menu, opened
from tests.support.films import film
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.placed_tiles import Lying
from tests.support.screens import looked_at
from tests.support.served import Served, served
from tests.support.told_reader import ToldReader
from vision.camera.live import open_live
from vision.tiles.classes import Side

BREAK_LINE = """() => {
  const closed = (socket) => new Promise((done) => {
    socket.addEventListener("close", done);
    socket.close();
  });
  const tells = ({ readyState, url }) => readyState === 1 && new URL(url).pathname === "/ws";
  const line = window.sockets.find(tells);
  return closed(line).then(() => document.getElementById("status").textContent);
}"""
"""Closes the socket that tells what happens; returns what the page says then."""


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "game.mp4"
    return film(path, frames=23, fps=10, width=640, height=360)


@pytest.fixture
def go() -> threading.Event:
    """What happens at the table waits for this."""
    return threading.Event()


@pytest.fixture
def server(video: Path, tmp_path: Path, go: threading.Event) -> Iterator[Served]:
    corners = np.array([[300, 200], [330, 200], [330, 240], [300, 240]], np.float32)
    reader = ToldReader(ENTRIES, [Lying(Side.FACE, corners, Tile("9m"))], go)
    source = open_live(str(video))
    record = RecordFile(tmp_path / "record.jsonl")
    with served(
        LiveTable(reader, source.frames(), record, TableSettings("harbin-hlr", source.name))
    ) as server:
        yield server
    record.close()


@pytest.fixture
def complaints() -> list[str]:
    return []


def test_a_game_is_watched_from_start_to_end(
    browser: Browser,
    server: Served,
    go: threading.Event,
    complaints: list[str],
) -> None:
    page = opened(browser, server.url, PHONE, complaints)
    # The live picture, with the overlay's green outline in it.
    expect(page.locator("#waiting")).to_be_hidden()
    assert page.evaluate(GREEN_PIXELS) > 20
    go.set()
    # The payout, in words and on the drawn table.
    expect(page.locator("#events .payout")).to_contain_text("=1+1 wins")
    expect(page.locator('.plate[data-seat="2"] .points')).to_have_text("5")
    expect(page.locator('.plate[data-seat="0"] .points')).to_have_text("−3")
    expect(page.locator("#bar .who").last).to_have_text("<b>D</b>")
    # The second hand goes on: Bo's tile lies in his river, the impossible one does not.
    expect(page.locator(".river use")).to_have_count(1)
    expect(page.locator("#events .problem").first).to_be_visible()
    expect(page.locator("#status")).to_have_attribute("data-state", "ended")
    expect(page.locator("#events > li")).to_have_count(len(RECORD.splitlines()))
    looked_at(page, "watched")
    # A page that is loaded again, or opened late, shows the same.
    page.reload()
    for shown in (page, opened(browser, server.url, LAPTOP, complaints)):
        expect(shown.locator("#events .payout")).to_have_count(1)
        expect(shown.locator("#events > li")).to_have_count(len(RECORD.splitlines()))
        shown.close()
    assert complaints == []


def test_what_was_missed_is_spoken_once_in_the_chosen_language(
    browser: Browser, server: Served, go: threading.Event, complaints: list[str]
) -> None:
    context = browser.new_context()
    context.add_init_script(
        "window.spoken = []; window.sockets = [];"
        "speechSynthesis.speak = (words) => window.spoken.push([words.lang, words.text]);"
        "window.WebSocket = class extends WebSocket {"
        "  constructor(...given) { super(...given); window.sockets.push(this); } };"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.url)
    expect(page.locator("#status")).to_have_text("watching")
    menu(page)
    choose_language(page, "ja")
    page.get_by_role("button", name="読み上げ").click()
    expect(page.locator("#status")).to_have_text("観戦中")
    # The line breaks; all of the game is played until the page is there again.
    page.evaluate(BREAK_LINE)
    go.set()
    server.wait_for_end()
    expect(page.locator("#status")).to_have_text("映像はここまでです")
    expect(page.locator("#events .payout")).to_contain_text("和了")
    expect(page.locator("#rules")).to_have_text("ハルビン麻雀（制限ルール）")
    expect(page.locator(".plate .dealer")).to_contain_text("東")
    expect(page.locator("#events > li").first).to_contain_text("打牌")
    spoken = page.evaluate("window.spoken")
    assert spoken
    assert {lang for lang, _ in spoken} == {"ja-JP"}
    assert len({text for _, text in spoken}) == len(spoken)
    (payout,) = [text for _, text in spoken if "の和了" in text]
    assert re.search(r"の和了\. .*払います.* \d", payout), payout
    # Slower and quieter, as somebody chose; the voice says so at once.
    menu(page)
    page.get_by_label("音声").select_option("ゆっくり小さめ")
    assert page.evaluate("window.spoken.pop()")[1] == "ゆっくり小さめ"
    # A line that breaks again brings nothing anew.
    assert "接続が切れています" in page.evaluate(BREAK_LINE)
    expect(page.locator("#status")).to_have_text("映像はここまでです")
    assert page.evaluate("window.spoken") == spoken
    # The choice of language outlives a reload, which speaks nothing that was heard before.
    page.reload()
    expect(page.locator("#status")).to_have_text("映像はここまでです")
    menu(page)
    page.get_by_role("button", name="読み上げ").click()
    assert page.evaluate("window.spoken") == []
    assert complaints == []
    context.close()
