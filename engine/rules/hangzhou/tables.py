"""The values of the Hangzhou game: payments, doubles, house rules, codes of problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.tables import options_of, read_tables, rulings_of
from engine.tiles import DRAGONS

UNUSED: Final = 20
"""002, Draw: tiles that are never drawn, including the indicator's stack."""
WHITE: Final = DRAGONS[0]

LONGEST_STAY: Final = 3
"""002, Scoring: staying counts up to this, if the table has not agreed on another number."""
BANKER_TIMES: Final = {1: 2, 2: 4, 3: 8, 4: 16}
"""002, Scoring: factor of a payment to or from the banker, by staying count (平庄, 2牢, 3牢)."""
HIGH_DICE: Final = 10
"""002 names no number for a high throw: so many with two dice, which one throw in six shows."""
LIABLE_SETS: Final = 3
"""002, Three set liability (3摊承包): a player is liable after this many sets claimed from it."""
HONOURS_TO_WIN: Final = 10
"""002, Ten honours."""

_TABLES: Final = read_tables(__package__)
PAYMENTS: Final[tuple[str, ...]] = _TABLES["payments"]
OPTIONS: Final = options_of(_TABLES["options"])
PROBLEMS: Final = rulings_of(_TABLES["problems"])
CLAIMS: Final = rulings_of(_TABLES["claims"])
"""Why a set may not be claimed, or a kong not be declared: the source and what follows."""
REFUSALS: Final[Mapping[str, tuple[str, str, str]]] = _TABLES["refusals"]
"""Why a win on another's tile is refused: the code, its source, and what follows."""
