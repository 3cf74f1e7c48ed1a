"""Writing mjai: the lines that public viewers and reviewers of riichi games read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from engine.declare import own_tiles
from engine.events import Chow, Discard, Draw, Entry, Indicator, Kong, Pung, Seat
from engine.tiles import Tile
from service.logs.logged_games import LoggedGame, LoggedHand, LoggedWin, Play, played_games
from service.logs.mjai_names import CHOMBO, DRAWN_HANDS, NAMES, THREE_WINS, WINDS, YAKU
from service.logs.worth import worth_of

MjaiLine = dict[str, object]

_DEPOSIT = 1000


def write_mjai(entries: Sequence[Entry]) -> str:
    """The log of every game of the record; raises ``Refused``."""
    lines = (line for game in played_games(entries) for line in _game(game))
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )


def _game(game: LoggedGame) -> Iterator[MjaiLine]:
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


def _hand(hand: LoggedHand) -> Iterator[MjaiLine]:
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
    writer = _Play()
    for place, event in enumerate(hand.play):
        yield from writer.lines(event)
        last = place == len(hand.play) - 1
        settled = not last or (hand.ended and not hand.wins)
        if isinstance(event, Discard) and event.ready and settled:
            yield {"type": "reach_accepted", "actor": event.seat}
    if hand.ended:
        yield from _result(hand)
        yield {"type": "end_kyoku"}


class _Play:
    """What must be known of the play so far to write what comes next."""

    def __init__(self) -> None:
        self._drawn: dict[Seat, Tile] = {}
        self._discarder: Seat = 0
        self._pungs: dict[tuple[Seat, Tile], Sequence[Tile]] = {}

    def lines(self, event: Play) -> Iterator[MjaiLine]:
        match event:
            case Draw(seat, tile):
                self._drawn[seat] = tile
                yield {"type": "tsumo", "actor": seat, "pai": NAMES[tile]}
            case Discard(seat, tile, ready, as_drawn):
                if ready:
                    yield {"type": "reach", "actor": seat}
                just = self._drawn.pop(seat, None)
                given = just == tile if as_drawn is None else as_drawn
                yield {"type": "dahai", "actor": seat, "pai": NAMES[tile], "tsumogiri": given}
                self._discarder = seat
            case Chow():
                yield self._claim("chi", event)
            case Pung():
                self._pungs[event.seat, event.tile.kind] = (event.tile, *own_tiles(event))
                yield self._claim("pon", event)
            case Kong(seat, "open"):
                yield self._claim("daiminkan", event)
            case Kong(seat, "closed"):
                yield {"type": "ankan", "actor": seat, "consumed": _tiles(own_tiles(event))}
            case Kong(seat, _, tile):
                pung = self._pungs.get((seat, tile.kind), (tile.kind,) * 3)
                shown = NAMES[own_tiles(event)[0]]
                yield {"type": "kakan", "actor": seat, "pai": shown, "consumed": _tiles(pung)}
            case Indicator(tile):
                yield {"type": "dora", "dora_marker": NAMES[tile]}

    def _claim(self, kind: str, event: Chow | Pung | Kong) -> MjaiLine:
        return {
            "type": kind,
            "actor": event.seat,
            "target": self._discarder,
            "pai": NAMES[event.tile],
            "consumed": _tiles(own_tiles(event)),
        }


def _result(hand: LoggedHand) -> Iterator[MjaiLine]:
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


def _win(hand: LoggedHand, paid: LoggedWin, scores: Sequence[int]) -> MjaiLine:
    win = paid.win
    drawn = win.seat == win.from_seat
    worth = worth_of(hand.start, paid)
    line: MjaiLine = {
        "type": "hora",
        "actor": win.seat,
        "target": win.from_seat,
        "pai": NAMES[win.tile],
        "deltas": list(paid.deltas),
        "ura_markers": _tiles(hand.under),
        "scores": list(scores),
    }
    if win.hand is not None:  # a hand that drew its last tile is shown with it
        line["hora_tehais"] = _tiles((*win.hand, win.tile) if drawn else win.hand)
    if worth.yaku:
        line |= {
            "yakus": [[YAKU[item.name], item.value] for item in worth.yaku],
            "fu": worth.fu,
            "fan": worth.han,
            "hora_points": worth.total(win.seat == hand.start.dealer, drawn),
        }
    return line


def _tiles(tiles: Sequence[Tile]) -> list[str]:
    return [NAMES[tile] for tile in tiles]
