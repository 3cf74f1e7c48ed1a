"""The gettext files in which translators keep the texts: a folder ``texts`` in each package."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Final

_FIRST: Final = ("en", "zh", "ja")
"""The order in which languages are listed; later ones follow by name."""


_FORMS: Final = re.compile(r"[^{}|]*\|[^{}|]*")
_LINE: Final = re.compile(
    r'(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d+\])\s*)?"((?:[^"\\]|\\.)*)"'
)
_KEY: Final = "msgid"
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "b": "\b", "f": "\f"}


def _languages() -> tuple[str, ...]:
    names = (file.name for file in files("engine").joinpath("texts").iterdir())
    found = sorted(name.removesuffix(".po") for name in names if name.endswith(".po"))
    return tuple(sorted(found, key=lambda lang: (*_FIRST, lang).index(lang)))


LANGUAGES: Final = _languages()


def base_of(lang: str) -> str | None:
    """The language whose texts a variant such as ``en-native`` changes; None for no variant."""
    base, dash, _ = lang.partition("-")
    return base if dash and base in LANGUAGES else None


LARGEST: Final = 1024 * 1024
"""Bytes of one file; the program's own have less than a tenth."""


class NoSuchLanguage(ValueError):
    """There is no catalogue in the language."""

    def __init__(self, lang: str) -> None:
        super().__init__(f"expected a language among {', '.join(LANGUAGES)}, got {lang!r}")


@cache
def read_texts(package: str, lang: str) -> Mapping[str, str]:
    """The translated texts in the ``texts`` folder of one package; none without a file.

    A file is read once: every language falls back on the English one.
    """
    file = files(package) / "texts" / f"{lang}.po"
    if not file.is_file():
        return {}
    read = file.read_bytes()
    if len(read) > LARGEST:
        raise ValueError(f"{file.name} is larger than {LARGEST} bytes")
    texts: dict[str, str] = {}
    for key, text in entries(read.decode("utf-8-sig"), file.name):
        if key in texts:
            raise ValueError(f"{file.name} has two texts of one key")
        texts[key] = text
    return {key: text for key, text in texts.items() if key and text}


def entries(text: str, name: str) -> Iterator[tuple[str, str]]:
    """Each key of a file with its text; an entry that is marked as fuzzy has none.

    Entries with a context or a plural are left out.
    """
    parts: dict[str, str] = {}
    into, fuzzy = "", False
    for line in map(str.strip, text.split("\n")):
        found = _LINE.fullmatch(line)
        word = found[1] if found else None
        comment = line.startswith("#")
        if into.startswith("msgstr") and (comment or word in ("msgctxt", "msgid")):
            yield from _told(parts, fuzzy)
            parts, into, fuzzy = {}, "", False
        if comment:
            fuzzy = not line.startswith("#~") and (fuzzy or _is_fuzzy(line))
        elif line:
            into = word or into
            if found is None or word in parts or not (into == "msgctxt" or _KEY in {*parts, into}):
                raise ValueError(f"{name} has a line that is no text or out of place: {line[:40]}")
            parts[into] = parts.get(into, "") + _unescaped(found[2])
    yield from _told(parts, fuzzy)


def _is_fuzzy(comment: str) -> bool:
    return comment.startswith("#,") and "fuzzy" in map(str.strip, comment[2:].split(","))


def _told(parts: Mapping[str, str], fuzzy: bool) -> Iterator[tuple[str, str]]:
    if _KEY in parts and parts.keys() <= {_KEY, "msgstr"}:
        yield parts[_KEY], "" if fuzzy else parts.get("msgstr", "")


def _unescaped(quoted: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[1]), quoted)


def or_english(package: str, lang: str) -> dict[str, str]:
    """The texts of one package in a language, those that are not translated in English.

    A variant says only what it says otherwise than its base.
    """
    read = dict.fromkeys(("en", base_of(lang) or lang, lang))
    return {key: text for each in read for key, text in read_texts(package, each).items()}


def has_plain_gaps(text: str) -> bool:
    """Whether filling a text does nothing else: each gap is a bare name, or has two forms.

    ``{seat:is|are}`` is "is" of another player and "are" of the one who is told.
    """
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return False
    return all(
        name is None or (name.isidentifier() and conversion is None and _is_plain(spec))
        for _, name, spec, conversion in parts
    )


def _is_plain(spec: str | None) -> bool:
    return not spec or _FORMS.fullmatch(spec) is not None


class _Filling(Formatter):
    def get_value(
        self, key: int | str, args: Sequence[object], kwargs: Mapping[str, object]
    ) -> object:
        return kwargs.get(str(key), f"{{{key}}}")

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, int) and "|" in format_spec:
            one, many = format_spec.split("|")
            return (one if value == 1 else many).replace("%", str(value))
        # A package may give forms to what has none.
        return str(value) if type(value) is str else format(value, format_spec)


def filled(text: str, values: Mapping[str, object]) -> str:
    """Fill the gaps of a text; one that has no value stays as it is written.

    ``{count:1 film|% films}`` is the first form of 1, the second of every other number.
    """
    return _Filling().vformat(text, (), values)


def gaps(text: str) -> frozenset[str]:
    """Names of the gaps of a text."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name)
