"""Reads the JSON of tenhou.net/6: a list of hands with deals, draws and discards by seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.events import HandStart, Seat
from engine.logs.log_rules import TENHOU, reds_told, rules_named
from engine.logs.record_writer import (
    THREE_PLAYERS,
    BadLog,
    DrawnReason,
    RecordWriter,
    loads,
    names_of,
    whole_numbers,
)
from engine.logs.tenhou6_order import (
    CHOMBO,
    DRAWN_HANDS,
    IN_OTHER_WORDS,
    THREE_WINS,
    WON,
    Move,
    Throw,
    Written,
    in_order,
    read_gives,
    read_takes,
    tile_of,
)
from engine.tiles import WINDS, Tile

_HAND_PARTS: Final = 17
_DEPOSIT: Final = 1000


def read_tenhou6(text: str) -> RecordWriter:
    """Read a log into a record; raise ``BadLog``."""
    game = loads(text)
    if not isinstance(game, dict) or not isinstance(game.get("log"), list):
        raise BadLog("expected an object with a list of hands as log")
    if not game["log"]:
        raise BadLog("the log holds no hand")
    reader = _Reader(game)
    for number, hand in enumerate(game["log"], start=1):
        try:
            reader.take(hand)
        except BadLog as error:
            raise BadLog(f"hand {number}: {error}") from None
    if isinstance(game.get("sc"), list):
        reader.record.end_game()
    reader.record.finish()
    return reader.record


class _Reader:
    """Takes one hand after the other."""

    def __init__(self, game: Mapping[str, Any]) -> None:
        self.record = RecordWriter()
        self._names = names_of(game.get("name"))
        self._rules, self._options = self._rules_of(game)
        self._three = _three_players(game)
        self._points: Sequence[int] | None = None
        """Totals after the last hand."""

    def take(self, hand: object) -> None:
        if not isinstance(hand, list) or len(hand) != _HAND_PARTS:
            got = f"{len(hand)} parts" if isinstance(hand, list) else "something else"
            raise BadLog(f"expected a hand of {_HAND_PARTS} parts, got {got}")
        if self._three or hand[13] == []:
            raise BadLog(THREE_PLAYERS)
        number, honba, deposits = whole_numbers(hand[0], "round, counters and deposits", 3)
        if not 0 <= number < 16 or min(honba, deposits) < 0:
            raise BadLog(f"expected round, counters and deposits, got {hand[0]}")
        points = whole_numbers(hand[1], "points", 4)
        indicators, under = _tiles(hand[2], "indicators"), _tiles(hand[3], "ura dora")
        if not 1 <= len(indicators) <= 5:
            raise BadLog(f"expected one to five indicators, got {len(indicators)}")
        if points != self._points:  # a log may hold single hands, of one game or several
            self.record.start_game(self._rules, self._options, self._names, points)
        dealer = number % 4
        start = HandStart(dealer, WINDS[number // 4], honba, deposits)
        dealt = [_tiles(hand[4 + 3 * seat], "dealt tiles") for seat in range(4)]
        takes = [read_takes(hand[5 + 3 * seat]) for seat in range(4)]
        gives = [read_gives(hand[6 + 3 * seat]) for seat in range(4)]
        self.record.start_hand(start, dealt, indicators[0])
        moves = in_order(dealer, takes, gives)
        _Player(self.record, indicators[1:]).play(moves)
        self._result(hand[16], under)
        self._points = _points_after(points, moves, hand[16])

    def _result(self, result: object, under: Sequence[Tile]) -> None:
        if not isinstance(result, list) or not result or not isinstance(result[0], str):
            raise BadLog("expected a result such as 和了 or 流局")
        self.record.ura_dora(under)
        how = _how(result)
        for deltas in _payments(result):
            self.record.paid(deltas)
        if how == WON:
            for winner in result[2::2]:
                seat, from_seat = _winner(winner)
                self.record.win(seat, from_seat, None, None)
        elif how in THREE_WINS:
            self.record.three_wins()
        elif how == CHOMBO:
            self.record.chombo(_offender(result))
        else:
            self._drawn_hand(how, result[1:])
        self.record.end_hand()

    def _drawn_hand(self, how: str, rest: Sequence[object]) -> None:
        if how not in DRAWN_HANDS:
            self.record.unknown_reason(how)
        reason = self.record.drawn_hand(DRAWN_HANDS.get(how))
        for seat in self._shown(reason, how, rest):
            self.record.reveal(seat, self.record.hand_of(seat))

    def _shown(self, reason: DrawnReason, how: str, rest: Sequence[object]) -> Sequence[Seat]:
        """Seats whose hands were shown."""
        if how == "全員聴牌" or reason == "four_ready":
            return range(4)
        if reason == "nine_terminals":
            return [seat for seat in range(4) if self.record.drawn_by(seat) is not None]
        if reason == "exhausted" and how not in ("全員不聴", "流し満貫") and rest:
            deltas = whole_numbers(rest[0], "payments", 4)
            return [seat for seat in range(4) if deltas[seat] > 0]
        return []

    def _rules_of(self, game: Mapping[str, Any]) -> tuple[str, dict[str, object]]:
        """The preset that the log names, and house rules that it tells."""
        rule = game.get("rule")
        rule = rule if isinstance(rule, dict) else {}
        name, title = rule.get("disp"), game.get("title")
        titles = title[:1] if isinstance(title, list) else []
        rules = rules_named((name, *titles), rule.get("preset"))
        options: dict[str, object] = {}
        reds = reds_told(rule)
        if reds in (0, 3, 4):
            options["red_fives"] = reds
        elif reds is not None:
            self.record.remarks.append(f"the log tells of {reds} red fives; 0, 3 and 4 are known")
        name = name if isinstance(name, str) else ""
        if rules == TENHOU and any(word in name for word in "東南") and "喰" not in name:
            options["open_tanyao"] = False
        south = any(word in name for word in ("南", "South"))
        if any(word in name for word in ("東", "东", "East")) and not south:
            options["rounds"] = 1
        return rules, options


class _Player:
    """Plays the moves of a hand and turns indicators when they are due."""

    def __init__(self, record: RecordWriter, kan_dora: Sequence[Tile]) -> None:
        self._record = record
        self._left = list(kan_dora)
        self._due = 0
        """Open kongs whose indicator is turned with the next discard or kong."""

    def play(self, moves: Sequence[Move]) -> None:
        for move in moves:
            match move.what:
                case Tile() as tile:
                    self._record.draw(move.seat, tile)
                case Throw(tile, ready):
                    self._turn_up(self._due)
                    self._throw(move.seat, tile, ready)
                case Written() as written:
                    self._declare(move.seat, written)
        if self._left:
            raise BadLog("more kong indicators than kongs")

    def _throw(self, seat: Seat, tile: Tile | None, ready: bool) -> None:
        drawn = self._record.drawn_by(seat)
        if tile is None and drawn is None:
            raise BadLog(f"seat {seat} discards as drawn, having drawn nothing")
        thrown = drawn if tile is None else tile
        assert thrown is not None, "one of the two"
        self._record.discard(seat, thrown, ready, tile is None)

    def _declare(self, seat: Seat, written: Written) -> None:
        tile, others = written.tile, written.others
        match written.letter:
            case "c":
                self._record.chow(seat, written.from_seat(seat), tile, others)
            case "p":
                self._record.pung(seat, written.from_seat(seat), tile, others)
            case "m":
                self._record.open_kong(seat, written.from_seat(seat), tile, others)
            case "k":
                self._record.added_kong(seat, tile)
            case "a":
                self._record.closed_kong(seat, (tile, *others))
        if written.letter in "mka":
            self._turn_up(self._due + (written.letter == "a"))
            self._due = int(written.letter != "a")

    def _turn_up(self, count: int) -> None:
        for tile in self._left[:count]:
            self._record.kan_dora(tile)
        self._left = self._left[count:]
        self._due = 0


def _three_players(game: Mapping[str, Any]) -> bool:
    rule = game.get("rule")
    name = rule.get("disp") if isinstance(rule, dict) else None
    names = game.get("name")
    return (isinstance(name, str) and "三" in name) or (isinstance(names, list) and len(names) == 3)


def _tiles(written: object, name: str) -> list[Tile]:
    if not isinstance(written, list):
        raise BadLog(f"expected a list of {name}")
    return [tile_of(one) for one in written]


def _how(result: Sequence[Any]) -> str:
    """How the hand ended, in the site's own word; in a word of another language, a win is seen from
    the winner that stands behind it."""
    written: str = result[0]
    how = IN_OTHER_WORDS.get(written, written)
    known = how in (WON, CHOMBO, *THREE_WINS, *DRAWN_HANDS)
    winner = result[2] if len(result) > 2 else None
    return WON if not known and isinstance(winner, list) and len(winner) > 1 else how


def _winner(written: object) -> tuple[Seat, Seat]:
    if (
        not isinstance(written, list)
        or len(written) < 2
        or not all(type(seat) is int and 0 <= seat < 4 for seat in written[:2])
    ):
        raise BadLog("expected a win that begins with its winner and its discarder")
    return written[0], written[1]


def _offender(result: Sequence[object]) -> Seat:
    """Who committed the foul: named in our own logs, else whoever paid most."""
    if len(result) > 2 and result[2] in ([0], [1], [2], [3]):
        named: Seat = whole_numbers(result[2], "the offender", 1)[0]
        return named
    deltas = whole_numbers(result[1] if len(result) > 1 else None, "payments", 4)
    return deltas.index(min(deltas))


def _points_after(points: Sequence[int], moves: Sequence[Move], result: list[Any]) -> Sequence[int]:
    """Totals after the hand, deposits paid."""
    after, how = list(points), _how(result)
    for place, move in enumerate(moves):
        if isinstance(move.what, Throw) and move.what.ready:
            won_on = place == len(moves) - 1 and how == WON
            after[move.seat] -= 0 if won_on else _DEPOSIT
    for paid in _payments(result):
        after = [own + delta for own, delta in zip(after, paid, strict=True)]
    return after


def _payments(result: Sequence[Any]) -> list[list[int]]:
    """What the result moved, of several winners each; none where it does not say."""
    how = _how(result)
    told = result[1::2] if how == WON else [] if how in THREE_WINS else result[1:2]
    return [whole_numbers(deltas, "payments", 4) for deltas in told]
