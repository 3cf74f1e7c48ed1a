"""House rules of riichi that decide what a hand is worth, as three tables have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TENHOU: Final[Mapping[str, object]] = {
    "red_fives": 3,
    "open_tanyao": True,
    "two_yaku_at_five_counters": False,
    "renhou": "none",
    "double_yakuman": (),
    "cumulative_yakuman": True,
    "thirteen_fan": "yakuman",
    "multiple_ron": "two",
}
EMA_2016: Final[Mapping[str, object]] = {
    "red_fives": 0,
    "open_tanyao": True,
    "two_yaku_at_five_counters": False,
    "renhou": "mangan",
    "double_yakuman": (),
    "cumulative_yakuman": False,
    "thirteen_fan": "sanbaiman",
    "multiple_ron": "all",
}
EMA_2008: Final[Mapping[str, object]] = {
    "red_fives": 3,
    "open_tanyao": False,
    "two_yaku_at_five_counters": True,
    "renhou": "yakuman",
    "double_yakuman": ("daisuushii",),
    "cumulative_yakuman": False,
    "thirteen_fan": "yakuman",
    "multiple_ron": "all",
}
