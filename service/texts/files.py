"""The gettext files in which translators keep the texts: a folder ``texts`` in each package."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from string import Formatter
from typing import Final

from polib import pofile

_FIRST: Final = ("en", "zh", "ja")
"""The order in which languages are listed; later ones follow by name."""


_FORMS: Final = re.compile(r"[^{}|]*\|[^{}|]*")


def _folder(package: str) -> Path:
    # Faster than importlib.resources, for which help would wait.
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ValueError(f"there is no package {package}")
    return Path(spec.origin).parent / "texts"


def _languages() -> tuple[str, ...]:
    found = sorted(file.stem for file in _folder("service").glob("*.po"))
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
    file = _folder(package) / f"{lang}.po"
    if not file.is_file():
        return {}
    if file.stat().st_size > LARGEST:
        raise ValueError(f"{file.name} is larger than {LARGEST} bytes")
    entries = pofile(file.read_text("utf-8"))
    if len({entry.msgid for entry in entries}) < len(entries):  # polib would compare every pair
        raise ValueError(f"{file.name} has two texts of one key")
    return {entry.msgid: entry.msgstr for entry in entries.translated_entries() if entry.msgstr}


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
