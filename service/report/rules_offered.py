"""The rule sets that a game can be played by, for pages on which people choose one."""

from __future__ import annotations

from typing_extensions import TypedDict

from engine.rules import RULE_SETS
from service.words.catalogue import Titles, rules_titles


class OptionOffered(TypedDict):
    name: str
    default: object
    values: list[object]
    numbers: bool


class RulesOffered(TypedDict):
    id: str
    titles: Titles
    options: list[OptionOffered]


def rule_sets() -> list[RulesOffered]:
    """Rule sets with their titles and house rules."""
    return [
        {
            "id": rules.id,
            "titles": rules_titles(rules.id),
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
