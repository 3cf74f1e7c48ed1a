"""Records of riichi games as mjlog: the reader's inverse, for tests; tiles get numbers here."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Reveal,
    Win,
)
from engine.tiles import KINDS, Tile

REDS = {"0m": 16, "0p": 52, "0s": 88}
REASONS = {
    "nine_terminals": ' type="yao9"',
    "four_winds": ' type="kaze4"',
    "four_ready": ' type="reach4"',
    "four_kongs": ' type="kan4"',
    "exhausted": "",
}


def mjlog_of(entries: Sequence[Entry], game_type: int = 9) -> str:
    """The log; scores and worths, which the reader does not look at, are left out."""
    writer = _Writer()
    for entry in entries:
        writer.add(entry)
    inside = "".join(writer.tags)
    return f'<mjloggm ver="2.3"><SHUFFLE seed=""/><GO type="{game_type}"/>{inside}</mjloggm>'


class _Writer:
    def __init__(self) -> None:
        self.tags: list[str] = []
        self._hands: list[list[int]] = [[], [], [], []]
        self._drawn = -1
        self._last = (0, 0)
        self._pungs: dict[tuple[int, str], tuple[int, int]] = {}
        self._free: set[int] = set()
        self._start = HandStart()
        self._waiting: list[str] = []
        """Indicators of kongs that the log has before the discard."""
        self._ura: list[int] = []
        self._results: list[str] = []
        self._indicator = 0

    def add(self, entry: Entry) -> None:
        match entry.event:
            case GameStart(_, _, players, points):
                names = " ".join(f'n{seat}="{name}"' for seat, name in enumerate(players or ()))
                self.tags.append(f'<UN {names}/><TAIKYOKU oya="0"/>')
                self._points = points or (25000,) * 4
            case HandStart() as start:
                self._start, self._free = start, set(range(136))
                self._ura, self._results, self._pungs = [], [], {}
            case Deal(seat, tiles):
                self._hands[seat] = [self._take(tile) for tile in tiles]
            case Indicator(tile, "dora"):
                self._init(self._take(tile))
            case Indicator(tile, "ura_dora"):
                self._ura.append(self._take(tile))
            case Indicator(tile):
                # The site turns it up just before the discard after which we do.
                place = len(self.tags)
                late = self.tags[-1][1] in "DEFG"
                self.tags.insert(place - late, f'<DORA hai="{self._take(tile)}"/>')
            case Draw(seat, tile):
                self._drawn = self._take(tile)
                self._hands[seat].append(self._drawn)
                self.tags.append(f"<{'TUVW'[seat]}{self._drawn}/>")
            case Discard(seat, tile, ready, drawn):
                number = self._drawn if drawn else self._leave(seat, tile)
                if drawn:
                    self._hands[seat].remove(number)
                if ready:
                    self.tags.append(f'<REACH who="{seat}" step="1"/>')
                self.tags.append(f"<{'DEFG'[seat]}{number}/>")
                self._drawn, self._last = -1, (seat, number)
            case Chow() | Pung() | Kong() as claim:
                self.tags.append(f'<N who="{claim.seat}" m="{self._bits(claim)}"/>')
                self._drawn = -1
            case Win(seat, from_seat):
                number = self._drawn if seat == from_seat else self._last[1]
                hand = {*self._hands[seat], number}
                under = ",".join(map(str, self._ura))
                self._results.append(
                    f'<AGARI who="{seat}" fromWho="{from_seat}" machi="{number}"'
                    f' hai="{",".join(map(str, sorted(hand)))}" doraHaiUra="{under}"'
                )
            case DrawnHand(reason):
                self._results.append(f"<RYUUKYOKU{REASONS[reason]}")
            case Reveal(seat):
                shown = ",".join(map(str, sorted(self._hands[seat])))
                self._results[-1] += f' hai{seat}="{shown}"'
            case HandEnd():
                self.tags += [f"{result}/>" for result in self._results]
            case GameEnd():
                self.tags[-1] = self.tags[-1].replace("/>", ' owari="0,0"/>')
            case other:
                raise AssertionError(f"mjlog has nothing for {other}")

    def _init(self, indicator: int) -> None:
        start = self._start
        assert start.dealer is not None
        assert start.round is not None
        number = 4 * (start.round.rank - 1) + start.dealer
        ten = ",".join(str(points // 100) for points in self._points)
        hands = " ".join(
            f'hai{seat}="{",".join(map(str, hand))}"' for seat, hand in enumerate(self._hands)
        )
        seed = f"{number},{start.honba},{start.deposits},9,9,{indicator}"
        self.tags.append(f'<INIT seed="{seed}" ten="{ten}" oya="{start.dealer}" {hands}/>')

    def _take(self, tile: Tile) -> int:
        """A number of this face that no other tile of the hand has."""
        if tile in REDS:
            number = REDS[tile]
        else:
            first = 4 * KINDS.index(tile)
            reds = REDS.values()
            number = min(
                number
                for number in range(first, first + 4)
                if number in self._free and number not in reds
            )
        self._free.remove(number)
        return number

    def _leave(self, seat: int, tile: Tile) -> int:
        held = self._hands[seat]
        number = next(one for one in held if one != self._drawn and _face(one) == tile)
        held.remove(number)
        return number

    def _bits(self, claim: Chow | Pung | Kong) -> int:
        seat = claim.seat
        if isinstance(claim, Kong) and claim.kind == "closed":
            own = [self._any(seat, tile) for tile in claim.own or ()]
            return own[0] << 8
        if isinstance(claim, Kong) and claim.kind == "added":
            self._last = (seat, self._any(seat, claim.tile))
            steps, bits = self._pungs[seat, claim.tile.kind]
            return bits & ~8 | 16 | steps
        discarder, called = self._last
        steps = (discarder - seat) % 4
        tiles = sorted([called, *(self._any(seat, tile) for tile in claim.own or ())])
        if isinstance(claim, Chow):
            lowest = tiles[0] // 4
            base = 7 * (lowest // 9) + lowest % 9
            bits = 3 * base + tiles.index(called) << 10 | 4 | steps
            for place, number in enumerate(tiles):
                bits |= number % 4 << 3 + 2 * place
            return bits
        if isinstance(claim, Kong):
            return called << 8 | steps
        kind = called // 4
        (fourth,) = set(range(4 * kind, 4 * kind + 4)) - set(tiles)
        bits = 3 * kind + tiles.index(called) << 9 | fourth % 4 << 5 | 8
        self._pungs[seat, claim.tile.kind] = (steps, bits)
        return bits | steps

    def _any(self, seat: int, tile: Tile) -> int:
        number = next(one for one in self._hands[seat] if _face(one) == tile)
        self._hands[seat].remove(number)
        return number


def _face(number: int) -> str:
    reds = {number: face for face, number in REDS.items()}
    return reds.get(number, KINDS[number // 4])
