"""Wins and drawn hands of the shared riichi data, in the engine's terms."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.rules.riichi.yaku import WinFacts
from engine.state import Meld, SetKind
from engine.tiles import KINDS, Tile, parse

SHARED = os.environ.get("TILESIGHT_SHARED")
FOLDER = Path(SHARED or "") / "data" / "riichi" / "scoring"
Row = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One win of another table, and what was paid for it there."""

    name: str
    facts: WinFacts
    han: int | None
    fu: int | None
    yaku: dict[str, int]
    winner: int
    from_seat: int
    dealer: int
    counters: int
    pot: int
    deltas: tuple[int, ...]


def lines(name: str) -> Iterator[Row]:
    with gzip.open(FOLDER / name, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def whole(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))


def wind(place: int) -> Tile:
    return Tile(f"{place % 4 + 1}z")


def declared(kind: SetKind, tiles: tuple[Tile, ...]) -> Meld:
    """The set; which tile was claimed, and from whom, is nothing to its worth."""
    return Meld(kind, tiles, None if kind is SetKind.CLOSED_KONG else tiles[0])


# --- tenhou: tiles numbered 0 to 135 --------------------------------------------------------------

_KINDS = {
    "chi": SetKind.CHOW,
    "pon": SetKind.PUNG,
    "daiminkan": SetKind.OPEN_KONG,
    "kakan": SetKind.ADDED_KONG,
    "ankan": SetKind.CLOSED_KONG,
}
_TENHOU_NAMES = {
    "aka_dora": "red_five",
    "dora": "riichi_dora",
    "ittsuu": "ittsu",
    **{f"seat_{wind}": "seat_wind" for wind in "ESWN"},
    **{f"round_{wind}": "round_wind" for wind in "ESWN"},
}


def numbered(number: int) -> Tile:
    code = KINDS[number // 4]
    return Tile("0" + code[1]) if number in (16, 52, 88) else Tile(code)


def tenhou_tiles(numbers: list[int]) -> tuple[Tile, ...]:
    return tuple(map(numbered, numbers))


def tenhou_wins(name: str) -> Iterator[Case]:
    """Several winners on one tile follow each other, each a case of its own."""
    for row in lines(name):
        told = {yaku for yaku, _ in row["yaku"]}
        facts = WinFacts(
            tiles=tenhou_tiles(row["hand"]),
            melds=tuple(
                declared(_KINDS[m["type"]], tenhou_tiles(m["tiles"])) for m in row["melds"]
            ),
            tile=numbered(row["win_tile"]),
            drawn=row["tsumo"],
            seat_wind=wind(row["winner"] - row["dealer"]),
            round_wind=wind(row["round"] // 4),
            riichi=bool(told & {"riichi", "double_riichi"}),
            double_riichi="double_riichi" in told,
            ippatsu="ippatsu" in told,
            last_tile=bool(told & {"haitei", "houtei"}),
            after_kong="rinshan" in told,
            robbed_kong="chankan" in told,
            indicators=tenhou_tiles(row["dora_ind"]),
            ura=tenhou_tiles(row["ura_ind"]),
        )
        yaku = {_TENHOU_NAMES.get(yaku, yaku): han for yaku, han in row["yaku"] if han}
        yield Case(
            name=f"{row['src']} {row['kyoku']} {row['i']}",
            facts=facts,
            han=sum(yaku.values()) or None,
            fu=row["fu"],
            yaku=yaku or dict.fromkeys(row["yakuman"], 13),
            winner=row["winner"],
            from_seat=row["from_"],
            dealer=row["dealer"],
            counters=row["honba"],
            pot=1000 * row["sticks"],
            deltas=tuple(row["deltas"]),
        )


# --- kobalab: suit before the ranks, + = - for the seat that a tile came from ---------------------

_AWAY = {"+": 1, "=": 2, "-": 3}


def kobalab_tiles(text: str) -> tuple[Tile, ...]:
    return tuple(
        Tile(rank + suit)
        for suit, ranks in re.findall(r"([mpsz])(\d+)", re.sub("[-+=_*]", "", text))
        for rank in ranks
    )


def kobalab_set(text: str) -> Meld:
    tiles = kobalab_tiles(text)
    if len({tile.kind for tile in tiles}) > 1:
        return declared(SetKind.CHOW, tiles)
    if len(tiles) == 3:
        return declared(SetKind.PUNG, tiles)
    if text[-1].isdigit():
        marked = any(mark in text for mark in _AWAY)
        return declared(SetKind.ADDED_KONG if marked else SetKind.CLOSED_KONG, tiles)
    return declared(SetKind.OPEN_KONG, tiles)


_KOBALAB_NAMES = {
    "立直": "riichi",
    "ダブル立直": "double_riichi",
    "一発": "ippatsu",
    "門前清自摸和": "menzen_tsumo",
    "平和": "pinfu",
    "断幺九": "tanyao",
    "一盃口": "iipeikou",
    "翻牌 白": "haku",
    "翻牌 發": "hatsu",
    "翻牌 中": "chun",
    **{f"自風 {wind}": "seat_wind" for wind in "東南西北"},
    **{f"場風 {wind}": "round_wind" for wind in "東南西北"},
    "海底摸月": "haitei",
    "河底撈魚": "houtei",
    "嶺上開花": "rinshan",
    "七対子": "chiitoitsu",
    "三色同順": "sanshoku_doujun",
    "一気通貫": "ittsu",
    "混全帯幺九": "chanta",
    "対々和": "toitoi",
    "三暗刻": "sanankou",
    "三色同刻": "sanshoku_doukou",
    "混老頭": "honroutou",
    "小三元": "shousangen",
    "混一色": "honitsu",
    "純全帯幺九": "junchan",
    "清一色": "chinitsu",
    "四暗刻": "suuankou",
    "国士無双": "kokushi",
    "ドラ": "riichi_dora",
    "裏ドラ": "ura_dora",
    "赤ドラ": "red_five",
}


def kobalab_wins() -> Iterator[Case]:
    """The seats of a case are winds: the dealer is 0."""
    for place, row in enumerate(whole("kobalab_hule_0-4999.json")):
        asked, param = row["in"], row["in"]["param"]
        closed, *sets = asked["shoupai"].split(",")
        claimed = asked.get("rongpai")
        tiles = kobalab_tiles(closed) + (kobalab_tiles(claimed) if claimed else ())
        seat, flags = param["menfeng"], param["hupai"]
        yield Case(
            name=f"kobalab {place} 0",
            facts=WinFacts(
                tiles=tiles,
                melds=tuple(map(kobalab_set, sets)),
                tile=tiles[-1],
                drawn=not claimed,
                seat_wind=wind(seat),
                round_wind=wind(param["zhuangfeng"]),
                riichi=bool(flags.get("lizhi")),
                double_riichi=flags.get("lizhi") == 2,
                ippatsu=bool(flags.get("yifa")),
                last_tile=bool(flags.get("haidi")),
                after_kong=bool(flags.get("lingshang")),
                indicators=tuple(t for code in param["baopai"] for t in kobalab_tiles(code)),
                ura=tuple(t for code in param["fubaopai"] or () for t in kobalab_tiles(code)),
            ),
            han=row["out"]["fanshu"],
            fu=row["out"]["fu"],
            yaku={
                _KOBALAB_NAMES[yaku["name"]]: 13 if yaku["fanshu"] == "*" else yaku["fanshu"]
                for yaku in row["out"]["hupai"]
            },
            winner=seat,
            from_seat=(seat + _AWAY[claimed[-1]]) % 4 if claimed else seat,
            dealer=0,
            counters=param["jicun"]["changbang"],
            pot=1000 * param["jicun"]["lizhibang"],
            deltas=tuple(row["out"]["fenpei"]),
        )


# --- the worked examples of the European rules ----------------------------------------------------


def ema_examples() -> Iterator[tuple[Row, WinFacts]]:
    """Each example for a dealer and another seat, as far as it tells both."""
    for row in whole("ema_rcr2016_examples.json")["examples"]:
        sets = [text.split() for text in row["melds"]]
        kinds = {"chi": SetKind.CHOW, "pon": SetKind.PUNG}
        melds = tuple(declared(kinds[kind], parse(tiles)) for kind, tiles in sets)
        tiles = list(parse(row["hand"]))
        for meld in melds:
            for tile in meld.tiles:
                tiles.remove(tile)
        facts = WinFacts(
            tiles=tuple(tiles),
            melds=melds,
            tile=Tile(row["win"]),
            drawn=row["tsumo"],
            # Winds that the example does not give are none that its hand holds.
            seat_wind=Tile("2z"),
            round_wind=Tile("1z"),
            riichi=row["riichi"],
            ippatsu=row.get("ippatsu", False),
            indicators=tuple(before(Tile(dora)) for dora in row["dora"]),
        )
        for key, seat in (("dealer", "1z"), ("nondealer", "2z")):
            if key in row:
                yield {**row, "pays": row[key]}, replace(facts, seat_wind=Tile(seat))


def before(dora: Tile) -> Tile:
    """The indicator of a suit tile."""
    return Tile(f"{(dora.rank - 2) % 9 + 1}{dora.suit}")


# --- mahjax: counts of the 34 kinds, sets as numbers ----------------------------------------------

_CHOW = 74
_KONGS = range(37, 71)


def mahjax_wins() -> Iterator[tuple[str, Row, WinFacts]]:
    for name, row in whole("mahjax_yaku_test.json").items():
        melds = tuple(map(_mahjax_set, row["melds"][: row["n_meld"]]))
        tile = Tile(KINDS[row["last"]])
        held = [Tile(KINDS[kind]) for kind, count in enumerate(row["hand"]) for _ in range(count)]
        tiles = (*held, tile)
        if sum(t == tile for t in (*tiles, *(t for meld in melds for t in meld.tiles))) > 4:
            # Four cases have a pair of the kind of their first kong, six tiles of it in all.
            tile = Tile("9s")
            tiles = (*(tile if t == held[0] else t for t in held), tile)
        yield (
            name,
            row,
            WinFacts(
                tiles=tiles,
                melds=melds,
                tile=tile,
                drawn=not row["is_ron"],
                seat_wind=wind(row["seat_wind"]),
                round_wind=wind(row["prevalent_wind"]),
                riichi=bool(row["riichi"]),
                # 31 to 33 stand for no dora there: hands of dragons are scored without.
                indicators=tuple(before(Tile(KINDS[d])) for d in row["dora_indices"] if d < 27),
            ),
        )


def _mahjax_set(packed: int) -> Meld:
    """``packed``: what was done (7 bits), the kind (6 bits), the seat that the tile came from."""
    action, kind, source = packed & 127, packed >> 7 & 63, packed >> 13
    if action == _CHOW:
        return declared(SetKind.CHOW, tuple(Tile(KINDS[kind + step]) for step in range(3)))
    assert action in _KONGS, packed
    kong = SetKind.OPEN_KONG if source else SetKind.CLOSED_KONG
    return declared(kong, (Tile(KINDS[kind]),) * 4)
