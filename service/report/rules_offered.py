"""The rule sets that a game can be played by, for pages on which people choose one."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rules import RULE_SETS
from service.report.public import Json
from service.words.catalogue import rules_titles


def rule_sets() -> Sequence[Json]:
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
