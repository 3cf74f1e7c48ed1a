"""The house rules of each preset of riichi."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.rules.base import Option
from engine.rules.riichi import tables as riichi_tables


def defaults(options: Sequence[Option]) -> Mapping[str, object]:
    return {option.name: option.default for option in options}


TENHOU: Final = defaults(riichi_tables.TENHOU)
EMA_2016: Final = defaults(riichi_tables.EMA_2016)
EMA_2008: Final = defaults(riichi_tables.EMA_2008)
