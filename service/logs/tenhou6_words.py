"""What a win is worth and which yaku it has, in the words of tenhou.net."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.announce import Item
from engine.events import Seat
from engine.rules.riichi_yaku import YAKUMAN, base_points
from engine.state import State
from service.logs.played import PaidWin

YAKU: Final[Mapping[str, str]] = {
    "riichi": "立直",
    "double_riichi": "両立直",
    "ippatsu": "一発",
    "menzen_tsumo": "門前清自摸和",
    "pinfu": "平和",
    "tanyao": "断幺九",
    "iipeikou": "一盃口",
    "haku": "役牌 白",
    "hatsu": "役牌 發",
    "chun": "役牌 中",
    "seat_wind": "自風",
    "round_wind": "場風",
    "haitei": "海底摸月",
    "houtei": "河底撈魚",
    "rinshan": "嶺上開花",
    "chankan": "槍槓",
    "chiitoitsu": "七対子",
    "sanshoku_doujun": "三色同順",
    "ittsu": "一気通貫",
    "chanta": "混全帯幺九",
    "toitoi": "対々和",
    "sanankou": "三暗刻",
    "sanshoku_doukou": "三色同刻",
    "sankantsu": "三槓子",
    "honroutou": "混老頭",
    "shousangen": "小三元",
    "honitsu": "混一色",
    "junchan": "純全帯幺九",
    "ryanpeikou": "二盃口",
    "chinitsu": "清一色",
    "renhou": "人和",
    "kokushi": "国士無双",
    "kokushi_thirteen": "国士無双１３面",
    "chuuren": "九蓮宝燈",
    "chuuren_nine": "純正九蓮宝燈",
    "tenhou": "天和",
    "chiihou": "地和",
    "renhou_yakuman": "人和",
    "suuankou": "四暗刻",
    "suuankou_tanki": "四暗刻単騎",
    "suukantsu": "四槓子",
    "ryuuiisou": "緑一色",
    "chinroutou": "清老頭",
    "tsuuiisou": "字一色",
    "daisangen": "大三元",
    "shousuushii": "小四喜",
    "daisuushii": "大四喜",
    "riichi_dora": "ドラ",
    "red_five": "赤ドラ",
    "ura_dora": "裏ドラ",
}
"""Every yaku and bonus, in the order in which the site lists them."""

_WINDS: Final = "東南西北"
_LIMITS: Final = {2000: "満貫", 3000: "跳満", 4000: "倍満", 6000: "三倍満", 8000: "役満"}
_YAKUMAN_BASE: Final = 8000


def worth_and_yaku(start: State, paid: PaidWin) -> list[str]:
    """Such as ``30符2飜2000点`` and ``立直(1飜)``; nothing where the hand was not known.

    ``start``: the hand as it began, for its winds. Counters and deposits are no part of the worth.
    """
    yaku = [item for item in paid.items if item.name in YAKU]
    if not yaku:
        return []
    seat = paid.win.seat
    order = list(YAKU)
    listed = sorted(yaku, key=lambda item: order.index(item.name))
    base, how = _base(start, paid.items)
    drawn = paid.win.from_seat == seat
    worth = how + _points(base, seat == start.dealer, drawn)
    return [worth, *(_named(item, start, seat) for item in listed)]


def _base(start: State, items: tuple[Item, ...]) -> tuple[int, str]:
    """A quarter of what one discarder pays, and how it came about."""
    yakuman = [item for item in items if item.name in YAKUMAN]
    if yakuman:
        times = [max(item.value // 13, 1) for item in yakuman]
        counted = sum(times) if start.options.get("cumulative_yakuman") else max(times)
        return _YAKUMAN_BASE * counted, _LIMITS[_YAKUMAN_BASE]
    han = sum(item.value for item in items if item.name in YAKU)
    fu = next((item.value for item in items if "fu" in (item.name, item.unit)), 0)
    base = base_points(han, fu, start.options.get("thirteen_fan", "yakuman") == "yakuman")
    return base, _LIMITS.get(base, f"{fu}符{han}飜")


def _points(base: int, dealer: bool, drawn: bool) -> str:
    if not drawn:
        return f"{_rounded(base * (6 if dealer else 4))}点"
    if dealer:
        return f"{_rounded(2 * base)}点∀"
    return f"{_rounded(base)}-{_rounded(2 * base)}点"


def _rounded(points: int) -> int:
    return -(-points // 100) * 100


def _named(item: Item, start: State, seat: Seat) -> str:
    name = YAKU[item.name]
    if item.name == "seat_wind":
        name += f" {_WINDS[(seat - start.dealer) % 4]}"
    if item.name == "round_wind":
        name += f" {_WINDS[start.round.rank - 1]}"
    worth = "役満" if item.name in YAKUMAN else f"{item.value}飜"
    return f"{name}({worth})"
