"""Writes a record from a log while following which tiles each seat holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeVar

from engine import events as ev
from engine.codec import MOST_LINES
from engine.events import Seat
from engine.fields import FieldReader, Unreadable, listing, whole
from engine.logs.log_rules import MAHJONG_SOUL, differing
from engine.play import ordered, without
from engine.tiles import COPIES, REDS, UNKNOWN, WINDS, Tile

THREE_PLAYERS: Final = "a game of three players; only games of four can be imported"
DrawnReason = Literal["exhausted", "nine_terminals", "four_winds", "four_kongs", "four_ready"]


WrittenWin = tuple[Seat, Seat, Tile | None, Sequence[Tile] | None]
"""Winner, discarder (the winner for an own draw), winning tile and hand as far as known."""


class BadLog(ValueError):
    """A log cannot be read; the message says where and what was expected."""


class RecordWriter:
    """The record so far, and the hands as far as the log shows them.

    A log that contradicts itself (a discard that is not held, a claim of a different tile) raises
    ``BadLog``: it was cut, changed or misread, so a record of it would be false.
    """

    def __init__(self) -> None:
        self.entries: list[ev.Entry] = []
        self.in_game = False
        self.in_hand = False
        self._rules = ""
        self._game: int | None = None
        """Place of the last game's first line."""
        self._reds_told = False
        self._hands: list[tuple[Tile, ...]] = [()] * 4
        self._drawn: list[Tile | None] = [None] * 4
        self._last: tuple[Seat, Tile] | None = None
        self._from_tail = False
        self._turned = self._kongs = 0
        """Kong indicators turned so far in this hand, and kongs declared."""
        self._late = 0
        """1 while the last kong's indicator waits for the next discard."""
        self._held: list[Tile] = []
        """Indicators that the log mentions before they may be turned."""
        self.payments: list[Sequence[int] | None] = []
        """What each ended hand moved by the log; None where it does not say."""
        self.remarks: list[str] = []
        """What had to be read in another way than it was written."""
        self._moved: Sequence[int] | None = None
        self._first_turn = False
        """The dealer has yet to play its first tile."""
        self._copies: Counter[Tile] = Counter()
        """Tiles of this hand that were dealt, drawn or turned up."""
        self._reds: set[int] = set()
        """Numbers of red fives that the tiles of the game's hands show it to have."""

    # --- games and hands ---

    def start_game(
        self,
        rules: str,
        options: Mapping[str, object],
        players: Sequence[str],
        points: Sequence[int] | None,
        first_dealer: Seat = 0,
    ) -> None:
        self._settle_reds()
        names = tuple(players)
        shown = names if any(names) else None
        totals = None if points is None else tuple(points)
        told = differing(rules, options)
        self._rules, self._game = rules, len(self.entries)
        self._reds_told = "red_fives" in options
        self._say(ev.GameStart(rules, told, shown, totals, first_dealer or None))
        self.in_game, self.in_hand = True, False

    def start_hand(self, start: ev.HandStart, hands: Sequence[Sequence[Tile]], dora: Tile) -> None:
        """Begin a hand: deals and the dora indicator."""
        if self.in_hand:
            raise BadLog("a hand begins before the last one has ended")
        self._say(start)
        for seat, tiles in enumerate(hands):
            if len(tiles) != 13:
                raise BadLog(f"expected 13 tiles dealt to seat {seat}, got {len(tiles)}")
            self._hands[seat] = ordered(tiles)
            self._drawn[seat] = None
            if any(tile.known for tile in tiles):
                self._say(ev.Deal(seat, self._hands[seat]))
        self._say(ev.Indicator(dora, "dora"))
        self._last, self._from_tail, self.in_hand = None, False, True
        self._turned = self._kongs = self._late = 0
        self._held = []
        self._moved, self._first_turn = None, True
        self._copies = Counter((dora, *(tile for tiles in hands for tile in tiles)))

    def paid(self, deltas: Sequence[int]) -> None:
        """Note what a result moved by the log; of several winners each has a result."""
        before = self._moved or (0,) * len(deltas)
        self._moved = [own + more for own, more in zip(before, deltas, strict=True)]

    def end_hand(self) -> None:
        self._say(ev.HandEnd())
        self.in_hand = False
        self.payments.append(self._moved)
        self._note_reds()

    def end_game(self) -> None:
        self._say(ev.GameEnd())
        self.in_game = self.in_hand = False

    def finish(self) -> None:
        """End the record: what all its hands show is written where it belongs."""
        self._settle_reds()

    # --- play ---

    def kan_dora(self, tile: Tile) -> None:
        """Turn a kong's indicator; after an open or added kong only with the next discard."""
        self._in_hand()
        if self._turned + len(self._held) < self._kongs - self._late:
            self._turn_up(tile)
        else:
            self._held.append(tile)

    def ura_dora(self, tiles: Sequence[Tile]) -> None:
        self._in_hand()
        self._turn_up(*self._held)
        for tile in tiles:
            self._say(ev.Indicator(tile, "ura_dora"))
        self._copies.update(tiles)

    def draw(self, seat: Seat, tile: Tile) -> None:
        self._in_hand()
        if len(self._hands[seat]) % 3 == 2:
            raise BadLog(f"seat {seat} draws twice")
        self._hands[seat] = ordered((*self._hands[seat], tile))
        self._drawn[seat] = tile
        self._last = None
        self._copies[tile] += 1
        self._say(ev.Draw(seat, tile, "tail" if self._from_tail else None))
        self._from_tail = False

    def discard(self, seat: Seat, tile: Tile, ready: bool, drawn: bool | None) -> None:
        """``drawn``: whether it is the tile just drawn. None where the log does not say."""
        just_drawn = self._drawn[seat]
        if drawn is None:
            drawn = just_drawn == tile
        elif drawn == self._contradicted(seat, tile):
            drawn = None
        if drawn and just_drawn is not None and tile.known and just_drawn not in (tile, UNKNOWN):
            raise BadLog(f"seat {seat} discards {tile} as drawn, having drawn {just_drawn}")
        if drawn and just_drawn is None:
            raise BadLog(f"seat {seat} discards {tile} as drawn, having drawn nothing")
        leaving = just_drawn if drawn and just_drawn is not None else tile
        if len(self._hands[seat]) % 3 != 2:
            raise BadLog(f"seat {seat} discards {tile} out of turn")
        self._leave(seat, "discards", (leaving,))
        self._drawn[seat] = None
        self._last, self._first_turn = (seat, tile), False
        self._say(ev.Discard(seat, tile, ready, drawn))
        self._late = 0
        self._turn_up(*self._held)

    def _contradicted(self, seat: Seat, tile: Tile) -> bool | None:
        """Which of "held" (False) and "drawn" (True) cannot be said of this discard, if any.

        Some programs deal the dealer fourteen tiles, of which none was drawn: whatever their logs
        say of its first discard means nothing.
        """
        just_drawn = self._drawn[seat]
        if just_drawn is None or not (tile.known and just_drawn.known):
            return None
        if tile != just_drawn:
            return True if self._first_turn else None
        held = self._hands[seat].count(tile) > 1 or UNKNOWN in self._hands[seat]
        loose = self._first_turn and self._rules == MAHJONG_SOUL
        return None if held and not loose else False

    def chow(self, seat: Seat, from_seat: Seat, tile: Tile, own: Sequence[Tile]) -> None:
        self._claim(seat, from_seat, tile, own, 2)
        self._say(ev.Chow(seat, from_seat, tile, _two(own)))

    def pung(self, seat: Seat, from_seat: Seat, tile: Tile, own: Sequence[Tile]) -> None:
        self._claim(seat, from_seat, tile, own, 2)
        self._say(ev.Pung(seat, from_seat, tile, _two(own)))

    def open_kong(self, seat: Seat, from_seat: Seat, tile: Tile, own: Sequence[Tile]) -> None:
        self._claim(seat, from_seat, tile, own, 3)
        self._say(ev.Kong(seat, "open", tile, from_seat, ordered(own)))
        self._declared(late=True)

    def closed_kong(self, seat: Seat, tiles: Sequence[Tile]) -> None:
        self._own_kong(seat, tiles, 4)
        own = ordered(tiles)
        self._last = (seat, own[-1].kind)  # thirteen orphans may win on it (004, 3.3.8)
        self._say(ev.Kong(seat, "closed", own[-1].kind, None, own))
        self._declared(late=False)

    def added_kong(self, seat: Seat, tile: Tile) -> None:
        self._own_kong(seat, (tile,), 1)
        self._last = (seat, tile)
        self._say(ev.Kong(seat, "added", tile, None, (tile,)))
        self._declared(late=True)

    # --- results ---

    def win(
        self, seat: Seat, from_seat: Seat, tile: Tile | None, hand: Sequence[Tile] | None
    ) -> None:
        """Write a win; ``tile`` and ``hand`` default to what is known of them."""
        self._in_hand()
        self._turn_up(*self._held)
        lying = self._drawn[seat] if seat == from_seat else self._last[1] if self._last else None
        if lying is None or (from_seat != seat and self._last and self._last[0] != from_seat):
            raise BadLog(f"seat {seat} wins, but there is no tile to win with")
        if tile is not None and tile.known and lying.known and tile != lying:
            raise BadLog(f"seat {seat} wins with {tile}, but {lying} lies there")
        won = lying if tile is None or not tile.known else tile
        held = self._hands[seat]
        if from_seat == seat:
            rest = without(held, (lying,))
            assert not isinstance(rest, Tile), "the drawn tile is in the hand"
            held = rest
        if hand is not None:
            held = self._shown(seat, held, hand)
        known = any(tile.known for tile in held)
        self._say(ev.Win(seat, from_seat, won, held if known else None))

    def wins(self, under: Sequence[Tile], won: Sequence[WrittenWin]) -> None:
        """Write all wins on one tile and end the hand; ``under`` are the ura indicators."""
        self.ura_dora(under)
        for seat, from_seat, tile, hand in won:
            self.win(seat, from_seat, tile, hand)
        self.end_hand()

    def three_wins(self) -> None:
        """All others win on the last discard, for which some rules call the hand off."""
        if self._last is None:
            raise BadLog("three players win, but nobody has discarded")
        for step in (1, 2, 3):
            self.win((self._last[0] + step) % 4, self._last[0], None, None)

    def drawn_hand(self, reason: DrawnReason | None) -> DrawnReason:
        """Write a drawn hand; without a reason, the one that the play shows, which is returned."""
        self._in_hand()
        self._turn_up(*self._held)
        reason = reason or why_drawn(self.entries)
        self._say(ev.DrawnHand(reason))
        return reason

    def unknown_reason(self, given: str) -> None:
        """Remark that nobody knows this reason of a drawn hand, so that the play tells it."""
        self.remarks.append(f"unknown reason of a drawn hand {given[:40]!r}: the play tells why")

    def chombo(self, seat: Seat) -> None:
        self._in_hand()
        self._say(ev.Foul(seat, "chombo"))

    def reveal(self, seat: Seat, tiles: Sequence[Tile]) -> None:
        self._in_hand()
        self._say(ev.Reveal(seat, self._shown(seat, self._hands[seat], tiles)))

    def hand_of(self, seat: Seat) -> tuple[Tile, ...]:
        return self._hands[seat]

    def drawn_by(self, seat: Seat) -> Tile | None:
        """The tile just drawn, while it is held."""
        return self._drawn[seat]

    @property
    def last_discard(self) -> tuple[Seat, Tile] | None:
        """The tile that may be claimed now: a discard, or one added to a pung."""
        return self._last

    # --- inside ---

    def _say(self, event: ev.Event) -> None:
        if len(self.entries) == MOST_LINES:
            raise BadLog(f"more than {MOST_LINES} events, too many for one game")
        self.entries.append(ev.Entry(event, source="import"))

    def _note_reds(self) -> None:
        """Two red fives of dots are one of four; four plain fives of a kind are the only ones."""
        if self._copies[Tile("0p")] > 1:
            self._reds.add(4)
        if any(self._copies[Tile(red).kind] == COPIES for red in REDS):
            self._reds.add(0)

    def _settle_reds(self) -> None:
        """Write into the last game how many red fives its tiles show; a log need not say it."""
        shown, self._reds = self._reds, set()
        if self._game is None or self._reds_told or len(shown) != 1:
            return
        entry = self.entries[self._game]
        assert isinstance(entry.event, ev.GameStart), "the entry that was written for the game"
        options = dict(entry.event.options) | {"red_fives": shown.pop()}
        start = replace(entry.event, options=differing(entry.event.rules, options))
        self.entries[self._game] = replace(entry, event=start)

    def _declared(self, *, late: bool) -> None:
        """Note a kong: the next tile comes from the tail, and an indicator is due."""
        self._first_turn = False
        self._from_tail = True
        self._kongs += 1
        self._late = int(late)

    def _turn_up(self, *tiles: Tile) -> None:
        for tile in tiles:
            self._say(ev.Indicator(tile, "kan_dora"))
        self._turned += len(tiles)
        self._held = []
        self._copies.update(tiles)

    def _in_hand(self) -> None:
        if not self.in_hand:
            raise BadLog("no hand is being played")

    def _leave(self, seat: Seat, does: str, tiles: Sequence[Tile]) -> None:
        self._in_hand()
        rest = without(self._hands[seat], tiles)
        if isinstance(rest, Tile):
            raise BadLog(f"seat {seat} {does} {rest}, which it does not hold")
        self._hands[seat] = ordered(rest)

    def _claim(
        self, seat: Seat, from_seat: Seat, tile: Tile, own: Sequence[Tile], count: int
    ) -> None:
        self._in_hand()
        if self._last is None or self._last[0] != from_seat or from_seat == seat:
            raise BadLog(f"seat {seat} claims {tile}, but seat {from_seat} has not discarded")
        if self._last[1].known and self._last[1] != tile:
            raise BadLog(f"seat {seat} claims {tile}, but {self._last[1]} was discarded")
        if len(own) != count:
            raise BadLog(f"expected {count} tiles of seat {seat}'s hand, got {len(own)}")
        self._leave(seat, "claims with", own)
        self._drawn[seat] = self._last = None
        self._first_turn = False

    def _own_kong(self, seat: Seat, tiles: Sequence[Tile], count: int) -> None:
        if len(tiles) != count or len({tile.kind for tile in tiles}) != 1:
            raise BadLog(f"expected {count} equal tiles for a kong of seat {seat}")
        if self._drawn[seat] is None:
            raise BadLog(f"seat {seat} declares a kong out of turn")
        self._leave(seat, "makes a kong of", tiles)
        self._drawn[seat] = None

    def _shown(self, seat: Seat, held: Sequence[Tile], shown: Sequence[Tile]) -> tuple[Tile, ...]:
        if len(held) != len(shown) or isinstance(without(held, shown), Tile):
            raise BadLog(f"seat {seat} shows a hand that is not the one it holds")
        return ordered(shown)


def why_drawn(entries: Sequence[ev.Entry]) -> DrawnReason:
    """Why the last hand was drawn, judged by what was played."""
    last = max(
        place for place, entry in enumerate(entries) if isinstance(entry.event, ev.HandStart)
    )
    played = [entry.event for entry in entries[last:]]
    discards = [event for event in played if isinstance(event, ev.Discard)]
    claims = [event for event in played if isinstance(event, ev.Chow | ev.Pung | ev.Kong)]
    kongs = [event for event in claims if isinstance(event, ev.Kong)]
    if len({event.seat for event in discards if event.ready}) == 4:
        return "four_ready"
    if isinstance(played[-1], ev.Draw):
        return "nine_terminals"
    winds = {event.tile for event in discards}
    if len(discards) == 4 and not claims and len(winds) == 1 and min(winds) in WINDS:
        return "four_winds"
    if len(kongs) == 4 and len({kong.seat for kong in kongs}) > 1:
        return "four_kongs"
    return "exhausted"


def _two(own: Sequence[Tile]) -> tuple[Tile, Tile]:
    first, second = ordered(own)
    return first, second


T = TypeVar("T")


def loads(text: str) -> Any:
    """Parse JSON; raise ``BadLog``."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        said = "the text is cut off" if cut else f"{error.msg} at column {error.colno}"
        raise BadLog(f"expected JSON; {said}") from None
    except RecursionError:
        raise BadLog("expected JSON, got endlessly nested lists") from None
    except ValueError:  # a number of more digits than Python reads
        raise BadLog("expected JSON, got an endless number") from None


def read_as(name: str, value: object, read: FieldReader[T]) -> T:
    """Read one value with a reader of ``engine.fields``; raise ``BadLog`` naming it."""
    try:
        return read(value)
    except Unreadable as error:
        raise BadLog(f"expected {error.expected} as {name}, got {error.got}") from None


def whole_numbers(value: object, name: str, length: int) -> list[int]:
    return list(read_as(name, value, listing(whole(), length)))


def names_of(value: object) -> Sequence[str]:
    """The four players' names; empty names where the log has none."""
    if isinstance(value, list) and len(value) == 4 and all(isinstance(name, str) for name in value):
        return value
    return ("", "", "", "")
