"""What holds for every page that lies in ``static``."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from service.web.static_pages import html_of
from tests.support.paths import STATIC

CONTROLS = re.compile(r"<(?:button|form|input|select)\b")
DECLARED = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.M)
SAID = re.compile(r"^ *ready\(\);$", re.M)


@pytest.mark.parametrize("page", sorted(path.name for path in STATIC.glob("*.html")))
def test_a_page_stands_still_until_its_scripts_listen(page: str) -> None:
    """A tap on a button whose script is not there yet would be lost without a word."""
    html = html_of(page)
    scripts = re.findall(r'src="/static/([\w.]+\.js)"', html)
    ready = [script for script in scripts if SAID.search((STATIC / script).read_text("utf-8"))]
    expected = CONTROLS.search(html) is not None
    assert ("<body inert>" in html, len(ready)) == (expected, int(expected))


@pytest.mark.parametrize("page", sorted(path.name for path in STATIC.glob("*.html")))
def test_no_two_scripts_of_a_page_declare_one_name(page: str) -> None:
    """Scripts of a page share their names; the later declaration would replace the earlier."""
    html = html_of(page)
    scripts = [STATIC / each for each in re.findall(r'src="/static/([\w.]+\.js)"', html)]
    names = Counter(
        name for script in scripts for name in DECLARED.findall(script.read_text("utf-8"))
    )
    assert [name for name, times in names.items() if times > 1] == []


def test_the_application_has_its_icons() -> None:
    app = json.loads((STATIC / "manifest.json").read_text("utf-8"))
    assert app["icons"]
    assert all((STATIC / icon["src"]).stat().st_size for icon in app["icons"])
