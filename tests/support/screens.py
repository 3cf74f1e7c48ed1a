"""Every screen as people see it: where it stands, the way there, and what must hold on it.

What is asked of all screens alike is asked here and nowhere else: at all widths all fits, fingers
hit it, figures are whole, all can be told from its ground in light and in dark colours, and in no
language is there a word of another one or of the program's inside.

A state that any table comes to is a row of ``STATES``, with its way there; a test whose table is
its own says ``looked_at`` or ``in_every_language`` where the state stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import Browser, Page, expect

from engine.events import Win
from engine.texts.files import LANGUAGES
from service.seat.learn import PAGES as LEARN_PAGES
from service.web.keys import seat_address, table_address, teacher_address
from service.web.language import CHOSEN
from tests.support.browsing import PATIENCE_MS, PROPER_NAMES, choose_language, menu
from tests.support.contrast import can_be_read
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES

LINES = 200
"""Of the riichi sample: a hand that is under way."""
MY_TURN = 24
"""Of the same: somebody has drawn, and has yet to discard."""
WON = next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))
"""Of the same: the line that tells the first win."""
WINNER = next(one.event.seat for one in ENTRIES if isinstance(one.event, Win))

Way = Callable[[Page], None]


@dataclass(frozen=True)
class Screen:
    """A state of a page of a table."""

    address: str
    shown: str
    """What is there once the page has come."""
    way: Way | None = None
    """From there to the state. It is gone anew in each language: over what some states open, none
    can be chosen."""
    lines: int = LINES
    """Of the sample, that have been played at the table."""
    is_over_picture: bool = False
    """Of another program: nobody knows from what ground its words are to be told."""

    def come(self, page: Page) -> None:
        """Wait for the page, and go the way."""
        expect(page.locator(self.shown).first).to_be_visible()
        if self.way is not None:
            self.way(page)


TABLE: Final = (table_address("", KEYS.control), "#table .mendable")
SEAT: Final = (seat_address("", KEYS.seats[1]), "#table svg")
GAME: Final = (f"/game#{KEYS.control}", "#hands button")
DRILL: Final = (f"/drill#{KEYS.seats[1]}", "#hand button")
LESSONS: Final = (f"/lessons#{KEYS.seats[1]}", "#offers button")
TEACHER: Final = (teacher_address("", KEYS.teacher), "#topics button")
PAGES: Final[Mapping[str, Screen]] = {
    "table": Screen(*TABLE),
    "seat": Screen(*SEAT),
    "seat-led": Screen(f"/seat?lead#{KEYS.seats[1]}", "#first-hand li"),
    "game": Screen(*GAME),
    "drill": Screen(*DRILL),
    "learn": Screen(f"/learn#{KEYS.seats[1]}", "#games button"),
    **{
        f"learn-{name}": Screen(f"/learn?rules=riichi&page={name}#{KEYS.seats[1]}", "#rows li")
        for name in LEARN_PAGES
    },
    "lessons": Screen(*LESSONS),
    "practice": Screen(f"/practice?rules=riichi#{KEYS.seats[1]}", "#hand button"),
    "teacher": Screen(*TEACHER),
    "stream": Screen("/stream#table=1", "#bar li", is_over_picture=True),
}
"""Of a table, as they come."""


def mending(kind: str) -> Way:
    """To the form of an event."""

    def way(page: Page) -> None:
        page.locator("#add").click()
        page.locator("#mend-type").select_option(kind)
        expect(page.locator("#mend-content")).not_to_be_empty()

    return way


def to_room(room: str, shown: str) -> Way:
    """To one of the rooms of a game's page."""

    def way(page: Page) -> None:
        page.locator(f"#rooms [data-room={room}]").click()
        expect(page.locator(shown).first).to_be_visible()

    return way


def told_by_the_coach(page: Page) -> None:
    """A hint, the answer to a question, and the terms."""
    page.locator("#hint").click()
    expect(page.locator("#advice li").first).to_be_visible()
    page.locator("#ask").click()
    page.locator("#questions button").first.click()
    expect(page.locator("#answer li").first).to_be_visible()


def own_result(page: Page) -> None:
    """What the seat won, line by line."""
    expect(page.locator("#own-result")).to_be_visible()
    page.locator("#said .payout summary").first.click()
    expect(page.locator("#said .payout li").first).to_be_visible()


def in_pictures(page: Page) -> None:
    """A hand in pictures: here the table as it was drawn."""
    page.locator("#chosen .story summary").click()
    expect(page.locator("#chosen .strip .felt").first).to_be_visible()


def choosing(page: Page) -> None:
    """A choice, beside the best and what was played."""
    page.locator("#hand button:enabled").first.click()
    page.locator("#compared summary").first.click()
    expect(page.locator("#compared .wanted .tile").first).to_be_visible()


def mistakes(page: Page) -> None:
    page.locator("#to-mistakes").click()
    page.locator("#rank").click()
    expect(page.locator("#mistakes li").first).to_be_visible()


def review(page: Page) -> None:
    """What the seat's game cost, and a decision of it."""
    page.locator("#to-mistakes").click()
    page.locator("#make-review").click()
    expect(page.locator("#costliest li").first).to_be_visible()


def sharing(page: Page) -> None:
    """The player is asked for a teacher, says yes, and is told so as long as it is."""
    page.evaluate(_TEACHES, [KEYS.teacher, "the-browser-of-a-teacher"])
    either = page.locator("#share-yes:visible, #taught:visible").first
    expect(either).to_be_visible()
    if either.get_attribute("id") == "share-yes":  # in the next language it is shared already
        either.click()
    expect(page.locator("#taught")).to_be_visible()


def asked_for_a_teacher(page: Page) -> None:
    page.evaluate(_TEACHES, [KEYS.teacher, "the-browser-of-a-teacher"])
    expect(page.locator("#share-asked")).to_be_visible()


def taught(page: Page) -> None:
    """What two players share, and the report of their evening."""
    for seat in (0, 2):
        page.evaluate(_SHARES, KEYS.seats[seat])
    expect(page.locator(".learner .hand .tile").first).to_be_visible()
    page.locator("#make").click()
    expect(page.locator("#reports li").first).to_be_visible()
    for seat in (0, 2):
        page.evaluate(_SHARES_NOT, KEYS.seats[seat])


def searched(page: Page) -> None:
    """One word of a game, which is typed."""
    name = page.locator("#rows li b").nth(4).inner_text()
    page.locator("#search").fill(name)
    expect(page.locator("#rows li:visible").first).to_contain_text(name)


def answering(page: Page) -> None:
    """An exercise, right or wrong."""
    page.locator("#offers button:enabled").first.click()
    expect(page.locator("#verdict")).not_to_be_empty()


_SAYS: Final = """(path, key, body) => fetch(path, {
  method: "POST", body: JSON.stringify(body),
  headers: {"Authorization": `Bearer ${key}`, "Content-Type": "application/json"},
})"""
_TEACHES: Final = f"([key, device]) => ({_SAYS})('/api/teacher', key, {{ device }})"
_SHARES: Final = f"key => ({_SAYS})('/api/sharing', key, {{ on: true }})"
_SHARES_NOT: Final = f"key => ({_SAYS})('/api/sharing', key, {{ on: false }})"

STATES: Final[Mapping[str, Screen]] = {
    "table-menu": Screen(*TABLE, menu),
    "seat-menu": Screen(*SEAT, menu),
    **{
        f"mend-{kind}": Screen(*TABLE, mending(kind))
        for kind in ("discard", "win", "game_start", "dice")
    },
    "table-result": Screen(TABLE[0], "#result .laid .tile", lines=WON + 2),
    "seat-told": Screen(*SEAT, told_by_the_coach, MY_TURN),
    "seat-result": Screen(seat_address("", KEYS.seats[WINNER]), "#own-result", own_result, WON + 1),
    "drill-chosen": Screen(*DRILL, choosing),
    "drill-mistakes": Screen(*DRILL, mistakes),
    "drill-review": Screen(*DRILL, review),
    "lesson-answered": Screen(*LESSONS, answering),
    "game-story": Screen(*GAME, in_pictures, len(ENTRIES)),
    "seat-asked": Screen(seat_address("", KEYS.seats[3]), "#table svg", asked_for_a_teacher),
    "seat-shared": Screen(seat_address("", KEYS.seats[0]), "#table svg", sharing),
    "teacher-taught": Screen(*TEACHER, taught),
    "learn-searched": Screen(
        f"/learn?rules=riichi&page=words#{KEYS.seats[1]}", "#rows li", searched
    ),
    "game-replay": Screen(*GAME, to_room("replay", "#foot")),
    "game-files": Screen(*GAME, to_room("files", "#forms button")),
}
"""Of a table: what a person has opened, or what has happened there."""
POPOVERS: Final[Mapping[str, tuple[Screen, str]]] = {
    **{f"{name}-menu": (PAGES[name], "#more") for name in ("table", "seat", "game", "drill")},
    "lessons-menu": (PAGES["lessons"], "#more"),
    "drill-review": (PAGES["drill"], "#to-mistakes"),
    "drill-questions": (STATES["drill-chosen"], "#ask"),
}
"""Of a table: what opens over a page, and what opens it."""
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
    r"\b[0-9][mpszf]\b|\b[Ss]eat [0-3]\b|[0-3]号位|席[0-3]|\b100\s%|\.jpe?g|--[a-z]+|\bconfidence\b"
    r"|\{[a-z_]+\}|@[0-9]|(?<!arrow )\bkeys?\b|密钥|鍵|\btime is up\b|时间到|時間切れ"
)
"""What is inside the program only: codes of tiles, numbers of seats, files, options, the gaps of
texts, places of events, keys, and how a film ends."""
OWN_NAMES: Final = re.compile(
    r"Aki|Anna|Ben|Bo|Chen|Chie|Chiyo|Dana?|Eve|Club league|The north table|[Nn]orth|tilesight"
    r"|English(?: \(native\))?|[A-Za-z0-9.-]+\.(?:jsonl?|mp4)"
)
"""What the tests themselves call people, tables and files."""
TOO_LOW: Final = """least => [...document.querySelectorAll(
  "button, select, summary, header a"
)].filter(
  (each) => each.checkVisibility() && each.getBoundingClientRect().height < least - 0.5
).map((each) => each.outerHTML)"""
CUT: Final = r"""() => {
  const shown = document.querySelector("dialog:modal, [popover]:popover-open") ?? document.body;
  const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  const part = document.createRange();
  const cut = [];
  const clips = (overflow) => ["hidden", "clip"].includes(overflow);
  // Nothing of it is to be seen, or only a part of it.
  const hides = (box, around, { overflowX, overflowY }) =>
    (clips(overflowX) && (box.right <= around.left || box.left >= around.right))
    || (clips(overflowY) && (box.bottom <= around.top + 3 || box.top >= around.bottom - 3));
  const cuts = (box, around, { overflowX, overflowY }) =>
    (clips(overflowX) && (box.right > around.right + 1.5 || box.left < around.left - 1.5))
    || (clips(overflowY) && (box.bottom > around.bottom + 3 || box.top < around.top - 3));
  while (texts.nextNode()) {
    const { parentElement: own, textContent } = texts.currentNode;
    // The year in the name of a game is no figure: a name may end in "…".
    if (own.closest("script, style, option, .unseen, .choose-game > span") || !own.checkVisibility({
      visibilityProperty: true, opacityProperty: true })) continue;
    for (const found of textContent.matchAll(
      /(?<![\p{L}\d.:\/_-])[+\u2212]?\d{2,}(?![\p{L}\d:\/_-])/gu
    )) {
      part.setStart(texts.currentNode, found.index);
      part.setEnd(texts.currentNode, found.index + found[0].length);
      const lines = [...part.getClientRects()].filter(({ width }) => width > 0);
      if (new Set(lines.map(({ top }) => Math.round(top / 4))).size > 1) {
        cut.push(`${found[0]} in ${own.outerHTML}`);
      }
      const around = [];
      for (let each = own; each !== null; each = each.parentElement) {
        const style = getComputedStyle(each);
        if (["auto", "scroll"].includes(style.overflowY) || style.clipPath !== "none") break;
        if (each instanceof SVGElement && each.ownerSVGElement !== null) continue;
        around.push([each.getBoundingClientRect(), style]);
      }
      const first = lines[0];
      if (first === undefined || around.some(([box, style]) => hides(first, box, style))) continue;
      if (around.some(([box, style]) => cuts(first, box, style))) {
        cut.push(`${found[0]} in ${own.outerHTML}`);
      }
    }
  }
  return cut;
}"""
"""Figures of which a part is hidden, or that are broken over two lines. Names may be cut, and a
whole line; what a finger draws aside is not hidden."""
NAMES_APART: Final = """() => [...document.querySelectorAll("svg .plate")].flatMap((plate) => {
  const room = plate.closest("svg").querySelector(".console").getBBox();
  return [...plate.querySelectorAll("text")].filter((each) => {
    const { x, y, width, height } = each.getBBox();
    return x < room.x || x + width > room.x + room.width
      || [...plate.querySelectorAll("text")].some((other) => {
        const beside = other.getBBox();
        return other !== each && x < beside.x + beside.width - 1 && beside.x < x + width - 1
          && y + height / 2 > beside.y + 4 && y + height / 2 < beside.y + beside.height - 4;
      });
  }).map((each) => each.textContent);
})"""
"""Texts of the felt's plates that leave the middle of the felt, or lie on another."""
FITS: Final = "() => document.documentElement.scrollWidth <= innerWidth"
"""Nothing sticks out at the side."""
STANDING: Final = f"""(least) => ({{
  fits: ({FITS})(), cut: ({CUT})(), apart: ({NAMES_APART})(), low: ({TOO_LOW})(least),
}})"""
"""All of these at once: to ask for each took longer than what is asked."""


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


def stands_here(page: Page, name: str) -> None:
    """At the size that the page has, nothing sticks out and no figure is cut, and on a phone a
    finger hits all that can be tapped."""
    assert page.viewport_size is not None
    width = page.viewport_size["width"]
    found = page.evaluate(STANDING, FINGER_PX)
    assert found["fits"], (name, width)
    assert found["cut"] == [], (name, width, found["cut"])
    assert found["apart"] == [], (name, width)
    if width < HIGH:
        assert found["low"] == [], (name, width)


def stands(page: Page, name: str, widths: Sequence[int] = WIDTHS, contrast: bool = True) -> None:
    """The same at each of these widths, and all that is shown can be read in light and in dark
    colours. The page is left at the size that it had."""
    size = page.viewport_size
    assert size is not None
    for width in widths:
        page.set_viewport_size({"width": width, "height": HIGH})
        stands_here(page, name)
    if contrast:
        can_be_read(page, name)
    page.set_viewport_size(size)


def looked_at(
    page: Page,
    name: str,
    lang: str | None = None,
    widths: Sequence[int] = WIDTHS,
    contrast: bool = True,
) -> None:
    """The same, and all that is said is in the language of the page, or in this one."""
    lang = lang or page.locator("html").get_attribute("data-language") or LANGUAGES[0]
    # The words of a player's own language are English ones but for a few.
    stands(page, name, WIDTHS[-1:] if lang == "en-native" else widths, contrast)
    said = page.locator("body").inner_text()
    for typed in page.locator("code").all_inner_texts():  # the same in every language
        said = said.replace(typed, "")
    assert KEY.findall(said) == [], name
    inside = INSIDE.findall(OWN_NAMES.sub("", said))
    assert inside == [], (name, lang, inside)
    if lang in ("zh", "ja"):
        left = re.findall("[A-Za-z]{2,}", PROPER_NAMES.sub("", OWN_NAMES.sub("", said)))
        assert left == [], (name, lang, left)


def in_every_language(
    page: Page,
    name: str,
    screen: Screen | None = None,
    then: Callable[[str], None] = lambda _: None,
    widths: Sequence[int] = WIDTHS,
) -> None:
    """The same in each language that the page offers; the one that it had is the last.

    With a screen that has a way, the way is gone in each. ``then`` is called with the language
    once it is chosen.
    """
    contrast = screen is None or not screen.is_over_picture
    chooser = page.locator("#language")
    if not chooser.count():
        looked_at(page, name, LANGUAGES[0], widths, contrast)
        return
    page.locator("body:not([inert]) #language").wait_for(state="attached")
    had = chooser.input_value()
    for lang in (*(each for each in LANGUAGES if each != had), had):
        if screen is not None and screen.way is not None:
            page.context.add_cookies([{"name": CHOSEN, "value": lang, "url": page.url}])
            page.reload()
            page.locator(f"html[data-language='{lang}']").wait_for()
            screen.come(page)
        else:
            menu(page)
            choose_language(page, lang)
            page.keyboard.press("Escape")
        then(lang)
        # Colours are the same in all of them.
        looked_at(page, f"{name}-{lang}", lang, widths, contrast and lang == had)
