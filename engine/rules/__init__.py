"""The rule sets that the engine plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.rules.base import RuleSet
from engine.rules.hangzhou.play import HANGZHOU
from engine.rules.harbin.hlr import HARBIN_HLR
from engine.rules.harbin.treasure import HARBIN_TREASURE
from engine.rules.hong_kong.play import HONG_KONG
from engine.rules.installed import RuleSets
from engine.rules.riichi.play import (
    RIICHI,
    RIICHI_2016,
    RIICHI_2025,
    RIICHI_M_LEAGUE,
    RIICHI_MAHJONG_SOUL,
    RIICHI_TENHOU,
    RIICHI_WRC,
)
from engine.rules.sichuan.play import SICHUAN
from engine.rules.sichuan.xueliu import SICHUAN_XUELIU
from engine.rules.taiwan.play import TAIWAN
from engine.rules.wsom.play import WSOM

GAMES: Final[Sequence[RuleSet]] = (
    HARBIN_HLR,
    HARBIN_TREASURE,
    HANGZHOU,
    WSOM,
    HONG_KONG,
    SICHUAN,
    TAIWAN,
    RIICHI,
)
"""One rule set of each game that comes with the program."""
VARIANTS: Final[Mapping[str, Sequence[RuleSet]]] = {
    SICHUAN.id: (SICHUAN_XUELIU,),
    RIICHI.id: (
        RIICHI_2016,
        RIICHI_2025,
        RIICHI_TENHOU,
        RIICHI_M_LEAGUE,
        RIICHI_WRC,
        RIICHI_MAHJONG_SOUL,
    ),
}
"""Other forms of these games."""
BUILT_IN: Final[Sequence[RuleSet]] = tuple(
    form for game in GAMES for form in (game, *VARIANTS.get(game.id, ()))
)
DEFAULT: Final = GAMES[0].id
"""The rule set of a table for which nobody has chosen one."""
RULE_SETS: Final = RuleSets(BUILT_IN)
"""The built-in rule sets, and those of other packages."""
