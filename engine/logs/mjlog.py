"""Reads mjlog, the XML format of tenhou.net: one tag for each event.

Tiles are numbered 0 to 135, four of a kind in a row; sets are packed into bits. Points are in
hundreds. There is no official specification; tags and bits follow public descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import unquote
from xml.parsers import expat

from engine.events import HandStart, Seat
from engine.logs.log_rules import TENHOU
from engine.logs.record_writer import THREE_PLAYERS, BadLog, DrawnReason, RecordWriter, WrittenWin
from engine.tiles import KINDS, WINDS, Tile

_REDS: Final = {16: Tile("0m"), 52: Tile("0p"), 88: Tile("0s")}
_NO_REDS, _NO_OPEN_TANYAO, _TWO_ROUNDS, _THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
"""Bits of a game's type."""
_USUAL_TYPE: Final = 0x09
"""Two rounds, red fives, open tanyao: the default for logs without a type."""

_DRAWS: Final = {letter: seat for seat, letter in enumerate("TUVW")}
_DISCARDS: Final = {letter: seat for seat, letter in enumerate("DEFG")}
_TILE_TAG: Final = re.compile(r"([TUVWDEFG])([0-9]{1,3})")
_IGNORED: Final = frozenset({"mjloggm", "SHUFFLE", "TAIKYOKU", "BYE"})
"""Shuffling of the wall, first dealer (each hand tells it too), lost connections."""

_DRAWN_HANDS: Final[Mapping[str, DrawnReason]] = {
    "yao9": "nine_terminals",
    "kaze4": "four_winds",
    "reach4": "four_ready",
    "kan4": "four_kongs",
    "nm": "exhausted",
}
"""``nm`` is nagashi mangan, at an exhausted wall."""

_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")

_CUT_OFF: Final = (expat.errors.XML_ERROR_NO_ELEMENTS, expat.errors.XML_ERROR_UNCLOSED_TOKEN)

Attributes = Mapping[str, str]


def read_mjlog(text: str) -> RecordWriter:
    """Read a log into a record; raise ``BadLog``."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.take
    parser.StartDoctypeDeclHandler = _no_definitions
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise BadLog(f"line {error.lineno}, column {error.offset}: {_why(error)}") from None
    except BadLog as error:
        where = f"line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber}"
        raise BadLog(f"{where}: {error}") from None
    reader.finish()
    reader.record.finish()
    return reader.record


def _no_definitions(*_: object) -> None:
    # Entities that expand into each other can make a small file very large.
    raise BadLog("an mjlog file must not define a document type")


def _why(error: expat.ExpatError) -> str:
    said = expat.errors.messages.get(error.code, "not well-formed")
    return "the file is cut off" if said in _CUT_OFF else said


class _Reader:
    """Takes one tag after the other."""

    def __init__(self) -> None:
        self.record = RecordWriter()
        self._tags: Mapping[str, Callable[[Attributes], None]] = {
            "GO": self._rules,
            "UN": self._players,
            "INIT": self._hand,
            "N": self._set,
            "DORA": self._kan_dora,
            "REACH": self._reach,
            "AGARI": self._win,
            "RYUUKYOKU": self._drawn_hand,
        }
        self._seen_root = False
        self._type = _USUAL_TYPE
        self._names = ["", "", "", ""]
        self._reaching: Seat | None = None
        self._drawn: tuple[Seat, int] | None = None
        """Who drew last, and the tile's number."""
        self._wins: list[Attributes] = []
        self._over = False

    def take(self, tag: str, attributes: Attributes) -> None:
        if not self._seen_root:
            self._seen_root = True
            if tag != "mjloggm":
                raise BadLog(f"expected an mjlog file, whose first tag is mjloggm, got {tag[:40]}")
        if tag != "AGARI":
            self._settle()
        tile = _TILE_TAG.fullmatch(tag)
        if tile is not None and not attributes:
            self._draw_or_discard(tile[1], int(tile[2]))
        elif tag in self._tags:
            self._tags[tag](attributes)
        elif tag not in _IGNORED:
            raise BadLog(f"unknown tag {tag[:40]}")

    def finish(self) -> None:
        self._settle()
        if not self.record.in_game and not self._over:
            raise BadLog("the log holds no hand")

    # --- what tags mean ---

    def _rules(self, given: Attributes) -> None:
        self._type = _number(given, "type")

    def _players(self, given: Attributes) -> None:
        for seat in range(4):
            name = given.get(f"n{seat}")
            if name and not self._names[seat]:  # the tag is repeated when a player reconnects
                self._names[seat] = unquote(name)

    def _hand(self, given: Attributes) -> None:
        if self._over:
            raise BadLog("a hand begins after the game has ended")
        dealt = [self._tiles(given, f"hai{seat}") for seat in range(4)]
        if self._type & _THREE_PLAYERS or not dealt[3]:
            raise BadLog(THREE_PLAYERS)
        number, honba, deposits, die, other_die, dora = _numbers(given, "seed", 6)
        points = [100 * value for value in _numbers(given, "ten", 4)]
        dealer = _seat(given, "oya")
        if not self.record.in_game:
            first = (dealer - number) % 4
            self.record.start_game(TENHOU, self._options(), self._names, points, first)
        if not 0 <= number < 16 or min(honba, deposits) < 0:
            raise BadLog("expected a seed of round, counters, deposits, dice and indicator")
        start = HandStart(
            dealer=dealer,
            round=WINDS[number // 4],
            honba=honba,
            deposits=deposits,
            dice=_dice(die, other_die),
        )
        self.record.start_hand(start, dealt, self._tile(dora))
        self._reaching = None

    def _options(self) -> dict[str, object]:
        """Options that differ from the site's usual game."""
        options: dict[str, object] = {}
        if self._type & _NO_REDS:
            options["red_fives"] = 0
        if self._type & _NO_OPEN_TANYAO:
            options["open_tanyao"] = False
        if not self._type & _TWO_ROUNDS:
            options["rounds"] = 1
        return options

    def _draw_or_discard(self, letter: str, number: int) -> None:
        tile = self._tile(number)
        if letter in _DRAWS:
            self._drawn = (_DRAWS[letter], number)
            self.record.draw(_DRAWS[letter], tile)
            return
        seat = _DISCARDS[letter]
        # Equal tiles have different numbers, so it is certain which one goes.
        self.record.discard(seat, tile, self._reaching == seat, self._drawn == (seat, number))
        self._reaching = self._drawn = None

    def _set(self, given: Attributes) -> None:
        self._drawn = None
        seat = _seat(given, "who")
        bits = _number(given, "m")
        from_seat = (seat + (bits & 3)) % 4
        if bits & 4:
            tiles, called = _chow(bits)
            claim = self.record.chow
        elif bits & 8:
            tiles, called, _ = _pung(bits)
            claim = self.record.pung
        elif bits & 16:
            self.record.added_kong(seat, self._tile(_pung(bits)[2]))
            return
        elif bits & 32:
            raise BadLog("a north set aside: a game of three players cannot be imported")
        else:
            called = bits >> 8
            tiles = [called - called % 4 + copy for copy in range(4)]
            if not bits & 3:
                self.record.closed_kong(seat, [self._tile(number) for number in tiles])
                return
            claim = self.record.open_kong
        own = [self._tile(number) for number in tiles if number != called]
        claim(seat, from_seat, self._tile(called), own)

    def _kan_dora(self, given: Attributes) -> None:
        self.record.kan_dora(self._tile(_number(given, "hai")))

    def _reach(self, given: Attributes) -> None:
        # The second step, the deposit, follows from a discard that nobody wins on.
        if given.get("step") == "1":
            self._reaching = _seat(given, "who")

    def _win(self, given: Attributes) -> None:
        self._wins.append(given)

    def _drawn_hand(self, given: Attributes) -> None:
        reason = given.get("type", "nm")
        shown = [(seat, self._tiles(given, f"hai{seat}")) for seat in range(4)]
        self._paid(given)
        if reason == "ron3":
            self.record.three_wins()
        else:
            if reason not in _DRAWN_HANDS:
                self.record.unknown_reason(reason)
            self.record.drawn_hand(_DRAWN_HANDS.get(reason))
            for seat, tiles in shown:
                if tiles:
                    self.record.reveal(seat, tiles)
        self.record.end_hand()
        self._end(given)

    def _settle(self) -> None:
        """Write the wins that were read: several may win on one tile."""
        wins, self._wins = self._wins, []
        if not wins:
            return
        for win in wins:
            self._paid(win)
        under = max((self._tiles(win, "doraHaiUra") for win in wins), key=len)
        self.record.wins(under, [self._won(win) for win in wins])
        self._end(wins[-1])

    def _paid(self, given: Attributes) -> None:
        """Note what a result moved: ``sc`` has points and their change by seat, in hundreds."""
        if "sc" in given:
            self.record.paid([100 * moved for moved in _numbers(given, "sc", 8)[1::2]])

    def _won(self, win: Attributes) -> WrittenWin:
        tile, hand = self._tile(_number(win, "machi")), self._tiles(win, "hai")
        if tile not in hand:
            raise BadLog(f"a win with {tile}, which is not in the hand")
        hand.remove(tile)
        return _seat(win, "who"), _seat(win, "fromWho"), tile, hand

    def _end(self, given: Attributes) -> None:
        if "owari" in given:
            self.record.end_game()
            self._over = True

    # --- tiles ---

    def _tile(self, number: int) -> Tile:
        if not 0 <= number < 136:
            raise BadLog(f"expected a tile from 0 to 135, got {number}")
        if number in _REDS and not self._type & _NO_REDS:
            return _REDS[number]
        return Tile(KINDS[number // 4])

    def _tiles(self, given: Attributes, name: str) -> list[Tile]:
        return [self._tile(number) for number in _numbers(given, name)] if given.get(name) else []


def _chow(bits: int) -> tuple[list[int], int]:
    """Numbers of the three tiles, and of the claimed one."""
    base, place = divmod(bits >> 10, 3)
    suit, rank = divmod(base, 7)
    if suit > 2:
        raise BadLog(f"there is no chow {bits}")
    lowest = 4 * (9 * suit + rank)
    tiles = [lowest + 4 * step + (bits >> 3 + 2 * step & 3) for step in range(3)]
    return tiles, tiles[place]


def _pung(bits: int) -> tuple[list[int], int, int]:
    """Numbers of the three tiles, of the claimed one, and of the fourth of the kind."""
    kind, place = divmod(bits >> 9, 3)
    fourth = 4 * kind + (bits >> 5 & 3)
    tiles = [number for number in range(4 * kind, 4 * kind + 4) if number != fourth]
    return tiles, tiles[place], fourth


def _dice(*values: int) -> tuple[int, ...] | None:
    return tuple(value + 1 for value in values) if all(0 <= value < 6 for value in values) else None


def _seat(given: Attributes, name: str) -> Seat:
    seat = _number(given, name)
    if not 0 <= seat < 4:
        raise BadLog(f"expected a seat from 0 to 3 as {name}, got {seat}")
    return seat


def _number(given: Attributes, name: str) -> int:
    return _numbers(given, name, 1)[0]


def _numbers(given: Attributes, name: str, count: int | None = None) -> list[int]:
    """Read a list of whole numbers, of a fixed ``count`` where that is given."""
    written = given.get(name)
    if written is None:
        raise BadLog(f"expected {name}, got none")
    parts = written.split(",")
    if not all(_WHOLE.fullmatch(part) for part in parts) or count not in (None, len(parts)):
        many = "whole numbers" if count is None else f"{count} whole number" + "s" * (count > 1)
        raise BadLog(f"expected {many} as {name}, got {written[:40]!r}")
    return [int(part) for part in parts]
