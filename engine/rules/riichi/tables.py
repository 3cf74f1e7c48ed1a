"""The tables of riichi: options with the values of each preset, payments, codes of problems."""

from __future__ import annotations

from typing import Final

from engine.rules.tables import options_of, read_tables, rulings_of
from engine.rules.verdict import Ruling

_TABLES: Final = read_tables(__package__)
ABORTIVE_DRAWS: Final = ("nine_terminals", "four_winds", "four_kongs", "four_ready")
THREE_WINS: Final = "three_wins"
EMA_2008: Final = options_of(_TABLES["options"], "ema_2008")
EMA_2016: Final = options_of(_TABLES["options"], "ema_2016")
EMA_2025: Final = options_of(_TABLES["options"], "ema_2025", "ema_2016")
TENHOU: Final = options_of(_TABLES["options"], "tenhou")
M_LEAGUE: Final = options_of(_TABLES["options"], "m_league", "tenhou")
WRC: Final = options_of(_TABLES["options"], "wrc", "ema_2016")
MAHJONG_SOUL: Final = options_of(_TABLES["options"], "mahjong_soul", "tenhou")
PAYMENTS: Final[tuple[str, ...]] = _TABLES["payments"]
"""Payout lines that are not yaku."""
YAKU: Final[tuple[str, ...]] = _TABLES["yaku"]
"""Yaku that count in han."""
YAKUMAN: Final[tuple[str, ...]] = _TABLES["yakuman"]
"""Limit hands; ``_thirteen``, ``_nine`` and ``_tanki`` are waits that some tables pay double."""
PROBLEMS: Final = rulings_of(_TABLES["problems"])
RULED_DEAD: Final = Ruling("004, 3.4.7", "dead_hand")
"""For a hand that people call dead; only its later claims or wins are a chombo."""
