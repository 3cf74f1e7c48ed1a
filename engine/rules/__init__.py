"""The rule sets that the engine plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.base import RuleSet
from engine.rules.harbin_hlr import HARBIN_HLR

RULE_SETS: Final[Mapping[str, RuleSet]] = {rules.id: rules for rules in (HARBIN_HLR,)}
