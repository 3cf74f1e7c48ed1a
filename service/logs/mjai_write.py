"""Writes mjai, which public viewers and reviewers of riichi games read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from engine.declare import own_tiles
from engine.events import Chow, Discard, Draw, Entry, Indicator, Kong, Pung
from engine.tiles import Tile
from service.logs.logged_games import LoggedGame, LoggedHand, LoggedWin, Play, played_games, pung_of
from service.logs.mjai import CHOMBO, DRAWN_HANDS, NAMES, THREE_WINS, WINDS
from service.logs.worth import YAKU_NAMES, worth_of
from service.report.public import Json

_DEPOSIT: Final = 1000
_CLAIMS: Final = {Chow: "chi", Pung: "pon", Kong: "daiminkan"}


def write_mjai(entries: Sequence[Entry]) -> str:
    """Write every game of the record; raise ``Refused``."""
    lines = (line for game in played_games(entries) for line in _game(game))
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )


def _game(game: LoggedGame) -> Iterator[Json]:
    names = game.start.players or ("", "", "", "")
    east_only = game.options.get("rounds") == 1
    yield {
        "type": "start_game",
        "names": list(names),
        "gametype": "tonpu" if east_only else "tonnan",
        "kyoku_first": 4 if east_only else 0,
        "aka_flag": game.options.get("red_fives") != 0,
    }
    for hand in game.hands:
        yield from _hand(hand)
    if game.ended is not None:
        scores = list(game.result.points) if game.result else None
        yield {"type": "end_game"} | ({"scores": scores} if scores else {})


def _hand(hand: LoggedHand) -> Iterator[Json]:
    start = hand.start
    yield {
        "type": "start_kyoku",
        "bakaze": WINDS[start.round.rank - 1],
        "dora_marker": NAMES[hand.dora],
        "kyoku": start.dealer + 1,
        "honba": start.honba,
        "kyotaku": start.pot // _DEPOSIT,
        "oya": start.dealer,
        "scores": list(start.points),
        "tehais": [_tiles(tiles) for tiles in hand.dealt],
    }
    for place, event in enumerate(hand.play):
        yield from _lines(event, hand.play[:place])
        last = place == len(hand.play) - 1
        settled = not last or (hand.ended and not hand.wins)
        if isinstance(event, Discard) and event.ready and settled:
            yield {"type": "reach_accepted", "actor": event.seat}
    if hand.ended:
        yield from _result(hand)
        yield {"type": "end_kyoku"}


def _lines(event: Play, before: Sequence[Play]) -> Iterator[Json]:
    match event:
        case Draw(seat, tile):
            yield {"type": "tsumo", "actor": seat, "pai": NAMES[tile]}
        case Discard(seat, tile, ready, drawn):
            if ready:
                yield {"type": "reach", "actor": seat}
            yield {"type": "dahai", "actor": seat, "pai": NAMES[tile], "tsumogiri": drawn}
        case Chow() | Pung() | Kong(_, "open"):
            yield {
                "type": _CLAIMS[type(event)],
                "actor": event.seat,
                "target": event.from_seat,
                "pai": NAMES[event.tile],
                "consumed": _tiles(own_tiles(event)),
            }
        case Kong(seat, "closed"):
            yield {"type": "ankan", "actor": seat, "consumed": _tiles(own_tiles(event))}
        case Kong(seat, _, tile):
            pung = pung_of(event, before)
            tiles = (tile.kind,) * 3 if pung is None else (pung.tile, *own_tiles(pung))
            shown = NAMES[own_tiles(event)[0]]
            yield {"type": "kakan", "actor": seat, "pai": shown, "consumed": _tiles(tiles)}
        case Indicator(tile):
            yield {"type": "dora", "dora_marker": NAMES[tile]}


def _result(hand: LoggedHand) -> Iterator[Json]:
    deltas, scores = list(hand.deltas), list(hand.points)
    if len(hand.wins) > 2 and not any(deltas):
        yield {"type": "ryukyoku", "reason": THREE_WINS, "deltas": deltas, "scores": scores}
    elif hand.wins:
        for paid in hand.wins:
            yield _win(hand, paid, scores)
    elif hand.drawn is not None:
        shown = {reveal.seat: reveal.tiles for reveal in hand.reveals}
        reasons = {reason: name for name, reason in reversed(tuple(DRAWN_HANDS.items()))}
        yield {
            "type": "ryukyoku",
            "reason": reasons[hand.drawn.reason],
            "tehais": [_tiles(shown.get(seat, ())) for seat in range(4)],
            "tenpais": [seat in shown for seat in range(4)],
            "deltas": deltas,
            "scores": scores,
        }
    else:
        yield {
            "type": "ryukyoku",
            "reason": CHOMBO,
            "actor": hand.foul,
            "deltas": deltas,
            "scores": scores,
        }


def _win(hand: LoggedHand, paid: LoggedWin, scores: Sequence[int]) -> Json:
    win = paid.win
    drawn = win.seat == win.from_seat
    worth = worth_of(hand.start, paid)
    line: Json = {
        "type": "hora",
        "actor": win.seat,
        "target": win.from_seat,
        "pai": NAMES[win.tile],
        "deltas": list(paid.deltas),
        "ura_markers": _tiles(hand.under),
        "scores": list(scores),
    }
    if win.hand is not None:  # with the winning tile for an own draw
        line["hora_tehais"] = _tiles((*win.hand, win.tile) if drawn else win.hand)
    if worth.yaku:
        line |= {
            "yakus": [[YAKU_NAMES[item.name].mjai, item.value] for item in worth.yaku],
            "fu": worth.fu,
            "fan": worth.han,
            "hora_points": worth.total(win.seat == hand.start.dealer, drawn),
        }
    return line


def _tiles(tiles: Sequence[Tile]) -> list[str]:
    return [NAMES[tile] for tile in tiles]
