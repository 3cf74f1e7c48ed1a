"""Rule sets have a title in every language."""

from __future__ import annotations

from engine.rules import RULE_SETS
from service.words.catalogue import rules_title, rules_titles
from service.words.files import LANGUAGES


def test_each_rule_set_has_a_title_of_its_own_in_every_language() -> None:
    titles = [rules_titles(rules) for rules in RULE_SETS]
    for lang in LANGUAGES:
        assert len({each[lang] for each in titles} - set(RULE_SETS)) == len(RULE_SETS)


def test_rules_that_nobody_knows_are_called_what_their_record_calls_them() -> None:
    assert rules_titles("house") == dict.fromkeys(LANGUAGES, "house")
    assert rules_title("riichi", "ja") == "リーチ麻雀（EMA 2008）"
