"""Every text of a language by key, of the service and of all rule sets, and names of rule sets."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from typing_extensions import TypedDict  # the one that pydantic reads in Python 3.11

from engine.rules import BUILT_IN, RULE_SETS
from engine.rules.base import RuleSet
from service.machine.files import to_stderr
from service.texts.files import LANGUAGES, NoSuchLanguage, has_plain_gaps, or_english

OURS: Final = ("service", "service.commands")
"""Packages whose texts belong to every rule set."""


@cache
def texts_of(lang: str) -> Mapping[str, str]:
    """Every text in a language, of the service and of all rule sets.

    What is not translated is in English. A package that adds a rule set replaces no text of the
    program, and what it leaves out is said in its codes. Raises ``NoSuchLanguage``.
    """
    if lang not in LANGUAGES:
        raise NoSuchLanguage(lang)
    packages = dict.fromkeys(rules.texts for rules in RULE_SETS.values())
    texts: dict[str, str] = {}
    for package in (*OURS, *packages):
        try:
            own = or_english(package, lang)
        except (OSError, ValueError) as error:
            to_stderr(f"tilesight: the texts of the package {package} are left out: {error}")
            own = {}
        if unusable := [key for key, text in own.items() if not has_plain_gaps(text)]:
            told = ", ".join(unusable[:3])
            to_stderr(f"tilesight: texts of {package} have gaps that are no names: {told}")
        texts = {**{key: own[key] for key in own if key not in unusable}, **texts}
    for rules in RULE_SETS.values():
        if rules not in BUILT_IN:
            texts = {**dict(_in_code(rules)), **texts}
    return texts


@cache
def texts_for(rules: str, lang: str) -> Mapping[str, str]:
    """The same as games by these rules say it: their own words take the place of the common ones.

    Raises ``NoSuchLanguage``.
    """
    texts = texts_of(lang)
    known = RULE_SETS.get(rules)
    own = f"{known.page.vocabulary}:" if known is not None and known.page.vocabulary else ""
    mine = {key.removeprefix(own): text for key, text in texts.items() if key.startswith(own)}
    return {**texts, **mine} if own else texts


def _in_code(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """What the code calls things, for texts that the package of a rule set has left out."""
    yield f"rules.{rules.id}.title", rules.id
    names = {
        "option": [option.name for option in rules.options],
        "option_value": [str(value) for option in rules.options for value in option.values],
        "item": rules.payment.rows,
        "problem": rules.problems,
        "follows": [ruling.follows for ruling in rules.problems.values()],
        "glossary": [f"{term}.{part}" for term in rules.glossary for part in ("name", "text")],
    }
    for kind, parts in names.items():
        yield from ((f"{kind}.{name}", name.replace("_", " ")) for name in parts)


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


class RulesOffered(TypedDict):
    id: str
    options: list[OptionOffered]


def rule_sets() -> list[RulesOffered]:
    """Rule sets with their house rules."""
    return [
        {
            "id": rules.id,
            "options": [
                {
                    "name": option.name,
                    "default": option.default,
                    "values": list(option.values),
                    "numbers": option.numbers,
                }
                for option in rules.options
            ],
        }
        for rules in RULE_SETS.values()
    ]
