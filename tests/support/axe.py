"""What axe-core objects to in an open page, and what of it can hardly be read."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final

from playwright.sync_api import Page

from tests.support.contrast import COLOURS, Colours, faint

# What is in order stays in the page: told, too, it took 4.0 s of processor for a table, not 1.5 s.
RUN: Final = """(contrast) => axe.run({
  resultTypes: ["violations"], rules: { "color-contrast": { enabled: contrast } },
}).then((found) => found.violations)"""
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def faults(
    page: Page, seen_in: Sequence[Colours] = COLOURS, is_over_picture: bool = False
) -> list[str]:
    """What axe-core objects to in these colours, a line each, and what is faint in any colours.

    Contrast is judged by ``contrast.py``, in a tenth of the time that axe-core takes for it; by
    axe-core on a page that is laid over the picture of another program.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    told = [] if is_over_picture else faint(page)
    for colours in seen_in:
        page.emulate_media(color_scheme=colours)
        found: list[dict[str, Any]] = page.evaluate(RUN, is_over_picture)
        told += [
            f"{colours}: {each['id']}: {[node['html'][:120] for node in each['nodes'][:3]]}"
            for each in found
        ]
    return told
