"""Every page as people see it: where it stands, how one gets there, and what must hold on screens.

What is asked of all pages alike is asked here: all fits, fingers hit it, figures are whole, and in
no language is there a word of another one or of the program's inside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from playwright.sync_api import Browser, Page

from engine.texts.files import LANGUAGES
from service.web.keys import seat_address, table_address
from tests.support.browsing import PATIENCE_MS, PROPER_NAMES, choose_language, fits, menu
from tests.support.keys import KEYS

LINES = 200
"""Of the riichi sample: a hand that is under way."""
PAGES = {
    "table": (table_address("", KEYS.control), "#table .mendable"),
    "seat": (seat_address("", KEYS.seats[1]), "#table svg"),
    "game": (f"/game#{KEYS.control}", "#hands button"),
    "drill": (f"/drill#{KEYS.seats[1]}", "#hand button"),
    "learn": (f"/learn#{KEYS.seats[1]}", "#games button"),
    "learn-pays": (f"/learn?rules=riichi&page=pays#{KEYS.seats[1]}", "#rows li"),
    "lessons": (f"/lessons#{KEYS.seats[1]}", "#offers button"),
    "stream": ("/stream#table=1", "#bar li"),
}
"""Of a table: the address, and what is there once the page has come."""
HALL_PAGES = {
    "": ".card",
    "tables/north": "#table svg",
    "players": "#everybody li",
    "archive": "#search",
    "players/1": "#games td",
    "leagues": "#seasons a",
    "leagues/1": "#people li",
    "watch": "#watched svg",
}
"""Of a hall."""
WIDTHS: Final = (1280, 768, 360)
HIGH: Final = 844
FINGER_PX: Final = 44

KEY: Final = re.compile(r"\bpage\.[a-z_]+(?:\.[a-z_]+)*")
"""What a page shows where a text is missing."""
INSIDE: Final = re.compile(
    r"\b[0-9][mpszf]\b|\b[Ss]eat 0|\b100 %|\.jpe?g|--[a-z]+|\bconfidence\b|\{[a-z_]+\}"
)
"""What is inside the program only: codes of tiles, numbers of seats, files, options and the gaps
of texts."""
OWN_NAMES: Final = re.compile(
    r"Aki|Anna|Ben|Bo|Chen|Chie|Chiyo|Dana?|Club league|The north table|north|tilesight"
    r"|English(?: \(native\))?|[A-Za-z0-9.-]+\.(?:jsonl?|mp4)"
)
"""What the tests themselves call people, tables and files."""
TOO_LOW: Final = """least => [...document.querySelectorAll(
  "button, select, summary, header a"
)].filter(
  (each) => each.checkVisibility() && each.getBoundingClientRect().height < least - 0.5
).map((each) => each.outerHTML)"""
CUT: Final = """() => [...document.querySelectorAll("td, td *, #bar *")]
  .filter((each) => /^[+\\u2212]?[0-9]+$/.test(each.textContent) && each.checkVisibility()
    && getComputedStyle(each).overflow !== "visible" && each.scrollWidth > each.clientWidth)
  .map((each) => each.outerHTML)"""
"""Figures of which a part is hidden."""


def touched(browser: Browser, url: str, complaints: list[str], width: int = WIDTHS[0]) -> Page:
    """Open a page on a screen with touch; what it complains of is added to ``complaints``."""
    # A phone that is a camera knows nobody who vouches for the program's own certificate.
    page = browser.new_page(
        viewport={"width": width, "height": HIGH}, has_touch=True, ignore_https_errors=True
    )
    page.set_default_timeout(PATIENCE_MS)
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    return page


def stands(page: Page, name: str, widths: Sequence[int] = WIDTHS) -> None:
    """Nothing sticks out, no figure is cut, and on a phone a finger hits all that can be tapped."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": HIGH})
        assert fits(page), (name, width)
        assert page.evaluate(CUT) == [], (name, width)
        if width < HIGH:
            assert page.evaluate(TOO_LOW, FINGER_PX) == [], (name, width)


def looked_at(page: Page, name: str, lang: str = "en") -> None:
    """The same, and all that is said is in the language of the page."""
    # The words of a player's own language are English ones but for a few.
    stands(page, name, WIDTHS[-1:] if lang == "en-native" else WIDTHS)
    said = page.locator("body").inner_text()
    assert KEY.findall(said) == [], name
    assert INSIDE.findall(OWN_NAMES.sub("", said)) == [], (name, lang)
    if lang in ("zh", "ja"):
        said = PROPER_NAMES.sub("", OWN_NAMES.sub("", said))
        assert re.findall("[A-Za-z]{2,}", said) == [], (name, lang)


def in_every_language(page: Page, name: str) -> None:
    chooser = page.locator("#language")
    for lang in LANGUAGES if chooser.count() else ["en"]:
        if chooser.count():
            menu(page)
            choose_language(page, lang)
            page.keyboard.press("Escape")
        looked_at(page, f"{name}-{lang}", lang)
