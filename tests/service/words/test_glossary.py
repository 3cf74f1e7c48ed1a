"""The glossary explains the terms of every rule set in every language."""

from __future__ import annotations

import pytest

from engine.rules import RULE_SETS
from service.words.catalogue import words_of
from service.words.files import LANGUAGES
from service.words.pages import terms_of


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_set_has_terms_of_its_own_and_none_twice(rules: str, lang: str) -> None:
    words, terms = words_of(lang), terms_of(RULE_SETS[rules])
    names = [words[f"glossary.{term}.name"] for term in terms]
    assert len(set(names)) == len(names)
    assert RULE_SETS[rules].glossary
    for term, name in zip(terms, names, strict=True):
        assert len(words[f"glossary.{term}.text"]) > len(name)
