"""A page as one file: its scripts, styles, drawings, words and data inside, for no network."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import urljoin

from markupsafe import Markup

from service.report.pages import page
from service.report.saved_style import saved_style
from service.texts.catalogue import texts_of
from service.texts.pages import words_script
from service.web.page_files import ABOUT, CATALOGUE, modules_of, static_file

_IMPORTED: Final = re.compile(r'^(import [^"]*)"([^"]+)";$', re.MULTILINE)
_COMMENT: Final = re.compile(r"^ *(?://.*|/\*\*(?s:.*?)\*/)\n", re.MULTILINE)
_KEY: Final = re.compile(r"""["'`=](\w+(?:\.\w+)*\.?)(?:["'`]|\$\{)""")
_IN_SCRIPT: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Signs that end the script, or a line of it."""
_IN_ADDRESS: Final = {ord(sign): f"%{ord(sign):02X}" for sign in "%#\n\r\t"}


def saved_page(address: str, lang: str, title: str, saved: Mapping[str, object]) -> str:
    """Return a page below ``/static/`` as one file.

    Its script finds ``saved`` in the element ``report``. Without scripts ``listing.html`` lists
    the same. A module is imported by its address below ``/static/``: the import map says that it
    is a ``data:`` address, as no browser imports files from a disk.
    """
    text = static_file(address).read_text("utf-8")
    about = dict(ABOUT.findall(text))
    body = ABOUT.sub("", text).strip()
    script = f"{about['script']}.js"
    return page(
        "saved.html",
        lang=lang,
        tag=texts_of(lang)["language.tag"],
        say=texts_of(lang),
        title=title,
        icon=_address("image/svg+xml", static_file("shared/icon.svg").read_bytes()),
        theme=Markup(_plain(static_file("shared/theme.js").read_text("utf-8"))),
        style=Markup(_style(about.get("styles", ""), script, body)),
        modules=Markup(_import_map(script, body, lang)),
        body=Markup(body),
        script=script,
        saved=saved,
        data=Markup(_json(saved)),
    )


def _style(names: str, script: str, body: str) -> str:
    styles = ("shared/style", *names.split())
    scripts = ("shared/theme.js", *_scripts(script))
    used = [body, *(_plain(static_file(name).read_text("utf-8")) for name in scripts), *_around()]
    text = "".join(static_file(f"{name}.css").read_text("utf-8") for name in styles)
    return saved_style(text, "\n".join(used))


@cache
def _around() -> tuple[str, ...]:
    """The templates of every page that stands alone."""
    folder = files("service").joinpath("templates")
    return tuple(
        folder.joinpath(name).read_text("utf-8") for name in ("saved.html", "listing.html")
    )


def _scripts(script: str) -> list[str]:
    return [name for name in modules_of(script) if name != CATALOGUE]


@cache
def _import_map(script: str, body: str, lang: str) -> str:
    texts = {name: _plain(static_file(name).read_text("utf-8")) for name in _scripts(script)}
    keys = {key for text in (body, *texts.values()) for key in _KEY.findall(text)}
    begins = tuple(key for key in keys if key.endswith("."))

    def is_used(key: str) -> bool:
        return key in keys or key.startswith(begins)

    modules = {name: _by_name(name, text) for name, text in texts.items()}
    modules[CATALOGUE] = words_script(lang, is_used)
    kind = "data:text/javascript;charset=utf-8,"
    imports = {name: kind + text.translate(_IN_ADDRESS) for name, text in modules.items()}
    return _json({"imports": imports})


def _by_name(name: str, text: str) -> str:
    """The module with all that it imports by its address below ``/static/``."""

    def renamed(found: re.Match[str]) -> str:
        other = urljoin(f"/static/{name}", found[2]).removeprefix("/static/")
        return f'{found[1]}"{other}";'

    return _IMPORTED.sub(renamed, text)


def _plain(script: str) -> str:
    """A script without its comments."""
    return _COMMENT.sub("", script)


def _json(value: object) -> str:
    """JSON that ends no script, whatever people are called."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_IN_SCRIPT)


def _address(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{b64encode(data).decode()}"
