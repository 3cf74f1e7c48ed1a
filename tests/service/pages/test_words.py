"""What the pages say stands in every language, with the same gaps."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.paths import STATIC

TABLES = re.compile(r"^addWords\((\{.*?^\})\);", re.M | re.S)
FIRST = re.compile(r"^const WORDS = (\{.*?^\});", re.M | re.S)

Words = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def tables(browser: Browser) -> dict[str, list[Words]]:
    """The tables of every script, as a browser reads them."""
    page = browser.new_page()
    read: dict[str, list[Words]] = {}
    for script in sorted(STATIC.glob("*.js")):
        text = script.read_text("utf-8")
        found = [*FIRST.findall(text), *TABLES.findall(text)]
        if found:
            read[script.name] = [page.evaluate(f"({table})") for table in found]
    page.close()
    return read


def gaps(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_every_word_stands_in_every_language(tables: dict[str, list[Words]]) -> None:
    assert "words.js" in tables
    for name, each in tables.items():
        for table in each:
            assert set(table) == {"en", "zh", "ja"}, name
            for key, text in table["en"].items():
                for lang in ("zh", "ja"):
                    said = table[lang].get(key, "")
                    assert said.strip(), (name, lang, key)
                    assert gaps(said) == gaps(text), (name, lang, key)
            assert len({frozenset(words) for words in table.values()}) == 1, name


def scripts_of(page: str) -> list[str]:
    return re.findall(r'src="/static/([\w.]+\.js)"', (STATIC / page).read_text("utf-8"))


@pytest.mark.parametrize("page", sorted(path.name for path in STATIC.glob("*.html")))
def test_a_page_says_only_what_it_knows_and_nothing_twice(
    tables: dict[str, list[Words]], page: str
) -> None:
    known: dict[str, Any] = {}
    for script in scripts_of(page):
        for table in tables.get(script, []):
            twice = set(known) & set(table["en"])
            assert not twice, (script, twice)
            known |= table["en"]
    html = (STATIC / page).read_text("utf-8")
    wanted = set(re.findall(r'data-(?:word|label)="([\w.]+)"', html))
    for script in scripts_of(page):
        wanted |= set(re.findall(r'\bword\("([\w.]+)"', (STATIC / script).read_text("utf-8")))
    assert wanted <= set(known), wanted - set(known)
