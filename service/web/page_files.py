"""The files of pages: whole HTML by a page's address, and the modules that its script imports."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final
from urllib.parse import urljoin

from service.texts.catalogue import texts_of

SERVICE: Final = files("service")
CATALOGUE: Final = "words/catalogue.js"
_PART: Final = re.compile(r"<!-- part: (\w+) -->")
ABOUT: Final = re.compile(r"<!-- (title|only|styles|script): ([^>]*?) -->\n")
_IMPORT: Final = re.compile(r'^import [^"]*"([^"]+)";$', re.MULTILINE)
_CONTROLS: Final = re.compile(r"<(?:button|form|input|select)\b")
CLUB: Final = ("hall", "archive")
"""Slices whose files lie in their own folders; those of the others lie in ``static``."""


def folder_of(address: str) -> tuple[Traversable, str]:
    """The folder of a file below ``/static/``, and the file's path in it."""
    slice_, _, name = address.partition("/")
    if slice_ in CLUB:
        return SERVICE / slice_ / "static", name
    return SERVICE / "static", address


def static_file(address: str) -> Traversable:
    folder, name = folder_of(address)
    return folder / name


def html_of(address: str, lang: str) -> str:
    """Return a page by its address below ``/static/``; ``<!-- part: NAME -->`` includes a template.

    The first lines name its styles and its script. With controls it stands still until the script
    says that it listens: a tap on what has no script yet would be lost without a word.

    It is read anew each time, as its scripts are: so they fit where the program's files are
    replaced while it runs.
    """
    text = static_file(address).read_text("utf-8")
    about = dict(ABOUT.findall(text))
    body = _PART.sub(lambda found: _part(found[1]), ABOUT.sub("", text)).strip()
    first, *others = modules_of(f"{about['script']}.js")
    styles = ("shared/style", *about.get("styles", "").split())
    texts = texts_of(lang)
    return _part("page").format(
        lang=texts["language.tag"],
        failed=escape(texts["page.not_loaded"]),
        again=escape(texts["page.refused.again"]),
        root=f' data-only="{about["only"]}"' if "only" in about else "",
        title=about.get("title", "tilesight"),
        styles="\n".join(f'<link rel="stylesheet" href="/static/{style}.css">' for style in styles),
        inert=" inert" if _CONTROLS.search(body) else "",
        body=body,
        # All at once: each module is known to the browser only once another was read.
        preloads="\n".join(f'<link rel="modulepreload" href="/static/{name}">' for name in others),
        script=f'<script type="module" src="/static/{first}"></script>',
    )


def modules_of(address: str) -> tuple[str, ...]:
    """A script of a page and all that it imports, by their addresses below ``/static/``."""
    known = [address]
    for name in known:  # grows meanwhile
        if name != CATALOGUE:
            text = static_file(name).read_text("utf-8")
            base = f"/static/{name}"
            found = (urljoin(base, each).removeprefix("/static/") for each in _IMPORT.findall(text))
            known.extend(dict.fromkeys(each for each in found if each not in known))
    return tuple(known)


def _part(name: str) -> str:
    return (SERVICE / "templates" / f"{name}.html").read_text("utf-8").strip()
