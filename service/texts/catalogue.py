"""Every text of a language by key, of the service and of all rule sets, and names of rule sets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import Final

from typing_extensions import TypedDict  # the one that pydantic reads in Python 3.11

from engine.rules import RULE_SETS
from engine.texts.catalogue import read_all, with_own_words
from engine.texts.files import LANGUAGES, filled, or_english
from service.machine.files import to_stderr
from service.texts.option_groups import group_of

OURS: Final = ("service", "service.commands")
"""Packages whose texts belong to every rule set, beside the engine's."""
CLUB: Final = ("service.hall", "service.archive")
"""Those of halls and archives, which say nothing without the extra ``club``."""


@cache
def texts_of(lang: str) -> Mapping[str, str]:
    """Every text in a language, of the service, the engine and all rule sets.

    What is not translated is in English; those of halls and archives are there with the extra
    ``club`` alone. Raises ``NoSuchLanguage``.
    """
    texts, left_out = read_all(lang)
    for told in left_out:
        to_stderr(f"tilesight: {told}")
    club = CLUB if find_spec("sqlalchemy") is not None else ()
    for package in (*OURS, *club):
        texts = {**texts, **or_english(package, lang)}
    return texts


@cache
def texts_for(rules: str, lang: str) -> Mapping[str, str]:
    """The same as games by these rules say it; raises ``NoSuchLanguage``."""
    return with_own_words(texts_of(lang), rules)


def in_sentences(texts: Mapping[str, str], *told: str) -> str:
    """One sentence after the other: only some languages put a space between them."""
    whole = ""
    for each in filter(None, told):
        both = {"one": whole, "other": each}
        whole = filled(texts["page.sentences"], both) if whole else each
    return whole


Titles = dict[str, str]
"""By language."""


class NamedRules(TypedDict):
    rules: str
    rules_title: str


def rules_title(rules: str, lang: str = "en") -> str:
    """What people call a rule set; its id where nobody knows it."""
    return texts_of(lang).get(f"rules.{rules}.title", rules)


def rules_titles(rules: str) -> Titles:
    """The same in every language, for those who name none."""
    return {lang: rules_title(rules, lang) for lang in LANGUAGES}


def named_rules(rules: str, lang: str) -> NamedRules:
    return {"rules": rules, "rules_title": rules_title(rules, lang)}


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for; English where there is no catalogue in it."""
    names = map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    lang = next(filter(None, names), "")[:2]
    return lang if lang in LANGUAGES else "en"


def terminal_texts() -> Mapping[str, str]:
    """What commands print, in the language of the terminal."""
    return _command_texts(terminal_language())


@cache
def _command_texts(lang: str) -> Mapping[str, str]:
    """Read alone: help must not wait for the rule sets to load."""
    return or_english("service.commands", lang)


class OptionOffered(TypedDict):
    name: str
    default: object
    values: list[object]
    numbers: bool
    group: str
    """Of which a page shows it: one of ``GROUPS``."""


class RulesOffered(TypedDict):
    id: str
    game: str
    """The same for all variants of a game."""
    options: list[OptionOffered]


def rule_sets() -> list[RulesOffered]:
    """Rule sets with their house rules."""
    return [
        {
            "id": rules.id,
            "game": rules.texts.rpartition(".")[2].replace("_", "-") or rules.id,
            "options": [
                {
                    "name": option.name,
                    "default": option.default,
                    "values": list(option.values),
                    "numbers": option.numbers,
                    "group": group_of(option.name),
                }
                for option in rules.options
            ],
        }
        for rules in RULE_SETS.values()
    ]
