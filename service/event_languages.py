"""What happened at the table in Chinese and Japanese; ``event_words`` says it in English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import Final, assert_never

from engine.events import (
    Chow,
    Correct,
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Event,
    Foul,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Win,
)
from engine.tiles import Tile
from engine.words import LANGUAGES
from service.event_words import Part, event_parts

Said = tuple[str, Mapping[str, object]]
"""The key of a message and what stands in its gaps."""

MESSAGES: Final[Mapping[str, Mapping[str, str]]] = {
    "zh": {
        "game_start": "对局开始，规则 {rules}",
        "hand_start": "新一局开始",
        "hand_start.dealer": "，{seat}坐庄",
        "deal": "{seat}拿到 {tiles}",
        "deal.hidden": "{seat}拿到{count}张牌",
        "indicator": "翻牌（{kind}）：{tile}",
        "indicator.dora": "宝牌",
        "indicator.kan_dora": "杠宝牌",
        "indicator.ura_dora": "里宝牌",
        "indicator.treasure": "宝牌",
        "indicator.fortune": "财神",
        "draw": "{seat}摸牌 {tile}",
        "draw.hidden": "{seat}摸牌",
        "draw.tail": "（从牌尾）",
        "discard": "{seat}打出 {tile}",
        "discard.drawn": "（摸切）",
        "ready": "，报听",
        "chow": "{seat}用 {tiles} 吃{giver}的 {tile}",
        "pung": "{seat}用 {tiles} 碰{giver}的 {tile}",
        "kong.open": "{seat}杠{giver}的 {tile}",
        "kong.closed": "{seat}暗杠 {tile}",
        "kong.added": "{seat}加杠 {tile}",
        "position": "从已知的局面继续",
        "win.self": "{seat}自摸 {tile}",
        "win": "{seat}胡{giver}的 {tile}",
        "win.hand": "，手牌 {tiles}",
        "reveal": "{seat}亮牌 {tiles}",
        "drawn.exhausted": "流局：牌摸完了",
        "drawn.nine_terminals": "流局：九种九牌",
        "drawn.four_winds": "流局：四风连打",
        "drawn.four_kongs": "流局：四杠散了",
        "drawn.four_ready": "流局：四家立直",
        "foul": "{seat}犯规：{offence} {tiles}",
        "dice": "骰子：{values}",
        "hand_end": "本局结束",
        "game_end": "对局结束",
        "game_end.time": "（时间到）",
        "correct": "更正第 {of} 条：",
        "correct.none": "没有发生",
        "then": "；",
    },
    "ja": {
        "game_start": "対局開始、ルールは {rules}",
        "hand_start": "局の開始",
        "hand_start.dealer": "、親は{seat}",
        "deal": "{seat}の配牌 {tiles}",
        "deal.hidden": "{seat}に{count}枚配られる",
        "indicator": "めくられた牌（{kind}）：{tile}",
        "indicator.dora": "ドラ表示",
        "indicator.kan_dora": "槓ドラ表示",
        "indicator.ura_dora": "裏ドラ表示",
        "indicator.treasure": "宝牌",
        "indicator.fortune": "財神",
        "draw": "{seat}がツモる {tile}",
        "draw.hidden": "{seat}がツモる",
        "draw.tail": "（山の後ろから）",
        "discard": "{seat}が捨てる {tile}",
        "discard.drawn": "（ツモ切り）",
        "ready": "、テンパイ宣言",
        "chow": "{seat}が{giver}の {tile} をチー、{tiles} で",
        "pung": "{seat}が{giver}の {tile} をポン、{tiles} で",
        "kong.open": "{seat}が{giver}の {tile} を大明槓",
        "kong.closed": "{seat}が {tile} を暗槓",
        "kong.added": "{seat}が {tile} を加槓",
        "position": "わかっている局面から続ける",
        "win.self": "{seat}が {tile} をツモ和了",
        "win": "{seat}が{giver}の {tile} でロン",
        "win.hand": "、手牌 {tiles}",
        "reveal": "{seat}が手牌を見せる {tiles}",
        "drawn.exhausted": "流局：山がなくなった",
        "drawn.nine_terminals": "流局：九種九牌",
        "drawn.four_winds": "流局：四風連打",
        "drawn.four_kongs": "流局：四槓散了",
        "drawn.four_ready": "流局：四家立直",
        "foul": "{seat}の反則：{offence} {tiles}",
        "dice": "サイコロ：{values}",
        "hand_end": "局の終了",
        "game_end": "対局終了",
        "game_end.time": "（時間切れ）",
        "correct": "{of} 番の訂正：",
        "correct.none": "起こらなかった",
        "then": "；",
    },
}


def told(event: Event, names: Sequence[str]) -> dict[str, tuple[Part, ...]]:
    """One event as a row of words and tiles in every language, seats by their ``names``."""
    return {
        lang: tuple(_filled(event, names, MESSAGES[lang]))
        if lang in MESSAGES
        else event_parts(event, names)
        for lang in LANGUAGES
    }


def drawable(parts: Sequence[Part]) -> list[object]:
    """The same as JSON: words as they are, tiles as ``{"tile": CODE}``."""
    return [{"tile": str(part)} if isinstance(part, Tile) else part for part in parts]


def _filled(event: Event, names: Sequence[str], table: Mapping[str, str]) -> Iterator[Part]:
    for key, values in _said(event, names):
        for text, gap, _, _ in Formatter().parse(table[key]):
            if text.strip():
                yield text.strip()
            value = values[gap] if gap else ""
            if gap == "kind":
                value = table[f"indicator.{value}"]
            if isinstance(value, Tile):
                yield value
            elif isinstance(value, tuple):
                yield from value
            elif value != "":
                yield str(value)


def _said(event: Event, names: Sequence[str]) -> Iterator[Said]:
    match event:
        case GameStart():
            yield "game_start", {"rules": event.rules}
        case HandStart(dealer=dealer):
            yield "hand_start", {}
            if dealer is not None:
                yield "hand_start.dealer", {"seat": names[dealer]}
        case Deal(seat, tiles):
            hidden = not any(tile.known for tile in tiles)
            values = {"seat": names[seat], "tiles": tiles, "count": len(tiles)}
            yield "deal.hidden" if hidden else "deal", values
        case Indicator(tile, kind):
            yield "indicator", {"kind": kind, "tile": tile}
        case Draw(seat, tile, end):
            yield "draw" if tile.known else "draw.hidden", {"seat": names[seat], "tile": tile}
            if end == "tail":
                yield "draw.tail", {}
        case Discard(seat, tile, ready, drawn):
            yield "discard", {"seat": names[seat], "tile": tile}
            if drawn:
                yield "discard.drawn", {}
            yield from _ready(ready)
        case Chow(seat, giver, tile, own, ready) | Pung(seat, giver, tile, own, ready):
            values = {"seat": names[seat], "giver": names[giver], "tile": tile, "tiles": own}
            yield type(event).__name__.lower(), values
            yield from _ready(ready)
        case Kong(seat, kind, tile, from_seat, _):
            given = "" if from_seat is None else names[from_seat]
            yield f"kong.{kind}", {"seat": names[seat], "giver": given, "tile": tile}
        case Position():
            yield "position", {}
        case Win(seat, giver, tile, hand):
            values = {"seat": names[seat], "giver": names[giver], "tile": tile}
            yield "win.self" if seat == giver else "win", values
            if hand:
                yield "win.hand", {"tiles": hand}
        case Reveal(seat, tiles):
            yield "reveal", {"seat": names[seat], "tiles": tiles}
        case DrawnHand(reason):
            yield f"drawn.{reason}", {}
        case Foul(seat, offence, shown):
            named = offence.replace("_", " ")
            yield "foul", {"seat": names[seat], "offence": named, "tiles": shown or ()}
        case Dice(values=rolled):
            yield "dice", {"values": " ".join(map(str, rolled))}
        case HandEnd():
            yield "hand_end", {}
        case GameEnd(reason):
            yield "game_end", {}
            if reason == "time":
                yield "game_end.time", {}
        case Correct(of, events):
            yield "correct", {"of": of}
            for place, entry in enumerate(events):
                if place:
                    yield "then", {}
                yield from _said(entry.event, names)
            if not events:
                yield "correct.none", {}
        case _:
            assert_never(event)


def _ready(ready: bool) -> Iterator[Said]:
    if ready:
        yield "ready", {}
