"""What holds for every page that lies in ``static``."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import STATIC

CONTROLS = re.compile(r"<(?:button|form|input|select)\b|part: languages")
SAID = re.compile(r"^ *ready\(\);$", re.M)


@pytest.mark.parametrize("page", sorted(path.name for path in STATIC.glob("*.html")))
def test_a_page_stands_still_until_its_scripts_listen(page: str) -> None:
    """A tap on a button whose script is not there yet would be lost without a word."""
    html = (STATIC / page).read_text("utf-8")
    scripts = re.findall(r'src="/static/([\w.]+\.js)"', html)
    ready = [each for each in scripts if SAID.search((STATIC / each).read_text("utf-8"))]
    expected = CONTROLS.search(html) is not None
    assert ("<body inert>" in html, len(ready)) == (expected, int(expected))
