"""What a won riichi hand is worth, and what other programs call its yaku."""

from __future__ import annotations

from csv import DictReader
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from typing import Final, NamedTuple

from engine.announce import Item
from engine.rules.riichi.tables import YAKUMAN
from engine.rules.riichi.yaku import YAKUMAN_BASE, YAKUMAN_HAN, base_points
from engine.state import State
from service.logs.logged_games import LoggedWin


class YakuName(NamedTuple):
    """Names of one yaku or bonus."""

    mjai: str
    tenhou: str


def _yaku_names() -> dict[str, YakuName]:
    table = files(__package__).joinpath("yaku.csv").read_text("utf-8")
    return {row["id"]: YakuName(row["mjai"], row["tenhou"]) for row in DictReader(StringIO(table))}


YAKU_NAMES: Final = _yaku_names()
"""By the engine's name, in the order in which tenhou.net lists them."""


@dataclass(frozen=True)
class Worth:
    """The worth of one win without counters and deposits."""

    yaku: tuple[Item, ...]
    """Yaku, dora and red fives; empty for an unknown hand."""
    han: int
    fu: int
    base: int
    """A quarter of what a discarder pays a non-dealer, before rounding up."""
    limit: bool
    """Whether it is a yakuman."""

    def payments(self, dealer: bool, drawn: bool) -> tuple[int, ...]:
        """What the discarder pays, or each other seat, or each non-dealer and the dealer."""
        if not drawn:
            return (_rounded(self.base * (6 if dealer else 4)),)
        double = _rounded(2 * self.base)
        return (double,) if dealer else (_rounded(self.base), double)

    def total(self, dealer: bool, drawn: bool) -> int:
        paid = self.payments(dealer, drawn)
        if not drawn:
            return paid[0]
        return 3 * paid[0] if dealer else 2 * paid[0] + paid[1]


def worth_of(start: State, paid: LoggedWin) -> Worth:
    """``start``: the state at the beginning of the hand."""
    yaku = tuple(item for item in paid.items if item.name in YAKU_NAMES)
    han = sum(item.value for item in yaku)
    fu = next((item.value for item in paid.items if item.name == "fu"), 0)
    yakuman = [max(item.value // YAKUMAN_HAN, 1) for item in yaku if item.name in YAKUMAN]
    if yakuman:
        times = sum(yakuman) if start.options.get("cumulative_yakuman") else max(yakuman)
        return Worth(yaku, YAKUMAN_HAN * times, fu, YAKUMAN_BASE * times, True)
    limited = start.options.get("thirteen_fan") == "yakuman"
    rounded = bool(start.options.get("rounded_mangan"))
    base = base_points(han, fu, limited, rounded) if yaku else 0
    return Worth(yaku, han, fu, base, False)


def _rounded(points: int) -> int:
    """Round up to the next hundred."""
    return -(-points // 100) * 100
