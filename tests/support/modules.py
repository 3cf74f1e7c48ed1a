"""What modules of a page export, by name for a test that asks the page in its own language."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

_NAMED: Final = """async (addresses) => {
  for (const module of await Promise.all(addresses.map((each) => import(each)))) {
    for (const name of Object.keys(module)) {
      Object.defineProperty(window, name, { get: () => module[name], configurable: true });
    }
  }
}"""


def name_exports(page: Page, *modules: str) -> None:
    """Name what each module exports, such as ``shared/felt``, until the page is loaded anew."""
    page.evaluate(_NAMED, [f"/static/{module}.js" for module in modules])
