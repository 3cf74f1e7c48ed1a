"""What holds for every page and every module of every slice."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import pytest

from service.web import page_files
from service.web.page_files import html_of, modules_of
from service.web.rights import ENTRANCE
from tests.support.live_table import table_of_a_game
from tests.support.paths import STATIC, static_files
from tests.support.served import served

CONTROLS = re.compile(r"<(?:button|form|input|select)\b")
SAID = re.compile(r"^ *ready\(\);$", re.M)
NAMED: Final = re.compile(r'(?:rel="modulepreload" href|type="module" src)="/static/([^"]+)"')
IMPORTED: Final = re.compile(r'^import [^"]*"([^"]+)";$', re.M)
ANY_IMPORT: Final = re.compile(r"""(?:\bfrom|\bimport)\b\s*\(?\s*["'`]([^"'`?]+)""")
OF_MODULE: Final = re.compile(
    r"""^ *(?:import|export)\b\s*(?:[^"'`;=()]*\bfrom\s*)?["'`]"""
    r"""|\bimport\s*\((?!`/static/words/catalogue\.js\?)""",
    re.M,
)
"""But for the words of another language, which are asked for when somebody chooses it."""
COMMENT: Final = re.compile(r"/\*(?s:.*?)\*/|^ *//.*", re.M)
SERVICE: Final = STATIC.parent
PAGES: Final = sorted(static_files(".html"))
MODULES: Final = {name: path for name, path in static_files(".js").items() if "theme" not in name}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_stands_still_until_its_scripts_listen(page: str) -> None:
    """A tap on a button whose script is not there yet would be lost without a word."""
    html = html_of(page, "en")
    (entry,) = re.findall(r'<script type="module" src="/static/([\w./]+)">', html)
    modules = [MODULES[name] for name in modules_of(entry) if name in MODULES]
    ready = [path for path in modules if SAID.search(path.read_text("utf-8"))]
    expected = CONTROLS.search(html) is not None
    assert ("<body inert>" in html, len(ready)) == (expected, int(expected))


def test_every_module_belongs_to_a_page_which_names_all_that_it_needs() -> None:
    """A module that is known only once another was read would be waited for once more."""
    needed = set()
    for page in PAGES:
        html = html_of(page, "en")
        named = NAMED.findall(html)
        (entry,) = re.findall(r'<script type="module" src="/static/([\w./]+)">', html)
        assert sorted(named) == sorted(modules_of(entry)), page
        needed |= {*named}
    assert needed - {"words/catalogue.js"} == {*MODULES}


@pytest.mark.parametrize("name", MODULES)
def test_a_slice_imports_what_is_shared_and_its_own(name: str) -> None:
    """So a page of one slice can be read, and changed, without the others."""
    slice_ = name.partition("/")[0]
    for address in IMPORTED.findall(MODULES[name].read_text("utf-8")):
        own = address.startswith("./")
        assert own or address.startswith(("/static/shared/", "/static/words/"))
        if own:
            assert f"{slice_}/{address[2:]}" in MODULES
        else:
            assert slice_ != address.split("/")[2]


def circle_of(modules: Mapping[str, str]) -> list[str]:
    """Modules, by address and text, of which each imports the next and the last the first."""
    imports = {
        name: {urljoin(f"/static/{name}", each)[8:] for each in ANY_IMPORT.findall(text)}
        for name, text in modules.items()
    }
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle[::-1]
    return []


def test_no_modules_import_each_other() -> None:
    """What two of them share has a module of its own, or one hands it to the other."""
    assert circle_of({name: path.read_text("utf-8") for name, path in MODULES.items()}) == []


@pytest.mark.parametrize(
    "back",
    [
        'import "./one.js";',
        'import {\n  one,\n} from "/static/seat/one.js";',
        'export * from "./one.js";',
        "const one = await import('./one.js');",
    ],
)
def test_a_circle_of_imports_is_found_however_it_is_written(back: str) -> None:
    modules = {
        "seat/one.js": 'import { two } from "./two.js";',
        "seat/two.js": 'import { $ } from "/static/shared/elements.js";\n' + back,
        "shared/elements.js": "",
    }
    circle = circle_of(modules)
    assert {*circle} == {"seat/one.js", "seat/two.js"}
    assert circle[0] == circle[-1]
    assert circle_of({**modules, "seat/two.js": ""}) == []


def is_seen(text: str) -> bool:
    """Whether all that a module imports is found where it is preloaded or put into one file."""
    text = COMMENT.sub("", text)
    return len(OF_MODULE.findall(text)) == len(IMPORTED.findall(text))


def test_every_import_is_written_as_it_is_looked_for() -> None:
    assert [name for name, path in MODULES.items() if not is_seen(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "line",
    [
        'export * from "./one.js";',
        'export { one } from "./one.js";',
        "const one = await import('./one.js');",
        "import { one } from './one.js';",
        'import { one } from "./one.js"',
    ],
)
def test_an_import_that_is_written_otherwise_is_found(line: str) -> None:
    assert not is_seen(f'import {{ two }} from "./two.js";\n{line}\n')


def test_the_entrance_opens_its_own_modules_alone() -> None:
    """What who has no key may read is listed by name."""
    listed = {row.removeprefix("GET /static/") for row in ENTRANCE if row.endswith(".js")}
    assert listed == {*modules_of("shared/enter_page.js"), "shared/theme.js"}


def test_a_page_is_as_new_as_its_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a program may be replaced while it runs: old HTML with new scripts is dead."""
    for folder in ("static", "templates"):
        shutil.copytree(SERVICE / folder, tmp_path / folder)
    with served(table_of_a_game()) as server:
        monkeypatch.setattr(page_files, "SERVICE", tmp_path)
        assert "replaced" not in server.get("/learn").text
        page = tmp_path / "static" / "seat" / "learn.html"
        page.write_text(page.read_text("utf-8") + '<p id="replaced"></p>', "utf-8")
        assert '<p id="replaced">' in server.get("/learn").text


def test_the_application_has_its_icons() -> None:
    app = json.loads((STATIC / "shared" / "manifest.json").read_text("utf-8"))
    assert app["icons"]
    assert all((STATIC / "shared" / icon["src"]).stat().st_size for icon in app["icons"])
