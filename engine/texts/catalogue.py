"""Every text by which announcements are said, by key: the engine's and those of all rule sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from engine.rules import BUILT_IN, RULE_SETS
from engine.rules.base import RuleSet
from engine.texts.files import LANGUAGES, NoSuchLanguage, has_plain_gaps, or_english


class Texts(NamedTuple):
    """The texts of a language."""

    texts: Mapping[str, str]
    left_out: tuple[str, ...]
    """What packages of rule sets have that cannot be used, a sentence each."""


@cache
def read_all(lang: str) -> Texts:
    """Every text of the engine and of all rule sets; what is not translated is in English.

    A package that adds a rule set replaces no text of the program, and what it leaves out is said
    in its codes. Raises ``NoSuchLanguage``.
    """
    if lang not in LANGUAGES:
        raise NoSuchLanguage(lang)
    texts, left_out = dict(or_english("engine", lang)), []
    for package in dict.fromkeys(rules.texts for rules in RULE_SETS.values()):
        try:
            own = or_english(package, lang)
        except (ImportError, OSError, ValueError) as error:
            left_out.append(f"the texts of the package {package} are left out: {error}")
            own = {}
        if unusable := [key for key, text in own.items() if not has_plain_gaps(text)]:
            told = ", ".join(unusable[:3])
            left_out.append(f"texts of {package} have gaps that are no names: {told}")
        texts = {**{key: own[key] for key in own if key not in unusable}, **texts}
    for rules in RULE_SETS.values():
        if rules not in BUILT_IN:
            texts = {**dict(_in_code(rules)), **texts}
    return Texts(texts, tuple(left_out))


@cache
def texts_for(rules: str, lang: str) -> Mapping[str, str]:
    """The texts as games by these rules say them; raises ``NoSuchLanguage``."""
    return with_own_words(read_all(lang).texts, rules)


def with_own_words(texts: Mapping[str, str], rules: str) -> Mapping[str, str]:
    """The texts with a rule set's own words in the place of the common ones."""
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
