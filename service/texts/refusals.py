"""Why something is refused, in the language of the page that is told.

Whoever refuses says it in English, the language of programs; here it is found again among the
texts by its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from string import Formatter
from typing import Final

from engine.texts.files import base_of
from service.texts.catalogue import texts_of

FAMILIES: Final = ("refused.", "page.refused.")
"""How the keys of refusals begin."""
_OPTION: Final = re.compile(r"\boptions\.(\w+)")
"""The place of a house rule in a request."""


def refusal_in(said: str, lang: str, status: int = 422) -> str:
    """A refusal as a page says it; of one that has no text, the page says what its status means."""
    if lang == "en" or base_of(lang) == "en":
        return said
    texts = texts_of(lang)
    if (text := _translated(said, lang)) is not None:
        return text
    if (option := _OPTION.search(said)) and (name := f"option.{option[1]}") in texts:
        return texts["refused.option"].format(option=texts[name])
    return texts.get(f"refused.{status}", said)


def _translated(said: str, lang: str) -> str | None:
    for key, pattern in _patterns():
        if found := pattern.fullmatch(said):
            parts = {
                gap: _translated(part, lang) or part for gap, part in found.groupdict().items()
            }
            return texts_of(lang)[key].format(**parts)
    return None


@cache
def _patterns() -> Sequence[tuple[str, re.Pattern[str]]]:
    """Every refusal by its key, those with most words of their own first."""
    texts = texts_of("en")
    known = {key: text for key, text in texts.items() if key.startswith(FAMILIES)}
    by_words = sorted(known, key=lambda key: (-len(re.sub(r"\{\w+\}", "", known[key])), key))
    return [(key, re.compile(pattern_of(known[key]), re.DOTALL)) for key in by_words]


def pattern_of(text: str) -> str:
    """What fits a text whose gaps are filled."""
    return "".join(
        re.escape(plain) + (f"(?P<{gap}>.+)" if gap else "")
        for plain, gap, _, _ in Formatter().parse(text)
    )
