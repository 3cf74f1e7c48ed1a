"""The games of a riichi record, hand by hand, as a log format needs them, and their yaku."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from csv import DictReader
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files
from io import StringIO
from typing import Any, Final, NamedTuple

from engine import events
from engine.announce import GameResult, Item, Payout, Problem
from engine.errors import Refused
from engine.events import Correct, Entry, Event, GameStart, Position, Seat
from engine.game import Game, replay
from engine.play import ordered, without
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.rules.riichi.tables import YAKUMAN
from engine.rules.riichi.win_facts import YAKUMAN_BASE, YAKUMAN_HAN, base_points
from engine.state import State
from engine.tiles import UNKNOWN, Tile

DEALT = 13

Play = events.Draw | events.Discard | events.Chow | events.Pung | events.Kong | events.Indicator


@dataclass(frozen=True)
class LoggedWin:
    """One win and the points that it alone moved."""

    win: events.Win
    deltas: tuple[int, ...]
    """Deposits and counters are in those of the winner who collects them."""
    items: tuple[Item, ...]


@dataclass(frozen=True)
class LoggedHand:
    number: int
    start: State
    """The state at the beginning of the hand."""
    dealt: tuple[tuple[Tile, ...], ...]
    """13 tiles a seat; the dealer's fourteenth is the first draw."""
    dora: Tile
    play: tuple[Play, ...]
    """Includes unseen draws; indicators are those of kongs."""
    under: tuple[Tile, ...]
    """Ura dora indicators."""
    wins: tuple[LoggedWin, ...]
    drawn: events.DrawnHand | None
    reveals: tuple[events.Reveal, ...]
    foul: Seat | None
    """Who ended the hand with a foul."""
    deltas: tuple[int, ...]
    """Points that the result moved, without earlier deposits."""
    points: tuple[int, ...]
    """Totals after the hand."""
    ended: bool


@dataclass(frozen=True)
class LoggedGame:
    start: events.GameStart
    options: dict[str, object]
    hands: tuple[LoggedHand, ...]
    ended: events.GameEnd | None
    result: GameResult | None


def played_games(entries: Sequence[Entry]) -> list[LoggedGame]:
    """Every game of the record; raise ``Refused`` for what no log format can express."""
    games = [_game(list(happened)) for happened in _games(entries)]
    if not any(game.hands for game in games):
        raise Refused("the record holds no hand, so there is nothing to export")
    return games


@dataclass
class _Happened:
    """A valid event and its effects."""

    number: int
    event: Event
    state: State
    said: tuple[object, ...] = field(default_factory=tuple)


def _games(entries: Sequence[Entry]) -> Iterator[list[_Happened]]:
    """What happened in each game, without impossible events and outranked claims."""
    game = Game()
    happened: list[_Happened] = []
    outranked: set[object] = set()
    for number, entry in enumerate(from_first_dealer(entries)):
        announcements = game.submit(entry)
        problems = [
            announcement for announcement in announcements if isinstance(announcement, Problem)
        ]
        outranked |= {
            problem.values["event"]
            for problem in problems
            if problem.code == "outranked" and problem.values
        }
        if not any(problem.impossible for problem in problems):
            happened.append(_Happened(number, entry.event, game.state, announcements))
    begun: list[_Happened] = []
    for one in happened:
        if one.number in outranked:
            continue
        if isinstance(one.event, events.GameStart) and begun:
            yield begun
            begun = []
        begun.append(one)
    if begun:
        yield begun


def _game(happened: list[_Happened]) -> LoggedGame:
    first = happened[0].event
    rules = RULE_SETS.get(first.rules) if isinstance(first, events.GameStart) else None
    if not isinstance(first, events.GameStart) or rules is None or not rules.page.exports:
        name = first.rules if isinstance(first, events.GameStart) else "no rules"
        raise Refused(f"only riichi games can be exported in this format; this one is by {name}")
    starts = [
        place for place, one in enumerate(happened) if isinstance(one.event, events.HandStart)
    ]
    hands = tuple(
        _hand(rules, happened[begin:end])
        for begin, end in zip(starts, [*starts[1:], len(happened)], strict=False)
    )
    ends = [event.event for event in happened if isinstance(event.event, events.GameEnd)]
    results = [said for event in happened for said in event.said if isinstance(said, GameResult)]
    return LoggedGame(
        first,
        dict(happened[0].state.options),
        hands,
        ends[-1] if ends else None,
        results[-1] if results else None,
    )


def _hand(rules: RuleSet, happened: list[_Happened]) -> LoggedHand:
    start = happened[0].state
    number = start.hand_number
    if any(isinstance(event.event, events.Position) for event in happened):
        raise Refused(f"hand {number} begins in the middle, which this format cannot express")
    indicators = [event.event for event in happened if isinstance(event.event, events.Indicator)]
    dora = next((indicator.tile for indicator in indicators if indicator.kind == "dora"), None)
    if dora is None:
        raise Refused(f"hand {number} has no dora indicator, which this format needs")
    counting = [event for event in happened if not isinstance(event.event, events.GameEnd)]
    final = _result_state(counting)
    ended = any(isinstance(happened.event, events.HandEnd) for happened in counting)
    paid = [said for happened in counting for said in happened.said if isinstance(said, Payout)]
    deltas = counting[-1].state.paid
    drawn = [
        happened.event for happened in counting if isinstance(happened.event, events.DrawnHand)
    ]
    fouls = [
        happened.event.seat for happened in counting if isinstance(happened.event, events.Foul)
    ]
    dealt, play = _as_dealt(start, [happened.event for happened in counting], final.wins)
    is_foul = ended and not final.wins and not drawn
    return LoggedHand(
        number=number,
        start=start,
        dealt=dealt,
        dora=dora,
        play=play,
        under=tuple(indicator.tile for indicator in indicators if indicator.kind == "ura_dora"),
        wins=_paid_wins(rules, final, deltas),
        drawn=drawn[-1] if drawn else None,
        reveals=tuple(
            happened.event for happened in counting if isinstance(happened.event, events.Reveal)
        ),
        foul=(fouls or [deltas.index(min(deltas))])[-1] if is_foul else None,
        deltas=deltas,
        points=paid[-1].points if paid else start.points,
        ended=ended,
    )


def _result_state(happened: list[_Happened]) -> State:
    """The state that the end of the hand settles."""
    for event in reversed(happened):
        if not isinstance(event.event, events.HandEnd):
            return event.state
    return happened[-1].state


def _as_dealt(
    start: State, told: Sequence[Event], wins: Sequence[events.Win]
) -> tuple[tuple[tuple[Tile, ...], ...], tuple[Play, ...]]:
    """Hands of 13 tiles, and the play with every draw, discarder and ``drawn`` filled in."""
    dealt: list[tuple[Tile, ...]] = [(UNKNOWN,) * DEALT] * 4
    play: list[Play] = []
    holding: Seat | None = None
    """Who has drawn or claimed, and has not discarded yet."""
    just: Tile | None = None
    """The tile just drawn, while it is held."""
    discarder: Seat = 0

    def draw(seat: Seat, tile: Tile = UNKNOWN) -> None:
        nonlocal holding, just
        if holding != seat:
            play.append(events.Draw(seat, tile))
            holding, just = seat, tile

    for event in told:
        match event:
            case events.Deal(seat, tiles) if len(tiles) > DEALT:
                first = _first_drawn(tiles, told)
                dealt[seat] = ordered(_rest(tiles, first))
                draw(seat, first)
            case events.Deal(seat, tiles):
                dealt[seat] = ordered(tiles)
            case events.Draw(seat):
                holding = None
                draw(seat, event.tile)
            case events.Discard(seat, tile):
                draw(seat)
                same = just == tile if event.drawn is None else event.drawn
                play.append(replace(event, drawn=just is not None and same))
                holding, just, discarder = None, None, seat
            case events.Kong(seat, "closed" | "added"):
                draw(seat)
                play.append(event)
                holding = just = None
            case events.Chow(seat) | events.Pung(seat) | events.Kong(seat):
                play.append(replace(event, from_seat=discarder))
                holding = None if isinstance(event, events.Kong) else seat
            case events.Win(seat, from_seat) if seat == from_seat and event in wins:
                draw(seat, event.tile)
            case events.Indicator(_, "kan_dora"):
                play.append(event)
            case _:
                pass
    return tuple(dealt), tuple(play)


def pung_of(kong: events.Kong, before: Sequence[Play]) -> events.Pung | None:
    """The earlier pung that an added kong extends."""
    pungs = (event for event in before if isinstance(event, events.Pung))
    same = (p for p in pungs if (p.seat, p.tile.kind) == (kong.seat, kong.tile.kind))
    return next(same, None)


def _first_drawn(tiles: Sequence[Tile], told: Sequence[Event]) -> Tile:
    """Choose a fourteenth tile of the dealer that fits the first discard."""
    first = next((event for event in told if isinstance(event, events.Discard)), None)
    if first is not None and first.drawn and first.tile in tiles:
        return first.tile
    others = [tile for tile in tiles if first is None or tile != first.tile]
    return (others or list(tiles))[-1]


def _rest(tiles: Sequence[Tile], first: Tile) -> tuple[Tile, ...]:
    rest = without(tiles, (first,))
    assert not isinstance(rest, Tile), "the tile is one of them"
    return rest


def _paid_wins(rules: RuleSet, state: State, total: Sequence[int]) -> tuple[LoggedWin, ...]:
    """Points that each win moved; together they are what was paid."""
    wins = state.wins
    if len(wins) < 2:
        items = rules.payment.settle(state, wins).items if wins else ()
        return tuple(LoggedWin(win, tuple(total), items) for win in wins)
    bare = State(**(vars(state) | {"honba": 0}))
    alone = [rules.payment.settle(bare, (win,)) for win in wins]
    deltas = [list(payout.deltas) for payout in alone]
    deposits = max(-payout.pot for payout in alone)
    for win, payout, moved in zip(wins, alone, deltas, strict=True):
        moved[win.seat] += payout.pot  # alone, each would collect the deposits
    extra = [total[seat] - sum(moved[seat] for moved in deltas) for seat in range(4)]
    discarder = wins[0].from_seat
    nearest = min(range(len(wins)), key=lambda place: (wins[place].seat - discarder) % 4)
    for place, win in enumerate(wins):
        deltas[place][win.seat] += extra[win.seat]
        counters = extra[win.seat] - (deposits if place == nearest else 0)
        deltas[place][discarder] -= counters
    return tuple(
        LoggedWin(win, tuple(moved), payout.items)
        for win, moved, payout in zip(wins, deltas, alone, strict=True)
    )


_SEATS: Final = ("seat", "from_seat", "dealer", "first_dealer")
_BY_SEAT: Final = ("players", "points")


def from_first_dealer(entries: Sequence[Entry]) -> list[Entry]:
    """The events in force, with each game's first dealer as seat 0."""
    turned: list[Entry] = []
    game: list[Entry] = []
    first: Seat = 0
    for played in replay(entries).played:
        event = played.event.entry.event
        if isinstance(event, GameStart):
            turned += _turned(game, first)
            game = []
        if not isinstance(event, Correct):  # a correction without effect
            game.append(played.event.entry)
        first = played.state.first_dealer
    return turned + _turned(game, first)


def _turned(game: Sequence[Entry], first: Seat) -> list[Entry]:
    return [replace(entry, event=_event(entry.event, first)) for entry in game]


def _event(event: Event, first: Seat) -> Event:
    if not first or isinstance(event, Position):  # no log format has positions
        return event
    changed: dict[str, Any] = {}
    for part in fields(event):
        value = getattr(event, part.name)
        if value is None:
            continue
        if part.name in _SEATS:
            changed[part.name] = (value - first) % 4
        elif part.name in _BY_SEAT:
            changed[part.name] = (*value[first:], *value[:first])
    return replace(event, **changed)


class YakuName(NamedTuple):
    """Names of one yaku or bonus."""

    mjai: str
    tenhou: str


def _yaku_names() -> dict[str, YakuName]:
    table = files(__package__).joinpath("yaku.csv").read_text("utf-8")
    return {row["id"]: YakuName(row["mjai"], row["tenhou"]) for row in DictReader(StringIO(table))}


YAKU_NAMES: Final = _yaku_names()
"""By the engine's name, in the order in which tenhou.net lists them."""


@dataclass(frozen=True)
class Worth:
    """The worth of one win without counters and deposits."""

    yaku: tuple[Item, ...]
    """Yaku, dora and red fives; empty for an unknown hand."""
    han: int
    fu: int
    base: int
    """A quarter of what a discarder pays a non-dealer, before rounding up."""
    limit: bool
    """Whether it is a yakuman."""

    def payments(self, dealer: bool, drawn: bool) -> tuple[int, ...]:
        """What the discarder pays, or each other seat, or each non-dealer and the dealer."""
        if not drawn:
            return (_rounded(self.base * (6 if dealer else 4)),)
        double = _rounded(2 * self.base)
        return (double,) if dealer else (_rounded(self.base), double)

    def total(self, dealer: bool, drawn: bool) -> int:
        paid = self.payments(dealer, drawn)
        if not drawn:
            return paid[0]
        return 3 * paid[0] if dealer else 2 * paid[0] + paid[1]


def worth_of(start: State, paid: LoggedWin) -> Worth:
    """``start``: the state at the beginning of the hand."""
    yaku = tuple(item for item in paid.items if item.name in YAKU_NAMES)
    han = sum(item.value for item in yaku)
    fu = next((item.value for item in paid.items if item.name == "fu"), 0)
    yakuman = [max(item.value // YAKUMAN_HAN, 1) for item in yaku if item.name in YAKUMAN]
    if yakuman:
        times = sum(yakuman) if start.options.get("cumulative_yakuman") else max(yakuman)
        return Worth(yaku, YAKUMAN_HAN * times, fu, YAKUMAN_BASE * times, True)
    limited = start.options.get("thirteen_fan") == "yakuman"
    rounded = bool(start.options.get("rounded_mangan"))
    base = base_points(han, fu, limited, rounded) if yaku else 0
    return Worth(yaku, han, fu, base, False)


def _rounded(points: int) -> int:
    """Round up to the next hundred."""
    return -(-points // 100) * 100
