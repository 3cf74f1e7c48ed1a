"""Whether what is typed, and what stands on buttons, can be read in light and in dark colours."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

from tests.support.axe import COLOURS

LEAST: Final = 4.5
"""Contrast that the guidelines for accessible pages ask of text."""
FAINT: Final = """least => {
  const parsed = (text) => text.match(/[0-9.]+/g).map(Number);
  const light = (rgb) => rgb.slice(0, 3).map((each) => each / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const ground = parsed(getComputedStyle(each).backgroundColor);
      if (ground.length < 4 || ground[3] > 0) return light(ground);
    }
    return 1;
  };
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const typed = "input:not([type=checkbox], [type=radio], [type=range]), select, textarea";
  return [...document.querySelectorAll(`${typed}, button`)].filter((each) => each.checkVisibility()
      && !each.disabled && (each.matches(typed) || each.innerText.trim() !== ""))
    .map((each) => [each, contrast(light(parsed(getComputedStyle(each).color)), behind(each))])
    .filter(([, contrast]) => contrast < least)
    .map(([each, contrast]) => `${contrast.toFixed(2)} ${each.outerHTML.slice(0, 120)}`);
}"""
"""Fields and buttons whose text is hardly told from its ground."""
OPENED: Final = "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def all_can_be_read(page: Page, name: str) -> None:
    page.evaluate(OPENED)
    for colours in COLOURS:
        page.emulate_media(color_scheme=colours)
        assert page.evaluate(FAINT, LEAST) == [], (name, colours)
