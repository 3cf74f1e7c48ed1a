"""The glossary explains the terms of every rule set in every language."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.rules import RULE_SETS
from service.pages.app import STATIC
from service.words.catalogue import LANGUAGES

TERMS: list[dict[str, Any]] = json.loads((STATIC / "glossary.json").read_text("utf-8"))


def test_every_term_is_explained_in_every_language() -> None:
    for term in TERMS:
        assert set(term["words"]) == set(LANGUAGES)
        assert set(term["rules"]) <= set(RULE_SETS)
        for name, meaning in term["words"].values():
            assert name
            assert len(meaning) > len(name)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_set_has_terms_of_its_own_and_none_twice(rules: str, lang: str) -> None:
    shown = [term for term in TERMS if not term["rules"] or rules in term["rules"]]
    names = [term["words"][lang][0] for term in shown]
    assert len(set(names)) == len(names)
    assert any(rules in term["rules"] for term in shown)
