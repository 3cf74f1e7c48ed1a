"""Rule sets have a title in every language, and their options say what the engine does."""

from __future__ import annotations

import pytest

from engine.rules import RULE_SETS
from service.words.catalogue import rules_title, rules_titles, words_of
from service.words.files import LANGUAGES
from service.words.pages import terms_of


def test_each_rule_set_has_a_title_of_its_own_in_every_language() -> None:
    titles = [rules_titles(rules) for rules in RULE_SETS]
    for lang in LANGUAGES:
        assert len({title[lang] for title in titles} - set(RULE_SETS)) == len(RULE_SETS)


def test_rules_that_nobody_knows_are_called_what_their_record_calls_them() -> None:
    assert rules_titles("house") == dict.fromkeys(LANGUAGES, "house")
    assert rules_title("riichi", "ja") == "リーチ麻雀（EMA 2008）"


SAID: dict[str, tuple[str, str, str]] = {
    # 000, 10.1: the middle tile of a chow, no edge or single wait.
    "option.holed_wait_double": ("middle tile", "夹张", "嵌張"),
    "option.cumulative_yakuman": ("several yakuman", "多个役满", "複合"),
    # 002, Permanent fortune: no indicator.
    "option.permanent_fortune": ("white dragons", "白板", "白4枚"),
    # 002, Pung; Win: until the own turn, and for the same tile.
    "option.pass_pung_locks": ("next turn", "下一轮", "自分の番"),
    "option.pass_win_locks": ("next turn", "下一轮", "自分の番"),
    "option_value.no_three_chows_between_non_bankers": ("no third chow", "不许三吃", "禁止"),
    # 002, Fortune float: any discarded fortune; wins by a claim too.
    "follows.float_bars_claims": ("discarded fortune", "打出财神", "財神の捨て主"),
}
NOT_SAID = [
    "edge",
    "边",
    "辺張",
    "Counted",
    "累计",
    "数え",
    "固定",
    "for the round",
    "一巡",
    "不算",
]


@pytest.mark.parametrize("key", SAID)
def test_options_say_what_the_engine_does(key: str) -> None:
    for lang, said in zip(("en", "zh", "ja"), SAID[key], strict=True):
        text = words_of(lang)[key]
        assert said.lower() in text.lower()
        assert not [word for word in NOT_SAID if word in text]


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_set_has_terms_of_its_own_and_none_twice(rules: str, lang: str) -> None:
    words, terms = words_of(lang), terms_of(RULE_SETS[rules])
    names = [words[f"glossary.{term}.name"] for term in terms]
    assert len(set(names)) == len(names)
    assert RULE_SETS[rules].glossary
    for term, name in zip(terms, names, strict=True):
        assert len(words[f"glossary.{term}.text"]) > len(name)
