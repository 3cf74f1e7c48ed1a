"""How often a process that reads tables looks for unreachable cycles."""

from __future__ import annotations

import gc
from typing import Final

SELDOM: Final = (20_000, 10, 10)
"""New objects until the youngest are searched, and searches until older ones are. With Python's 700
they took 10 to 37 % of a decoder's time (three films), with these 4 %."""


def collect_seldom() -> None:
    """Look seldom, in the whole process: hypotheses are many, and form hardly any cycles."""
    gc.set_threshold(*SELDOM)
