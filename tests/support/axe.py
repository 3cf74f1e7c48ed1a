"""What axe-core objects to in an open page."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def faults(page: Page) -> list[str]:
    """What axe-core objects to, a line each."""
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate("axe.run()")["violations"]
    return [
        f"{each['id']}: {each['help']}: {[node['html'][:120] for node in each['nodes'][:3]]}"
        for each in found
    ]
