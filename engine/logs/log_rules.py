"""Which rules a log was played by: the preset that its words name, and red fives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.rules import RULE_SETS

TENHOU: Final = "riichi-tenhou"
MAHJONG_SOUL: Final = "riichi-mahjong-soul"

_NAMED: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        MAHJONG_SOUL,
        (
            *("mahjong soul", "mahjongsoul", "majsoul", "maj-soul", "雀魂", "じゃんたま"),
            *("の間", "之間", "之间", " room", "friendly", "tournament", "tounament"),
            *("友人戦", "友人场", "友人場", "大会戦", "大会战", "大會戰", "比赛场"),
        ),
    ),
    ("riichi-m-league", ("m.league", "m-league", "mleague", "mリーグ", "ｍリーグ")),
    ("riichi-wrc", ("wrc", "world riichi")),
    ("riichi-2025", ("ema 2025", "ema2025")),
    ("riichi-2016", ("ema 2016", "ema2016", "ema")),
)
"""Presets by words of a log's rules, as the converters of other sites' games spell them."""


def rules_named(words: Iterable[object], preset: object = None) -> str:
    """The preset that a log names in its own field or in words; tenhou.net if it names none."""
    if isinstance(preset, str) and preset in RULE_SETS and preset.startswith("riichi"):
        return preset
    text = " ".join(word.lower() for word in words if isinstance(word, str))
    return next(
        (rules for rules, names in _NAMED if any(_names(text, name) for name in names)), TENHOU
    )


def _names(text: str, name: str) -> bool:
    """Whether the text has this name, of Latin letters as words of their own."""
    if not name.isascii() or name.startswith(" "):
        return name in text
    apart = "".join(letter if not letter.isascii() or letter.isalnum() else " " for letter in text)
    wanted = "".join(letter if letter.isalnum() else " " for letter in name)
    return f" {wanted} " in f" {apart} "


def reds_told(rule: Mapping[str, object]) -> int | None:
    """Red fives that a rule of tenhou.net/6 tells; None where it tells nothing."""
    apart = [value for name, value in rule.items() if name in ("aka51", "aka52", "aka53")]
    if apart:
        return sum(value for value in apart if isinstance(value, int) and value > 0)
    all_of_them = rule.get("aka")
    return None if not isinstance(all_of_them, int) else 3 * (all_of_them > 0)


def differing(rules: str, options: Mapping[str, object]) -> dict[str, object]:
    """The options whose values the preset does not have anyway."""
    usual = RULE_SETS[rules].all_options()
    return {name: value for name, value in options.items() if usual[name] != value}
