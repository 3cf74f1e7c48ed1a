"""The texts that pages need, as a module that their scripts import."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.texts.files import LANGUAGES
from service.texts.catalogue import texts_of

ON_PAGES: Final = (
    "badge.",
    "drawn.",
    "event.drawn",
    "glossary.",
    "indicator.",
    "language.",
    "offence.",
    "option.",
    "option_value.",
    "page.",
    "place",
    "report.",
    "rules.",
    "seat.colour.",
    "wind.",
)
"""How the keys begin."""

_TERMS: Final = (
    "chow",
    "pung",
    "kong",
    "distance",
    "useful_tile",
    "ready",
    "wait",
    "own_draw",
    "dealer",
)
"""Terms of every game; each rule set adds its own."""


@cache
def catalogue_script(lang: str) -> str:
    """A module: ``WORDS`` of one language by key, and the glossary's ``TERMS`` by rule set.

    ``LANGUAGES`` are the names of all languages, and how a browser calls them. It may be loaded
    again, in another language.
    """
    terms = {rules.id: terms_of(rules) for rules in RULE_SETS.values()}
    return _script(lang, _named_values(lang) | _chosen(lang, _is_on_pages), terms)


def words_script(lang: str, is_used: Callable[[str], bool]) -> str:
    """The same module for a page that is saved: only words of keys in use, and no glossary."""
    return _script(lang, _chosen(lang, lambda key: is_used(key.rpartition(":")[2])), {})


def _chosen(lang: str, is_chosen: Callable[[str], bool]) -> dict[str, str]:
    return {key: text for key, text in texts_of(lang).items() if is_chosen(key)}


def _script(lang: str, words: Mapping[str, str], terms: Mapping[str, Sequence[str]]) -> str:
    names = {
        each: {what: texts_of(each)[f"language.{what}"] for what in ("name", "tag")}
        for each in LANGUAGES
    }
    told = {"language": lang, "LANGUAGES": names, "WORDS": words, "TERMS": terms}
    return "".join(f"export const {name} = {_written(value)};\n" for name, value in told.items())


def _is_on_pages(key: str) -> bool:
    # A rule set's own word stands behind the name of its vocabulary.
    return key.rpartition(":")[2].startswith(ON_PAGES)


def _named_values(lang: str) -> dict[str, str]:
    """Values of house rules that are called like a row of a payout, such as a hand."""
    texts = texts_of(lang)
    options = [option for rules in RULE_SETS.values() for option in rules.options]
    values = sorted({str(value) for option in options for value in option.values})
    return {
        f"option_value.{value}": texts[item]
        for value in values
        if (item := f"item.{value}") in texts
    }


def terms_of(rules: RuleSet) -> tuple[str, ...]:
    """The glossary of a rule set, in order."""
    return (*_TERMS, *rules.glossary)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
