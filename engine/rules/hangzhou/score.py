"""What a complete Hangzhou hand pays: the doubles of its best reading (002, Scoring).

These count the fortune tiles, and the kongs and floats that led to the win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations
from operator import mul
from typing import Final, Literal

from engine import hands
from engine.announce import Item, note
from engine.declare import own_tiles
from engine.events import Chow, Deal, Discard, Draw, Indicator, Kong, Pung, Seat, Win
from engine.evolve import evolve
from engine.hands import HandForm
from engine.play import IN_PLAY, IllegalEvent
from engine.rules.hangzhou.tables import WHITE
from engine.rules.indicators import Indicators, Wild
from engine.rules.patterns import Worth, multiplied
from engine.rules.results import after_unseen_kong
from engine.state import State
from engine.tiles import COPIES, UNKNOWN, Tile

# --- fortune tiles (财神): what they are and do, the wild eye (爆头, in 002 暴头) ---------------

FORMS: Final = frozenset({HandForm.SETS, HandForm.PAIRS})
_PAIRS_TILES: Final = 13


@dataclass(frozen=True)
class Fortune:
    """The kind that is wild in a concealed hand; white dragons take its place as a plain tile."""

    kind: Tile

    def read(self, tile: Tile) -> Tile:
        """The kind that a tile other than a fortune counts as in sets and pairs."""
        return self.kind if tile == WHITE else tile

    def split(self, tiles: Sequence[Tile]) -> tuple[tuple[Tile, ...], int]:
        """Split tiles into the plain ones, as they count, and the number of wild ones."""
        plain = tuple(self.read(tile) for tile in tiles if tile != self.kind)
        return plain, len(tiles) - len(plain)

    def wins(self, tiles: Sequence[Tile]) -> bool:
        """Whether ``3n + 2`` undeclared tiles are a complete hand."""
        plain, wild = self.split(tiles)
        return hands.wins(plain, wild, FORMS)

    def eye_of_sets(self, tiles: Sequence[Tile]) -> bool:
        """Whether ``3n + 1`` tiles are complete sets and one fortune, so that any tile wins."""
        plain, wild = self.split(tiles)
        return wild > 0 and hands.sets_alone(plain, wild - 1)

    def eye_of_pairs(self, tiles: Sequence[Tile]) -> bool:
        """Whether the tiles are six pairs and one fortune."""
        plain, wild = self.split(tiles)
        singles = sum(count % 2 for count in Counter(plain).values())
        return len(tiles) == _PAIRS_TILES and wild > singles

    def wild_eye(self, tiles: Sequence[Tile]) -> bool:
        return self.eye_of_sets(tiles) or self.eye_of_pairs(tiles)


def fortune_of(state: State) -> Fortune | None:
    """The fortune of this hand. None while the indicator is unknown."""
    if state.options["permanent_fortune"]:
        return Fortune(WHITE)
    for indicator in reversed(state.indicators):
        if indicator.kind == "fortune" and indicator.tile.known:
            return Fortune(indicator.tile)
    return None


class FortuneIndicators(Indicators):
    def due(self, state: State) -> tuple[Indicator, ...]:
        known = state.phase not in IN_PLAY or fortune_of(state) is not None
        return () if known else (Indicator(UNKNOWN, "fortune"),)

    def turned_up(self, state: State, event: Indicator) -> State:
        if state.options["permanent_fortune"]:
            raise IllegalEvent("contradicts", None, "no_such_indicator", [()])
        now = fortune_of(state)
        if now is not None and event.tile.known and event.tile != now.kind:
            raise IllegalEvent("contradicts", None, "other_fortune_known", [()], tile=now.kind)
        if now is not None:
            return evolve(state)
        return super().turned_up(state, event)

    def wild(self, state: State) -> Wild | None:
        """The indicator's kind is wild; white dragons take its place as a plain tile."""
        fortune = fortune_of(state)
        if fortune is None:
            return None
        stand_ins = {} if fortune.kind == WHITE else {WHITE: fortune.kind}
        return Wild(frozenset({fortune.kind}), stand_ins)


# --- the kongs (杠) and floats (飘) that led without a break to a winning own draw --------------
# An open hand is followed backwards from the win: declared and discarded tiles come back into it,
# drawn tiles leave it. A draw that nobody saw may have been any tile of the hand.


MOST_UNSEEN: Final = 3
"""With more unseen draws than this, nothing can be said about a hand."""


@dataclass(frozen=True)
class PlayerAct:
    """One action of the winner; unseen draws are included."""

    kind: Literal["draw", "claim", "kong", "discard"]
    tiles: tuple[Tile, ...]
    """Tiles that entered or left the hand; empty for an unseen draw."""
    feeder: Seat | None = None
    """Who discarded the tile of a claim."""


@dataclass(frozen=True)
class SeriesStep:
    """One part of the unbroken series before the win."""

    kind: Literal["kong", "float", "claim"]
    feeder: Seat | None = None


@dataclass(frozen=True)
class Series:
    """The kongs and floats that count for a win by own draw."""

    steps: tuple[SeriesStep, ...] = ()
    """The parts that count when the win is by the wild eye, earliest first."""
    last_kongs: int = 0
    """Kongs after the last discard, which count in every reading."""
    unsure: bool = False
    """More may count, but the hand was not seen."""

    def count(self, kind: str) -> int:
        return sum(step.kind == kind for step in self.steps)


def acts_of(state: State, seat: Seat) -> list[PlayerAct]:
    """What this seat did in this hand up to an own-draw win, the last draw at the end."""
    acts: list[PlayerAct] = []
    at = state.joined
    if at is None:
        holds = seat == state.dealer  # dealt fourteen, where the record has no deal
    else:
        holds = at.hands is not None and len(at.hands[seat]) % 3 == 2

    def drawn() -> None:
        if not holds:
            acts.append(PlayerAct("draw", ()))

    for _, entry in state.history.entries:
        event = entry.event
        if getattr(event, "seat", None) != seat:
            continue
        match event:
            case Deal(tiles=tiles):
                holds = len(tiles) % 3 == 2
            case Draw(tile=tile):
                acts.append(PlayerAct("draw", (tile,) if tile.known else ()))
                holds = True
            case Chow() | Pung() | Kong(kind="open"):
                acts.append(PlayerAct("claim", own_tiles(event), event.from_seat))
                holds = not isinstance(event, Kong)
                if not holds:
                    acts.append(PlayerAct("kong", (), event.from_seat))
            case Kong():
                drawn()
                acts.append(PlayerAct("kong", own_tiles(event)))
                holds = False
            case Discard(tile=tile):
                drawn()
                acts.append(PlayerAct("discard", (tile,)))
                holds = False
            case _:
                pass
    drawn()
    return acts


@dataclass
class _Hand:
    """A hand followed backwards, without the drawn tile."""

    fortune: Fortune
    tiles: list[Tile]
    unseen: int = 0
    """Number of its tiles that were drawn later, unseen."""
    steady: bool | None = True
    """Whether it was a wild-eye hand at every rest so far. None: unknown."""
    steps: list[SeriesStep] = field(default_factory=list)

    def back(self, tiles: Sequence[Tile]) -> None:
        self.tiles += tiles
        if not all(tile.known for tile in tiles):
            self.unseen = MOST_UNSEEN + 1

    def undraw(self, tiles: Sequence[Tile]) -> None:
        if tiles and tiles[0] in self.tiles:
            self.tiles.remove(tiles[0])
        else:
            self.unseen += 1

    def rest(self) -> None:
        """Note that the hand rests here: a float before this counts only for a wild-eye hand."""
        if self.steady is False:
            return
        now = self._is_wild_eye()
        self.steady = False if now is False else self.steady and now

    def _is_wild_eye(self) -> bool | None:
        if self.unseen > MOST_UNSEEN:
            return None
        answers = {self.fortune.wild_eye(tiles) for tiles in self._possible()}
        return answers.pop() if len(answers) == 1 else None

    def _possible(self) -> Iterator[tuple[Tile, ...]]:
        for gone in set(combinations(sorted(self.tiles), self.unseen)):
            rest = list(self.tiles)
            for tile in gone:
                rest.remove(tile)
            yield tuple(rest)


def series_of(
    state: State, seat: Seat, resting: Sequence[Tile] | None, fortune: Fortune | None
) -> Series:
    """The series that ends with the win of this seat by own draw.

    ``resting``: the hand before the winning draw. None where it is unknown.
    """
    acts = acts_of(state, seat)
    last_kongs = _kongs_at_end(acts)
    unseen = fortune is not None and _may_have_floated(state, seat, acts, fortune)
    floated = fortune is not None and (unseen or _floated(acts, fortune))
    if resting is None or fortune is None:
        return Series((SeriesStep("kong"),) * last_kongs, last_kongs, floated)
    hand = _Hand(fortune, list(resting))
    hand.rest()
    unsure = _walk_back(acts[:-1], hand, may_claim=bool(state.options["float_may_claim"]))
    steps = hand.steps
    while steps and steps[-1].kind == "claim":  # no float came before it
        steps.pop()
    unsure = unsure or (unseen and hand.steady is not False)
    return Series(tuple(reversed(steps)), last_kongs, unsure)


def _kongs_at_end(acts: Sequence[PlayerAct]) -> int:
    kongs = 0
    for act in reversed(acts):
        if act.kind == "discard":
            break
        kongs += act.kind == "kong"
    return kongs


def _floated(acts: Sequence[PlayerAct], fortune: Fortune) -> bool:
    """Whether the last discard before the win was a fortune, or may have been."""
    last = next((act for act in reversed(acts) if act.kind == "discard"), None)
    return last is not None and last.tiles[0] in (fortune.kind, "?")


def _may_have_floated(
    state: State, seat: Seat, acts: Sequence[PlayerAct], fortune: Fortune
) -> bool:
    """Whether its last discard lies in a position, and is or may be a fortune."""
    at = state.joined
    if at is None or at.rivers is None or any(act.kind == "discard" for act in acts):
        return False
    own = at.rivers[seat]
    return bool(own) and own[-1].tile in (fortune.kind, "?")


def _walk_back(acts: list[PlayerAct], hand: _Hand, *, may_claim: bool) -> bool:
    """Collect the steps, last one first; return whether more may count than were found."""
    while acts:
        act = acts.pop()
        match act.kind:
            case "kong":
                hand.steps.append(SeriesStep("kong"))
                hand.back(act.tiles)
            case "draw":
                hand.undraw(act.tiles)
                hand.rest()
            case "claim":
                # 002, Fortune float: an option lets the floating player claim before the next turn.
                floating = bool(acts) and acts[-1].kind == "discard"
                if not (floating and may_claim):
                    return False
                hand.steps.append(SeriesStep("claim", act.feeder))
                hand.back(act.tiles)
                hand.rest()
            case "discard":
                if not act.tiles[0].known:
                    return hand.steady is not False
                if act.tiles[0] != hand.fortune.kind or hand.steady is False:
                    return False
                if hand.steady is None:
                    return True
                hand.steps.append(SeriesStep("float"))
                hand.back(act.tiles)
    return False


# --- readings -------------------------------------------------------------------------------------


SETS: Final = frozenset({HandForm.SETS})
PAIRS: Final = frozenset({HandForm.PAIRS})


PLAIN: Final = multiplied(())
"""The worth of a hand without any doubles."""
Doubles = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class HangzhouReading:
    """One way to read a complete hand."""

    worth: Worth = PLAIN
    """Its doubles."""
    wild_eye: bool = False
    before: int = 1
    """What the hand was worth at the first claim, with liability for the second half of a float."""
    halves: tuple[tuple[Seat, int], ...] = ()
    """Feeders of the claims that kept a float going, and what the hand was worth after each."""

    @property
    def times(self) -> int:
        return self.worth.value

    @property
    def items(self) -> list[Item]:
        """What a payout lists of it."""
        return [*self.worth.items("times"), *([note("second_half")] if self.halves else [])]


def _of_hand(
    resting: Sequence[Tile], tile: Tile, fortune: Fortune, *, drawn: bool, natural: bool
) -> Iterator[HangzhouReading]:
    """Readings of the tiles alone; of two that pay the same, the plain one comes first.

    002: the wild eye depends on what the hand waits for, seven pairs and deluxe on the finished
    hand. So the wild eye is judged before the draw and counts for every reading. ``natural``:
    whether pairs without fortune count twice as much.
    """
    plain, wild = fortune.split((*resting, tile))
    wild_eye = drawn and fortune.wild_eye(resting)
    first: Doubles = (("wild_eye", 2),) if wild_eye else ()
    if hands.wins(plain, wild, SETS):
        yield HangzhouReading(multiplied(first), wild_eye)
    if hands.wins(plain, wild, PAIRS):
        plainly = natural and not wild
        pairs = ("seven_pairs_natural", 4) if plainly else ("seven_pairs", 2)
        yield HangzhouReading(multiplied((*first, pairs, *_deluxe(plain))), wild_eye)


def _deluxe(plain: Sequence[Tile]) -> Iterator[tuple[str, int]]:
    """002, Deluxe: four identical tiles count as two pairs, without fortunes."""
    fours = sum(count == COPIES for count in Counter(plain).values())
    if fours:
        yield "deluxe", 2**fours


def _with_series(reading: HangzhouReading, series: Series, *, halves: bool) -> HangzhouReading:
    """Add the kongs and floats that count for this reading."""
    kongs = series.count("kong") if reading.wild_eye else series.last_kongs
    floats = series.count("float") if reading.wild_eye else 0
    lines = reading.worth.lines
    if floats:
        lines = (*lines, ("float", 2**floats))
    if kongs:
        lines = (*lines, ("kong_bloom", 2**kongs))
    worth = multiplied(lines)
    fed = [step.feeder for step in series.steps if step.kind == "claim" and step.feeder is not None]
    if not (halves and fed and reading.wild_eye):
        return HangzhouReading(worth, reading.wild_eye, worth.value)
    worths = list(
        accumulate(
            (1 if step.kind == "claim" else 2 for step in series.steps), mul, initial=reading.times
        )
    )
    claims = [worths[place] for place, step in enumerate(series.steps) if step.kind == "claim"]
    later = tuple(zip(fed, [*claims[1:], worth.value], strict=True))
    return HangzhouReading(worth, True, claims[0], later)


def is_complete(state: State, win: Win) -> bool:
    """Whether the hand is known to be complete with the winning tile."""
    fortune, resting = fortune_of(state), state.players[win.seat].undeclared
    last = state.last_discard
    drawn = last is None or last.seat != win.seat  # else it was won by its own discard
    if fortune is None or resting is None or not win.tile.known or not drawn:
        return False
    return fortune.wins((*resting, win.tile))


def best_reading(state: State, win: Win) -> tuple[HangzhouReading, list[Item]]:
    """The reading that pays most, and notes on unknown facts that might make it pay more.

    ``state`` is the one that the win led to. An incomplete or unknown hand is worth what can be
    seen from outside.
    """
    seat, drawn = win.seat, win.seat == win.from_seat
    fortune, resting = fortune_of(state), state.players[seat].undeclared
    if state.last_discard is not None and state.last_discard.seat == seat:
        return HangzhouReading(), []  # 002, Ten honours: won by what was discarded
    notes = []
    if fortune is None:
        notes.append(note("fortune_unknown"))
    if resting is None or not win.tile.known:
        notes.append(note("hand_unknown"))
    if after_unseen_kong(state, win):
        notes.append(note("kong_unknown"))
    ways = [(resting, win.tile)]
    if drawn and resting is not None and not acts_of(state, seat):
        # Nothing was drawn yet, so any of the banker's fourteen tiles may count as the last one.
        ways = _each_apart((*resting, win.tile))
    halves = bool(state.options["float_second_half_liability"])
    # 002, Seven pairs: "some (many?)" give no extra double for a claim or a robbed kong.
    natural = drawn or bool(state.options["natural_pairs_on_claim"])
    best = None
    for rest, tile in ways:
        series = series_of(state, seat, rest, fortune) if drawn else Series()
        readings: Iterator[HangzhouReading] | list[HangzhouReading] = [HangzhouReading()]
        if rest is not None and fortune is not None and tile.known:
            readings = _of_hand(rest, tile, fortune, drawn=drawn, natural=natural)
        for reading in readings:
            full = _with_series(reading, series, halves=halves)
            if best is None or full.times > best.times:
                best = full
        if series.unsure:
            notes.append(note("float_unknown"))
    if best is None:
        kongs = series_of(state, seat, None, fortune) if drawn else Series()
        best = _with_series(HangzhouReading(), kongs, halves=False)
    return best, list(dict.fromkeys(notes))


def _each_apart(tiles: Sequence[Tile]) -> list[tuple[tuple[Tile, ...] | None, Tile]]:
    ways: list[tuple[tuple[Tile, ...] | None, Tile]] = []
    for tile in dict.fromkeys(tiles):
        place = tiles.index(tile)
        ways.append(((*tiles[:place], *tiles[place + 1 :]), tile))
    return ways
