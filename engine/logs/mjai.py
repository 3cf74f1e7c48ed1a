"""Reads and writes mjai: JSON Lines, one event of a riichi game a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine import fields as read
from engine.declare import own_tiles
from engine.events import Chow, Discard, Draw, Entry, HandStart, Indicator, Kong, Pung, Seat
from engine.fields import refuse
from engine.logs.log_rules import rules_named
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
from engine.logs.record_writer import (
    THREE_PLAYERS,
    BadLog,
    DrawnReason,
    RecordWriter,
    WrittenWin,
    loads,
    names_of,
    read_as,
    whole_numbers,
)
from engine.tiles import CODES, UNKNOWN, Tile
from engine.tiles import WINDS as WIND_TILES

MjaiLine = Mapping[str, Any]


def _read_tile(value: object) -> Tile:
    if not isinstance(value, str) or value not in TILES:
        refuse("a tile such as 5m, 5pr, E, P or ?", value)
    return TILES[value]


def _read_tiles(value: object) -> list[Tile]:
    if not isinstance(value, list) or len(value) > 14:
        refuse("a list of tiles", value)
    return list(read.listing(_read_tile)(value))


_ACTOR: Final = ("actor", read.seat)
_TILE: Final = ("pai", _read_tile)
_OWN: Final = ("consumed", _read_tiles)
_CLAIM: Final = (_ACTOR, ("target", read.seat), _TILE, _OWN)
_MOVES: Final[Mapping[str, tuple[Callable[..., None], Sequence[tuple[str, Any]]]]] = {
    "tsumo": (RecordWriter.draw, (_ACTOR, _TILE)),
    "chi": (RecordWriter.chow, _CLAIM),
    "pon": (RecordWriter.pung, _CLAIM),
    "daiminkan": (RecordWriter.open_kong, _CLAIM),
    "ankan": (RecordWriter.closed_kong, (_ACTOR, _OWN)),
    "kakan": (RecordWriter.added_kong, (_ACTOR, _TILE)),
    "dora": (RecordWriter.kan_dora, (("dora_marker", _read_tile),)),
}
"""Lines that map directly to the record, with the fields that each has."""
_NOTHING: Final = ("reach_accepted", "none")
"""Lines that follow from others: a deposit, or a discard that nobody wants."""


def read_mjai(text: str) -> RecordWriter:
    """Read a log into a record; raise ``BadLog``."""
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
    reader.record.finish()
    return reader.record


class _Reader:
    """Takes one line after the other."""

    def __init__(self) -> None:
        self.record = RecordWriter()
        self._kinds: Mapping[str, Callable[[MjaiLine], None]] = {
            "start_game": self._start_game,
            "start_kyoku": self._start_hand,
            "dahai": self._discard,
            "reach": self._reach,
            "hora": self._win,
            "ryukyoku": self._drawn_hand,
            "end_kyoku": self._end_hand,
            "end_game": self._end_game,
        }
        self._start: MjaiLine | None = None
        """A game whose first hand has not begun: the points stand with the hand."""
        self._reaching: Seat | None = None
        self._wins: list[WrittenWin] = []
        self._under: list[Tile] = []
        self._seen_hand = False

    def take(self, line: MjaiLine) -> None:
        kind = line["type"]
        if kind not in (*self._kinds, *_MOVES, *_NOTHING):
            known = ", ".join((*self._kinds, *_MOVES, *_NOTHING))
            raise BadLog(f"unknown type {kind[:40]!r}; expected one of {known}")
        if self._start is None and not self.record.in_game and kind != "start_game":
            raise BadLog(f"expected start_game first, got {kind}")
        if kind != "hora":
            self._settle()
        if kind in _MOVES:
            write, wanted = _MOVES[kind]
            write(self.record, *(_field(line, name, reader) for name, reader in wanted))
        elif kind in self._kinds:
            self._kinds[kind](line)

    def finish(self) -> None:
        self._settle()
        if not self._seen_hand:
            raise BadLog("the log holds no hand")

    # --- games and hands ---

    def _start_game(self, line: MjaiLine) -> None:
        names = line.get("names")
        if isinstance(names, list) and len(names) == 3:
            raise BadLog(THREE_PLAYERS)
        self._start = line

    def _start_hand(self, line: MjaiLine) -> None:
        hands = _field(line, "tehais", read.listing(_read_tiles))
        if len(hands) == 3 or (len(hands) == 4 and not hands[3]):
            raise BadLog(THREE_PLAYERS)
        if len(hands) != 4:
            raise BadLog(f"expected a list of 4 as tehais, got {len(hands)}")
        wind = _field(line, "bakaze", read.one_of(WINDS))
        start = HandStart(
            dealer=_field(line, "oya", read.seat),
            round=WIND_TILES[WINDS.index(wind)],
            honba=_field(line, "honba", read.whole(0)),
            deposits=_field(line, "kyotaku", read.whole(0)),
        )
        if self._start is not None:
            scores = line.get("scores")
            points = None if scores is None else whole_numbers(scores, "scores", 4)
            options: dict[str, object] = {}
            if self._start.get("aka_flag") is False:
                options["red_fives"] = 0
            if self._start.get("gametype") == "tonpu":
                options["rounds"] = 1
            told = [value for name, value in self._start.items() if name != "names"]
            rules = rules_named(told, self._start.get("preset"))
            names = names_of(self._start.get("names"))
            self.record.start_game(rules, options, names, points, _first_dealer(line))
            self._start = None
        self.record.start_hand(start, hands, _field(line, "dora_marker", _read_tile))
        self._reaching = None
        self._seen_hand = True

    def _end_hand(self, line: MjaiLine) -> None:
        if self.record.in_hand:
            raise BadLog("the hand ends without a result")

    def _end_game(self, line: MjaiLine) -> None:
        if self._start is None:
            self.record.end_game()
        self._start = None

    # --- play ---

    def _discard(self, line: MjaiLine) -> None:
        seat = _field(line, *_ACTOR)
        drawn = line.get("tsumogiri")
        if drawn is not None:
            drawn = _field(line, "tsumogiri", read.truth)
        self.record.discard(seat, _field(line, *_TILE), self._reaching == seat, drawn)
        self._reaching = None

    def _reach(self, line: MjaiLine) -> None:
        self._reaching = _field(line, *_ACTOR)

    # --- results ---

    def _win(self, line: MjaiLine) -> None:
        seat, from_seat = _field(line, *_ACTOR), _field(line, "target", read.seat)
        tile = None if line.get("pai") is None else _field(line, *_TILE)
        self._wins.append((seat, from_seat, tile, _won_hand(line, tile)))
        self._paid(line)
        self._under = max(self._under, _under(line), key=len)

    def _paid(self, line: MjaiLine) -> None:
        if line.get("deltas") is not None:
            self.record.paid(whole_numbers(line["deltas"], "deltas", 4))

    def _settle(self) -> None:
        """Write the wins that were read: several may win on one tile."""
        if self._wins:
            self.record.wins(self._under, self._wins)
        self._wins, self._under = [], []

    def _drawn_hand(self, line: MjaiLine) -> None:
        reason = line.get("reason")
        self._paid(line)
        if reason in THREE_WINS:
            self.record.three_wins()
        elif reason == CHOMBO:
            self.record.chombo(_field(line, *_ACTOR))
        else:
            self.record.drawn_hand(self._reason(reason))
            for seat, tiles in self._shown(line):
                self.record.reveal(seat, tiles)
        self.record.end_hand()

    def _reason(self, given: object) -> DrawnReason | None:
        """None where the play tells the reason: newer logs leave it out."""
        if given is not None and not isinstance(given, str):
            raise BadLog(f"expected text as reason, got {str(given)[:40]}")
        if given is not None and given not in DRAWN_HANDS:
            self.record.unknown_reason(given)
        return DRAWN_HANDS.get(given or "")

    def _shown(self, line: MjaiLine) -> list[tuple[Seat, Sequence[Tile]]]:
        """Hands that were laid open, which logs tell in one of three ways."""
        told: Sequence[Sequence[Tile]] = ((),) * 4
        if line.get("tehais") is not None:
            told = _field(line, "tehais", read.listing(_read_tiles, 4))
        tenpai = line.get("tenpais")
        if tenpai is None and line.get("tehais") is None and line.get("deltas") is not None:
            deltas = whole_numbers(line["deltas"], "deltas", 4)
            receive = [delta > 0 for delta in deltas]
            tenpai = receive if sum(max(delta, 0) for delta in deltas) == 3000 else None
        shown: list[tuple[Seat, Sequence[Tile]]] = []
        for seat in range(4):
            ready = isinstance(tenpai, list) and tenpai[seat : seat + 1] == [True]
            for hand in (told[seat], self.record.hand_of(seat) if ready else ()):
                if any(tile.known for tile in hand):
                    shown.append((seat, hand))
                    break
        return shown


def _under(win: MjaiLine) -> list[Tile]:
    for name in ("ura_markers", "uradora_markers"):
        if win.get(name) is not None:
            return _field(win, name, _read_tiles)
    return []


def _won_hand(win: MjaiLine, tile: Tile | None) -> list[Tile] | None:
    if win.get("hora_tehais") is None:
        return None
    hand = _field(win, "hora_tehais", _read_tiles)
    if len(hand) % 3 == 2 and tile in hand:  # some write the winning tile with the hand
        hand.remove(tile)
    return hand if any(tile.known for tile in hand) else None


def _first_dealer(line: MjaiLine) -> Seat:
    """Who dealt the first hand of the game that this hand belongs to."""
    if "kyoku" not in line:
        return 0
    return (_field(line, "oya", read.seat) + 1 - _field(line, "kyoku", read.whole(0))) % 4


def _field(line: MjaiLine, name: str, reader: read.FieldReader[read.T]) -> read.T:
    return read_as(name, line.get(name), reader)


_HONOURS: Final = dict(zip("ESWNPFC", (f"{rank}z" for rank in range(1, 8)), strict=True))
_REDS: Final = {"5mr": "0m", "5pr": "0p", "5sr": "0s"}

TILES: Final[Mapping[str, Tile]] = {
    **{code: Tile(code) for code in CODES if code[0] in "123456789" and code[1] in "mps"},
    **{name: Tile(code) for name, code in (_HONOURS | _REDS).items()},
    "?": UNKNOWN,
}
"""Tiles by their mjai name."""

NAMES: Final[Mapping[Tile, str]] = {tile: name for name, tile in TILES.items()}

WINDS: Final = ("E", "S", "W", "N")

DRAWN_HANDS: Final[Mapping[str, DrawnReason]] = {
    "fanpai": "exhausted",
    "nagashimangan": "exhausted",
    "kyushukyuhai": "nine_terminals",
    "sufonrenta": "four_winds",
    "sukaikan": "four_kongs",
    "suchareach": "four_ready",
    "exhaustive_draw": "exhausted",
    "nagashi_mangan": "exhausted",
    "kyushu_kyuhai": "nine_terminals",
    "kyuushu_kyuuhai": "nine_terminals",
    "sufuurenta": "four_winds",
    "suufon_renda": "four_winds",
    "suukansansen": "four_kongs",
    "suukaikan": "four_kongs",
    "suurechi": "four_ready",
    "suucha_riichi": "four_ready",
}
"""Reasons for a drawn hand; where two mean the same, the older one comes first. RiichiEnv's have
underscores."""

THREE_WINS: Final = ("sanchaho", "sanchahou")
CHOMBO: Final = "chombo"
"""Our own word in place of a reason: a foul ended the hand."""


_DEPOSIT: Final = 1000
_CLAIMS: Final = {Chow: "chi", Pung: "pon", Kong: "daiminkan"}


def write_mjai(entries: Sequence[Entry]) -> str:
    """Write every game of the record; raise ``Refused``."""
    lines = (line for game in played_games(entries) for line in _game(game))
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )


def _game(game: LoggedGame) -> Iterator[dict[str, object]]:
    names = game.start.players or ("", "", "", "")
    east_only = game.options.get("rounds") == 1
    yield {
        "type": "start_game",
        "names": list(names),
        "gametype": "tonpu" if east_only else "tonnan",
        "kyoku_first": 4 if east_only else 0,
        "aka_flag": game.options.get("red_fives") != 0,
        "preset": game.start.rules,
    }
    for hand in game.hands:
        yield from _hand(hand)
    if game.ended is not None:
        scores = list(game.result.points) if game.result else None
        yield {"type": "end_game"} | ({"scores": scores} if scores else {})


def _hand(hand: LoggedHand) -> Iterator[dict[str, object]]:
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


def _lines(event: Play, before: Sequence[Play]) -> Iterator[dict[str, object]]:
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


def _result(hand: LoggedHand) -> Iterator[dict[str, object]]:
    deltas, scores = list(hand.deltas), list(hand.points)
    if len(hand.wins) > 2 and not any(deltas):
        yield {"type": "ryukyoku", "reason": THREE_WINS[0], "deltas": deltas, "scores": scores}
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


def _win(hand: LoggedHand, paid: LoggedWin, scores: Sequence[int]) -> dict[str, object]:
    win = paid.win
    drawn = win.seat == win.from_seat
    worth = worth_of(hand.start, paid)
    line: dict[str, object] = {
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
