"""What axe-core objects to in an open page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final, Literal

from playwright.sync_api import Page

Colours = Literal["light", "dark"]
COLOURS: Final[tuple[Colours, ...]] = ("light", "dark")
# What is in order stays in the page: told, too, it took 4.0 s of processor for a table, not 1.5 s.
RUN: Final = 'axe.run({ resultTypes: ["violations"] }).then((found) => found.violations)'
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def faults(page: Page, seen_in: Sequence[Colours] = COLOURS) -> list[str]:
    """What axe-core objects to in these colours, a line each."""
    page.evaluate(AXE)
    told = []
    for colours in seen_in:
        page.emulate_media(color_scheme=colours)
        found: list[dict[str, Any]] = page.evaluate(RUN)
        told += [
            f"{colours}: {each['id']}: {[node['html'][:120] for node in each['nodes'][:3]]}"
            for each in found
        ]
    return told
