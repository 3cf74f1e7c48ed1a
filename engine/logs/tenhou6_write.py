"""Writes the JSON of tenhou.net/6, which its editor and public reviewers read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engine.announce import Item
from engine.declare import own_tiles
from engine.errors import Refused
from engine.events import Chow, Discard, Draw, Entry, Indicator, Kong, Pung, Seat
from engine.logs.logged_games import (
    YAKU_NAMES,
    LoggedGame,
    LoggedHand,
    LoggedWin,
    Play,
    played_games,
    pung_of,
    worth_of,
)
from engine.logs.tenhou6_order import (
    AS_DRAWN,
    CHOMBO,
    NOTHING,
    NUMBERS,
    THREE_WINS,
    WON,
    write_set,
)
from engine.rules.riichi.tables import YAKUMAN
from engine.state import State
from engine.tiles import REDS, Tile

Code = int | str

_DEPOSIT = 1000
_RETURNED = 30_000
"""Points that count as zero in the final standings."""
_PLACES = {"c": {3: 0}, "p": {3: 0, 2: 1, 1: 2}, "m": {3: 0, 2: 1, 1: 3}}
"""Number of tiles before the letter, by the steps from the seat to the discarder."""
_LETTERS = {Chow: "c", Pung: "p", Kong: "m"}
_WINDS = "東南西北"
_LIMITS = {2000: "満貫", 3000: "跳満", 4000: "倍満", 6000: "三倍満", 8000: "役満"}
_DRAWN_HANDS = {
    "nine_terminals": "九種九牌",
    "four_winds": "四風連打",
    "four_kongs": "四槓散了",
    "four_ready": "四家立直",
}


def write_tenhou6(entries: Sequence[Entry]) -> str:
    """Write the record; raise ``Refused``."""
    games = played_games(entries)
    first = games[0]
    if any(
        (game.start.players, game.options) != (first.start.players, first.options) for game in games
    ):
        raise Refused("the record holds games of different players or rules; export one of them")
    hands = [_hand(hand) for game in games for hand in game.hands if hand.ended]
    if not hands:
        raise Refused("no hand of the record has ended, and tenhou.net/6 holds whole hands only")
    written: dict[str, object] = {
        "title": ["", ""],
        "name": list(first.start.players or ("", "", "", "")),
        "rule": _rule(first),
        "log": hands,
    }
    result = games[-1].result
    if result is not None:
        pairs = ((points, (points - _RETURNED) / 1000) for points in result.points)
        written["sc"] = [figure for pair in pairs for figure in pair]
    return json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n"


def _rule(game: LoggedGame) -> dict[str, object]:
    options = game.options
    reds = options.get("red_fives") != 0
    words = (
        "般",
        "東" if options.get("rounds") == 1 else "南",
        "喰" if options.get("open_tanyao") else "",
        "赤" if reds else "",
    )
    red, dots = int(reds), 2 if options.get("red_fives") == 4 else int(reds)
    told = {"disp": "".join(words), "aka51": red, "aka52": dots, "aka53": red}
    return told | {"preset": game.start.rules}


def _hand(hand: LoggedHand) -> list[object]:
    start = hand.start
    lists = _Lists(hand)
    seats: list[object] = []
    for seat in range(4):
        dealt = [lists.number(tile) for tile in sorted(hand.dealt[seat], key=_place)]
        seats += [dealt, lists.takes[seat], lists.gives[seat]]
    kan_dora = [event.tile for event in hand.play if isinstance(event, Indicator)]
    return [
        [4 * (start.round.rank - 1) + start.dealer, start.honba, start.pot // _DEPOSIT],
        list(start.points),
        [lists.number(tile) for tile in (hand.dora, *kan_dora)],
        [lists.number(tile) for tile in hand.under],
        *seats,
        _result(hand),
    ]


def _place(tile: Tile) -> tuple[str, int, bool]:
    """Sort key of a hand: by suit and rank, a red five after the plain ones."""
    return tile.suit, tile.rank, tile in REDS


class _Lists:
    """What each seat took and gave, as the format lists it."""

    def __init__(self, hand: LoggedHand) -> None:
        self.takes: tuple[list[Code], ...] = ([], [], [], [])
        self.gives: tuple[list[Code], ...] = ([], [], [], [])
        self._hand = hand
        for place, event in enumerate(hand.play):
            self._add(event, hand.play[:place])

    def number(self, tile: Tile) -> int:
        if tile not in NUMBERS:
            raise Refused(
                f"hand {self._hand.number} has tiles that nobody saw, and tenhou.net/6 needs "
                "them all; mjai can leave tiles out"
            )
        return NUMBERS[tile]

    def _add(self, event: Play, before: Sequence[Play]) -> None:
        match event:
            case Draw(seat, tile):
                self.takes[seat].append(self.number(tile))
            case Discard(seat, tile, ready, drawn):
                code = AS_DRAWN if drawn else self.number(tile)
                self.gives[seat].append(f"r{code}" if ready else code)
            case Chow(seat) | Pung(seat) | Kong(seat, "open"):
                letter = _LETTERS[type(event)]
                tiles = sorted(own_tiles(event), key=_place)
                self.takes[seat].append(
                    self._written(letter, self._letter_place(letter, event), event.tile, tiles)
                )
                if letter == "m":
                    self.gives[seat].append(NOTHING)
            case Kong(seat, "closed"):
                *others, last = own_tiles(event)
                self.gives[seat].append(self._written("a", 3, last, others))
            case Kong(seat, _, tile):
                pung, place, three = pung_of(event, before), 0, [tile.kind] * 3
                if pung is not None:
                    place = self._letter_place("p", pung)
                    three = sorted(own_tiles(pung), key=_place)
                    three.insert(place, pung.tile)
                self.gives[seat].append(self._written("k", place, own_tiles(event)[0], three))
            case Indicator():
                pass

    def _letter_place(self, letter: str, event: Chow | Pung | Kong) -> int:
        assert event.from_seat is not None, "claims of a logged hand name the discarder"
        place = _PLACES[letter].get((event.from_seat - event.seat) % 4)
        if place is None:
            raise Refused(
                f"hand {self._hand.number} has a chow from a seat that is not on the left, which "
                "tenhou.net/6 cannot express; mjai can"
            )
        return place

    def _written(self, letter: str, place: int, tile: Tile, others: Sequence[Tile]) -> str:
        for shown in (tile, *others):
            self.number(shown)
        return write_set(letter, place, tile, others)


def _result(hand: LoggedHand) -> list[object]:
    deltas = list(hand.deltas)
    if len(hand.wins) > 2 and not any(deltas):
        return [THREE_WINS[0]]
    if hand.wins:
        result: list[object] = [WON]
        for paid in hand.wins:
            result += [list(paid.deltas), _win(hand, paid)]
        return result
    if hand.drawn is None:
        return [CHOMBO, deltas, [hand.foul]]
    if hand.drawn.reason in _DRAWN_HANDS:
        return [_DRAWN_HANDS[hand.drawn.reason]]
    return _exhausted(hand, deltas)


def _exhausted(hand: LoggedHand, deltas: list[int]) -> list[object]:
    shown = {reveal.seat for reveal in hand.reveals}
    receiving = {seat for seat in range(4) if deltas[seat] > 0}
    if not any(deltas):
        return ["全員聴牌"] if len(shown) == 4 else ["全員不聴"]
    noten = sum(max(delta, 0) for delta in deltas) == 3000
    return ["流局", deltas] if noten and receiving else ["流し満貫", deltas]


def _win(hand: LoggedHand, paid: LoggedWin) -> list[object]:
    win = paid.win
    liable = next((item.value for item in paid.items if item.name == "riichi_liable"), win.seat)
    return [win.seat, win.from_seat, liable, *_worth_and_yaku(hand.start, paid)]


def _worth_and_yaku(start: State, paid: LoggedWin) -> list[str]:
    """Texts such as ``30符2飜2000点`` and ``立直(1飜)``; empty for an unknown hand.

    ``start``: the state at the beginning of the hand, for its winds. The points are without
    counters and deposits.
    """
    worth = worth_of(start, paid)
    if not worth.yaku:
        return []
    seat = paid.win.seat
    order = list(YAKU_NAMES)
    listed = sorted(worth.yaku, key=lambda item: order.index(item.name))
    how = "役満" if worth.limit else _LIMITS.get(worth.base, f"{worth.fu}符{worth.han}飜")
    dealer, drawn = seat == start.dealer, paid.win.from_seat == seat
    points = "-".join(map(str, worth.payments(dealer, drawn)))
    each = "∀" if dealer and drawn else ""
    return [f"{how}{points}点{each}", *(_named(item, start, seat) for item in listed)]


def _named(item: Item, start: State, seat: Seat) -> str:
    name = YAKU_NAMES[item.name].tenhou
    if item.name == "seat_wind":
        name += f" {_WINDS[(seat - start.dealer) % 4]}"
    if item.name == "round_wind":
        name += f" {_WINDS[start.round.rank - 1]}"
    worth = "役満" if item.name in YAKUMAN else f"{item.value}飜"
    return f"{name}({worth})"
