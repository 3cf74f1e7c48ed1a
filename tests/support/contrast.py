"""Whether all that stands on a page can be read in light and in dark colours."""

from __future__ import annotations

from typing import Final, Literal

from playwright.sync_api import Page

Colours = Literal["light", "dark"]
COLOURS: Final[tuple[Colours, ...]] = ("light", "dark")
LEAST: Final = 4.5
"""Contrast that the guidelines for accessible pages ask of text."""
LEAST_LARGE: Final = 3.0
"""The same of text of 24 pixels, or of 18.66 bold ones."""
FAINT: Final = """([least, leastLarge]) => {
  const parsed = (text) => {
    const [r, g, b, alpha = 1] = text.match(/[0-9.]+(?:e-?[0-9]+)?/g).map(Number);
    return [...[r, g, b].map((each) => text.startsWith("color(") ? each * 255 : each), alpha];
  };
  const over = (front, ground) => [0, 1, 2].map(
    (at) => front[at] * front[3] + ground[at] * (1 - front[3]));
  const ground = (element) => {
    if (element === null) return [255, 255, 255];
    const style = getComputedStyle(element);
    if (style.backgroundImage !== "none") return null;
    const own = parsed(style.backgroundColor);
    const behind = own[3] === 1 ? [0, 0, 0] : ground(element.parentElement);
    return behind && over(own, behind);
  };
  const light = (rgb) => rgb.map((each) => each / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const typed = "input:not([type=checkbox], [type=radio], [type=range], [type=file]),"
    + "select, textarea";
  const says = (element) => element.matches(typed) || (element.checkVisibility({
    opacityProperty: true, visibilityProperty: true })
    && [...element.childNodes].some((each) => each.nodeType === 3 && each.data.trim() !== ""));
  const asked = (element) => {
    const { fontSize, fontWeight } = getComputedStyle(element);
    const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    return large && !element.closest("button, input, select, textarea") ? leastLarge : least;
  };
  return [...document.body.querySelectorAll("*")]
    .filter((each) => !(each instanceof SVGElement) && each.checkVisibility() && says(each)
      && each.closest(":disabled, [inert], [aria-disabled=true], script, style, option") === null)
    .map((each) => {
      const behind = ground(each);
      const own = parsed(getComputedStyle(each).color);
      return [each, behind && contrast(light(over(own, behind)), light(behind)), asked(each)];
    })
    .filter(([, told, needed]) => told !== null && told < needed)
    .map(([each, told]) => `${told.toFixed(2)} ${each.outerHTML.slice(0, 120)}`);
}"""
"""What is hardly told from its ground. Pictures behind a text are not judged."""
OPENED: Final = "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def faint(page: Page) -> list[str]:
    """What can hardly be read in light or in dark colours, a line each."""
    told = []
    for colours in reversed(COLOURS):  # a page is left in those that it began with
        page.emulate_media(color_scheme=colours)
        found: list[str] = page.evaluate(FAINT, [LEAST, LEAST_LARGE])
        told += [f"{colours}: {each}" for each in found]
    return told


def can_be_read(page: Page, name: str) -> None:
    """All that is shown, in both."""
    assert faint(page) == [], name


def all_can_be_read(page: Page, name: str) -> None:
    """And what is folded up."""
    page.evaluate(OPENED)
    can_be_read(page, name)
