"""What a win is worth and which yaku it has, in the words of tenhou.net."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.announce import Item
from engine.events import Seat
from engine.rules.riichi.yaku import YAKUMAN
from engine.state import State
from service.logs.logged_games import LoggedWin
from service.logs.worth import worth_of

YAKU: Final[Mapping[str, str]] = {
    "riichi": "立直",
    "double_riichi": "両立直",
    "ippatsu": "一発",
    "chankan": "槍槓",
    "rinshan": "嶺上開花",
    "haitei": "海底摸月",
    "houtei": "河底撈魚",
    "menzen_tsumo": "門前清自摸和",
    "pinfu": "平和",
    "iipeikou": "一盃口",
    "ryanpeikou": "二盃口",
    "chiitoitsu": "七対子",
    "sanshoku_doujun": "三色同順",
    "ittsu": "一気通貫",
    "sanshoku_doukou": "三色同刻",
    "sankantsu": "三槓子",
    "sanankou": "三暗刻",
    "toitoi": "対々和",
    "chanta": "混全帯幺九",
    "junchan": "純全帯幺九",
    "tanyao": "断幺九",
    "round_wind": "場風",
    "seat_wind": "自風",
    "haku": "役牌 白",
    "hatsu": "役牌 發",
    "chun": "役牌 中",
    "shousangen": "小三元",
    "honroutou": "混老頭",
    "honitsu": "混一色",
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


def worth_and_yaku(start: State, paid: LoggedWin) -> list[str]:
    """Such as ``30符2飜2000点`` and ``立直(1飜)``; nothing where the hand was not known.

    ``start``: the hand as it began, for its winds. Counters and deposits are no part of the worth.
    """
    worth = worth_of(start, paid)
    if not worth.yaku:
        return []
    seat = paid.win.seat
    order = list(YAKU)
    listed = sorted(worth.yaku, key=lambda item: order.index(item.name))
    how = "役満" if worth.limit else _LIMITS.get(worth.base, f"{worth.fu}符{worth.han}飜")
    dealer, drawn = seat == start.dealer, paid.win.from_seat == seat
    points = "-".join(map(str, worth.payments(dealer, drawn)))
    each = "∀" if dealer and drawn else ""
    return [f"{how}{points}点{each}", *(_named(item, start, seat) for item in listed)]


def _named(item: Item, start: State, seat: Seat) -> str:
    name = YAKU[item.name]
    if item.name == "seat_wind":
        name += f" {_WINDS[(seat - start.dealer) % 4]}"
    if item.name == "round_wind":
        name += f" {_WINDS[start.round.rank - 1]}"
    worth = "役満" if item.name in YAKUMAN else f"{item.value}飜"
    return f"{name}({worth})"
