"""The rule sets that the engine plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.base import RuleSet
from engine.rules.hangzhou.play import HANGZHOU
from engine.rules.harbin.hlr import HARBIN_HLR
from engine.rules.harbin.treasure import HARBIN_TREASURE
from engine.rules.riichi.play import RIICHI, RIICHI_2016, RIICHI_TENHOU
from engine.rules.wsom.play import WSOM

RULE_SETS: Final[Mapping[str, RuleSet]] = {
    rules.id: rules
    for rules in (HARBIN_HLR, HARBIN_TREASURE, HANGZHOU, WSOM, RIICHI, RIICHI_2016, RIICHI_TENHOU)
}
