"""What people call a rule set, in each of their languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules import RULE_SETS
from engine.words import LANGUAGES

_TITLES: Final[Mapping[str, Mapping[str, str]]] = {
    "harbin-hlr": {"zh": "哈尔滨麻将（限制规则）", "ja": "ハルビン麻雀（制限ルール）"},
    "harbin-treasure": {"zh": "哈尔滨宝牌麻将", "ja": "ハルビン麻雀（宝牌あり）"},
    "hangzhou": {"zh": "杭州麻将", "ja": "杭州麻雀"},
    "wsom": {"zh": "世界麻将大赛", "ja": "ワールドシリーズ・オブ・マージャン"},
    "riichi": {"zh": "立直麻将（EMA 2008）", "ja": "リーチ麻雀（EMA 2008）"},
    "riichi-2016": {"zh": "立直麻将（EMA 2016）", "ja": "リーチ麻雀（EMA 2016）"},
    "riichi-tenhou": {"zh": "立直麻将（天凤）", "ja": "リーチ麻雀（天鳳）"},
}
"""Beside the English one, which each rule set has itself."""


def rules_title(rules: str, lang: str = "en") -> str:
    """What a rule set is called; its own name where nobody knows it."""
    known = RULE_SETS.get(rules)
    if known is None:
        return rules
    return _TITLES.get(rules, {}).get(lang, known.title)


def rules_titles(rules: str) -> dict[str, str]:
    """The same in every language, as pages choose among them."""
    return {lang: rules_title(rules, lang) for lang in LANGUAGES}
