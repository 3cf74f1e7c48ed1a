"""Reading mjai: JSON Lines, one event of a riichi game a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.events import HandStart, Seat
from engine.tiles import Tile
from service.logs.json_values import (
    count_of,
    list_of,
    loads,
    names_of,
    refuse,
    seat_of,
    text_of,
    whole_numbers,
)
from service.logs.mjai_names import CHOMBO, DRAWN_HANDS, THREE_WINS, TILES, WINDS
from service.logs.reasons import why_drawn
from service.logs.record_writer import BadLog, DrawnReason, RecordWriter

RULES: Final = "riichi-tenhou"

MjaiLine = Mapping[str, Any]


def read_mjai(text: str) -> RecordWriter:
    """The record that the log tells; raises ``BadLog``."""
    reader = _Reader()
    for number, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            line = loads(written)
            if not isinstance(line, dict) or not isinstance(line.get("type"), str):
                raise BadLog("expected an object with a type")
            reader.take(line)
        except BadLog as error:
            raise BadLog(f"line {number}: {error}") from None
    reader.finish()
    return reader.scribe


class _Reader:
    """Takes one line after the other."""

    def __init__(self) -> None:
        self.scribe = RecordWriter()
        self._kinds: Mapping[str, Callable[[MjaiLine], None]] = {
            "start_game": self._start_game,
            "start_kyoku": self._start_hand,
            "tsumo": self._draw,
            "dahai": self._discard,
            "reach": self._reach,
            "reach_accepted": self._nothing,
            "chi": self._chow,
            "pon": self._pung,
            "daiminkan": self._open_kong,
            "ankan": self._closed_kong,
            "kakan": self._added_kong,
            "dora": self._kan_dora,
            "hora": self._win,
            "ryukyoku": self._drawn_hand,
            "end_kyoku": self._end_hand,
            "end_game": self._end_game,
            "none": self._nothing,
        }
        self._start: MjaiLine | None = None
        """A game whose first hand has not begun: the hand tells the points."""
        self._reaching: Seat | None = None
        self._wins: list[MjaiLine] = []
        self._seen_hand = False

    def take(self, line: MjaiLine) -> None:
        kind = line["type"]
        if kind not in self._kinds:
            known = ", ".join(self._kinds)
            raise BadLog(f"unknown type {kind[:40]!r}; expected one of {known}")
        if self._start is None and not self.scribe.in_game and kind != "start_game":
            raise BadLog(f"expected start_game first, got {kind}")
        if kind != "hora":
            self._settle()
        self._kinds[kind](line)

    def finish(self) -> None:
        self._settle()
        if not self._seen_hand:
            raise BadLog("the log holds no hand")

    # --- games and hands ---

    def _nothing(self, line: MjaiLine) -> None:
        """What follows from the other lines: a deposit, or nobody wanting the discard."""

    def _start_game(self, line: MjaiLine) -> None:
        names = line.get("names")
        if isinstance(names, list) and len(names) == 3:
            raise BadLog("a game of three players; only games of four can be imported")
        self._start = line

    def _start_hand(self, line: MjaiLine) -> None:
        if self.scribe.in_hand:
            raise BadLog("a hand begins before the last one has ended")
        hands = list_of(line, "tehais")
        if len(hands) == 3 or (len(hands) == 4 and not hands[3]):
            raise BadLog("a game of three players; only games of four can be imported")
        if len(hands) != 4:
            refuse("a list of 4", "tehais", hands)
        wind = text_of(line, "bakaze")
        if wind not in WINDS:
            refuse("E, S, W or N", "bakaze", wind)
        start = HandStart(
            dealer=seat_of(line, "oya"),
            round=Tile(f"{WINDS.index(wind) + 1}z"),
            honba=count_of(line, "honba"),
            deposits=count_of(line, "kyotaku"),
        )
        if self._start is not None:
            scores = line.get("scores")
            points = None if scores is None else whole_numbers(scores, "scores", 4)
            options: dict[str, object] = {}
            if self._start.get("aka_flag") is False:
                options["red_fives"] = 0
            if self._start.get("gametype") == "tonpu":
                options["rounds"] = 1
            names = names_of(self._start.get("names"))
            self.scribe.start_game(RULES, options, names, points, _first_dealer(line))
            self._start = None
        dealt = [_tiles(hand, "tehais") for hand in hands]
        self.scribe.start_hand(start, dealt, _tile(line, "dora_marker"))
        self._reaching = None
        self._seen_hand = True

    def _end_hand(self, line: MjaiLine) -> None:
        if self.scribe.in_hand:
            raise BadLog("the hand ends without a result")

    def _end_game(self, line: MjaiLine) -> None:
        if self._start is None:
            self.scribe.end_game()
        self._start = None

    # --- play ---

    def _draw(self, line: MjaiLine) -> None:
        self.scribe.draw(seat_of(line, "actor"), _tile(line, "pai"))

    def _discard(self, line: MjaiLine) -> None:
        seat = seat_of(line, "actor")
        drawn = line.get("tsumogiri")
        if drawn is not None and not isinstance(drawn, bool):
            refuse("true or false", "tsumogiri", drawn)
        self.scribe.discard(seat, _tile(line, "pai"), self._reaching == seat, drawn)
        self._reaching = None

    def _reach(self, line: MjaiLine) -> None:
        self._reaching = seat_of(line, "actor")

    def _chow(self, line: MjaiLine) -> None:
        self.scribe.chow(*_claimed(line))

    def _pung(self, line: MjaiLine) -> None:
        self.scribe.pung(*_claimed(line))

    def _open_kong(self, line: MjaiLine) -> None:
        self.scribe.open_kong(*_claimed(line))

    def _closed_kong(self, line: MjaiLine) -> None:
        self.scribe.closed_kong(seat_of(line, "actor"), _tiles(line.get("consumed"), "consumed"))

    def _added_kong(self, line: MjaiLine) -> None:
        self.scribe.added_kong(seat_of(line, "actor"), _tile(line, "pai"))

    def _kan_dora(self, line: MjaiLine) -> None:
        self.scribe.kan_dora(_tile(line, "dora_marker"))

    # --- results ---

    def _win(self, line: MjaiLine) -> None:
        self._wins.append(line)

    def _settle(self) -> None:
        """Write the wins that were read: there may be several of one tile."""
        wins, self._wins = self._wins, []
        if not wins:
            return
        self.scribe.ura_dora(max((_under(win) for win in wins), key=len))
        for win in wins:
            seat, from_seat = seat_of(win, "actor"), seat_of(win, "target")
            tile = None if win.get("pai") is None else _tile(win, "pai")
            self.scribe.win(seat, from_seat, tile, _won_hand(win, tile))
        self.scribe.end_hand()

    def _drawn_hand(self, line: MjaiLine) -> None:
        reason = line.get("reason")
        if reason == THREE_WINS:
            self._three_wins(line)
        elif reason == CHOMBO:
            self.scribe.chombo(seat_of(line, "actor"))
        else:
            why = self._reason(reason)
            self.scribe.drawn_hand(why)
            for seat, tiles in self._shown(line):
                self.scribe.reveal(seat, tiles)
        self.scribe.end_hand()

    def _reason(self, given: object) -> DrawnReason:
        if given is None:  # newer logs do not tell
            return why_drawn(self.scribe.entries)
        if not isinstance(given, str) or given not in DRAWN_HANDS:
            refuse(f"one of {', '.join((*DRAWN_HANDS, THREE_WINS))}", "reason", given)
        return DRAWN_HANDS[given]

    def _shown(self, line: MjaiLine) -> Sequence[tuple[Seat, Sequence[Tile]]]:
        """Hands that were laid open, told in one of three ways."""
        told = (
            [_tiles(hand, "tehais") for hand in list_of(line, "tehais", 4)]
            if (line.get("tehais") is not None)
            else [[], [], [], []]
        )
        tenpai = line.get("tenpais")
        if tenpai is None and line.get("tehais") is None and line.get("deltas") is not None:
            deltas = whole_numbers(line["deltas"], "deltas", 4)
            receive = [delta > 0 for delta in deltas]
            tenpai = receive if sum(max(delta, 0) for delta in deltas) == 3000 else None
        shown: list[tuple[Seat, Sequence[Tile]]] = []
        for seat in range(4):
            if any(tile.known for tile in told[seat]):
                shown.append((seat, told[seat]))
            elif isinstance(tenpai, list) and tenpai[seat : seat + 1] == [True]:
                held = self.scribe.hand_of(seat)
                if any(tile.known for tile in held):
                    shown.append((seat, held))
        return shown

    def _three_wins(self, line: MjaiLine) -> None:
        last = self.scribe.last_discard
        if last is None:
            raise BadLog("three win, but nobody has discarded")
        for seat in range(4):
            if seat != last[0]:
                self.scribe.win(seat, last[0], None, None)


def _claimed(line: MjaiLine) -> tuple[Seat, Seat, Tile, Sequence[Tile]]:
    own = _tiles(line.get("consumed"), "consumed")
    return seat_of(line, "actor"), seat_of(line, "target"), _tile(line, "pai"), own


def _under(win: MjaiLine) -> list[Tile]:
    for name in ("ura_markers", "uradora_markers"):
        if win.get(name) is not None:
            return _tiles(win[name], name)
    return []


def _won_hand(win: MjaiLine, tile: Tile | None) -> list[Tile] | None:
    if win.get("hora_tehais") is None:
        return None
    hand = _tiles(win["hora_tehais"], "hora_tehais")
    if len(hand) % 3 == 2 and tile in hand:  # some write the winning tile with the hand
        hand.remove(tile)
    return hand if any(one.known for one in hand) else None


def _tile(line: MjaiLine, name: str) -> Tile:
    value = line.get(name)
    if not isinstance(value, str) or value not in TILES:
        refuse("a tile such as 5m, 5pr, E, P or ?", name, value)
    return TILES[value]


def _first_dealer(line: MjaiLine) -> Seat:
    """Who dealt the first hand of the game that this hand belongs to."""
    return (seat_of(line, "oya") + 1 - count_of(line, "kyoku")) % 4 if "kyoku" in line else 0


def _tiles(value: object, name: str) -> list[Tile]:
    if not isinstance(value, list) or len(value) > 14:
        refuse("a list of tiles", name, value)
    return [_tile({name: tile}, name) for tile in value]
