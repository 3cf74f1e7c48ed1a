"""The browser that tests open pages with."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from tests.support.patience import PATIENCE_S

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first has no windows to draw: a page takes it a quarter of the processor time."""
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-quic",
)
PATIENCE_MS = 1000 * PATIENCE_S
PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1366, "height": 800}


PROPER_NAMES: Final = re.compile(
    r"EMA|M(?=リーグ|联赛)|Ray|local|auto|ray-head:6379"
    r"|JSON( Lines)?|CSV|Parquet|GiB|answer|OBS|mjai|tenhou\.net/6|a-z|Ctrl[-+]C|QR|--[a-z-]+"
    r"|[A-Z]{3,}|[xy],[xy]|/dev/[a-z0-9]+"
    r"|tilesight (?:archive )?[a-z]+|(?:https?|rtsp|postgresql|s3)://[\w.:/]*|[\w/]*\.[a-z]+"
    r"|(?:en-native|en|zh|ja|detect|score|serve|east=[\w.]+)(?![a-z])"
)
"""What is the same in every language: formats, commands and what is typed."""


@contextmanager
def chromium(*options: str) -> Iterator[Browser]:
    """A browser of its own; the test is skipped where none is installed."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    expect.set_options(timeout=PATIENCE_MS)  # the machine may have a lot else to do
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *options])
        yield browser
        browser.close()


def opened(browser: Browser, url: str, size: dict[str, int], complaints: list[str]) -> Page:
    page = browser.new_page(viewport={"width": size["width"], "height": size["height"]})
    page.set_default_timeout(PATIENCE_MS)

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.text} ({message.location.get('url', '')})")

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    return page


def menu(page: Page) -> None:
    """Open what stands behind the three lines of the header, where the page has such."""
    page.locator("body:not([inert]) #language").wait_for(state="attached")
    if page.locator("#more").count() and not page.locator("#menu:popover-open").count():
        page.locator("#more").click()


def choose_language(page: Page, lang: str) -> None:
    """Choose a language, and wait until the page speaks it."""
    page.locator("#language").select_option(lang)
    page.locator(f"html[data-language='{lang}']").wait_for()


def events(page: Page) -> None:
    """Bring the list of events to the front, where it shares a place with the picture."""
    page.locator("body:not([inert]) #language").wait_for(state="attached")
    if page.locator("#to-log").is_visible():
        page.locator("#to-log").click()


GREEN_PIXELS = """() => {
  const canvas = document.getElementById("picture");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let green = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 1] > 190 && data[i] < 140 && data[i + 2] < 140) green += 1;
  }
  return green;
}"""
"""How much of the picture is drawn over with the green of an outline."""


BEYOND: Final = """(names) => {
  const head = document.querySelector("body > header").getBoundingClientRect().bottom;
  const foot = document.querySelector("body > footer").getBoundingClientRect().top;
  return [...document.querySelectorAll(names)].filter((each) => {
    const { top, bottom, left, right } = each.getBoundingClientRect();
    return top === bottom || top < head || bottom > foot || left < 0 || right > innerWidth;
  }).map((each) => each.outerHTML);
}"""


def beyond_first_screen(page: Page, names: str) -> list[str]:
    """Which of the elements do not lie between header and footer, before anybody scrolls."""
    beyond: list[str] = page.evaluate(BEYOND, names)
    return beyond


def tap_on(chart: Locator, hand: int) -> None:
    """Tap a chart of points beside what the first player had after a hand, counted from 1."""
    chart.scroll_into_view_if_needed()
    box, point = chart.bounding_box(), chart.locator("circle").nth(hand).bounding_box()
    assert box is not None
    assert point is not None
    across = point["x"] + point["width"] / 2 - box["x"]
    chart.click(position={"x": across, "y": box["height"] / 2})
