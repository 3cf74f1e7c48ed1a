"""Two records that differ in one hidden tile, and that the table cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from engine.announce import Problem
from engine.events import (
    Chow,
    Correct,
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    Foul,
    GameEnd,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.game import Game, replay
from engine.log import in_force
from engine.played import PlayedEvent
from engine.rules import RULE_SETS
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile
from tests.support.random_games import played

SECRET: Final = {"harbin-hlr": "dora", "harbin-treasure": "treasure", "riichi": "ura_dora"}
"""Indicators at which not everybody may look during the hand."""
TRIES: Final = 40


@dataclass(frozen=True)
class Worlds:
    """What is so in one of them is hidden from ``others`` and from everybody who watches."""

    lines: tuple[list[Entry], list[Entry]]
    others: frozenset[Seat]
    what: str
    """The tile that was changed, for whoever reads of a leak."""


def worlds(rules: str, style: str, seed: int) -> Worlds | None:
    """None where the record hides no tile that could be another."""
    random = Random(seed)
    lines = STYLES[style](rules, random)
    secrets = list(_secrets(lines))
    for _ in range(TRIES if secrets else 0):
        entry, place, others = random.choice(secrets)
        tiles = sorted(RULE_SETS[rules].wall.under({"red_fives": 0}))
        old, new = tiles_of(entry.event)[place], random.choice(tiles)
        changed = replace(entry, event=with_tile(entry.event, place, new))
        copy = [_swapped(line, entry, changed) for line in lines]
        if old.known and new != old and alike(replay(lines), replay(copy)):
            what = f"{rules}, {style}, {seed}: {new} for {old}, tile {place} of {entry.event}"
            return Worlds((lines, copy), others, what)
    return None


# --- what is hidden -------------------------------------------------------------------------------


def tiles_of(event: Event) -> tuple[Tile, ...]:
    """Tiles of an event that may be hidden."""
    match event:
        case Deal(tiles=tiles):
            return tiles
        case Draw(tile=tile) | Indicator(tile=tile):
            return (tile,)
        case Position(hands=hands, indicators=turned):
            return tuple(tile for hand in hands or () for tile in hand) + tuple(
                one.tile for one in turned or ()
            )
        case _:
            return ()


def with_tile(event: Event, place: int, tile: Tile) -> Event:
    tiles = list(tiles_of(event))
    tiles[place] = tile
    match event:
        case Deal():
            return replace(event, tiles=tuple(tiles))
        case Draw() | Indicator():
            return replace(event, tile=tile)
        case Position(hands=hands, indicators=turned):
            rest = iter(tiles)
            given = tuple(tuple(next(rest) for _ in hand) for hand in hands or ())
            shown = tuple(replace(one, tile=next(rest)) for one in turned or ())
            return replace(event, hands=given or hands, indicators=shown or turned)
        case _:
            raise AssertionError(event)


def _secrets(lines: Sequence[Entry]) -> Iterator[tuple[Entry, int, frozenset[Seat]]]:
    """Every hidden tile, as an entry and a place in it, with the seats that may not know it."""
    game = replay(lines)
    hands: list[list[PlayedEvent]] = [[]]
    for one in game.played:
        event, taken = one.event.entry.event, not _impossible(one)
        if isinstance(event, GameStart | GameEnd) or (isinstance(event, HandStart) and taken):
            hands.append([])
        hands[-1].append(one)
    for hand in hands:
        for one in hand:
            for place in range(len(tiles_of(one.event.entry.event))):
                others = _kept_from(one, place, hand)
                if others:
                    yield one.event.entry, place, others
    stands = {id(one.entry) for one in in_force(lines)}
    for entry in _all(lines):
        if id(entry) not in stands and isinstance(entry.event, Draw | Deal):
            yield entry, 0, frozenset(range(4)) - {entry.event.seat}


def _kept_from(one: PlayedEvent, place: int, hand: Sequence[PlayedEvent]) -> frozenset[Seat]:
    event, last = one.event.entry.event, hand[-1].state
    seats = frozenset(range(4))
    if isinstance(event, Position):
        owners = [seat for seat, held in enumerate(event.hands or ()) for _ in held]
        if place < len(owners):
            return _held(owners[place], hand)
        event = (event.indicators or ())[place - len(owners)]
    if isinstance(event, Deal | Draw):
        return _held(event.seat, hand)
    assert isinstance(event, Indicator)
    over = last.phase in (Phase.SETTLED, Phase.BEFORE_HAND) and not _impossible(one)
    if event.kind != SECRET.get(last.rules.split("-20")[0].split("-ten")[0]) or over:
        return frozenset()
    ready = {seat for seat in seats if last.players[seat].ready} if event.kind != "ura_dora" else ()
    return seats - frozenset(ready)


def _held(seat: Seat, hand: Sequence[PlayedEvent]) -> frozenset[Seat]:
    """Who does not see a concealed hand; nobody is left out of one that was shown or won with."""
    shown = any(one.state.players[seat].shown for one in hand) or any(
        isinstance(one.event.entry.event, Win | Reveal) and one.event.entry.event.seat == seat
        for one in hand
    )
    return frozenset() if shown else frozenset(range(4)) - {seat}


def alike(one: Game, other: Game) -> bool:
    """What cannot be, who won and what was paid is everybody's to know: it must be the same."""

    def told(each: PlayedEvent) -> object:
        state = each.state
        return _impossible(each), state.phase, state.turn, state.winners, state.points

    return list(map(told, one.played)) == list(map(told, other.played))


def _impossible(one: PlayedEvent) -> bool:
    return any(isinstance(said, Problem) and said.impossible for said in one.announcements)


def _all(entries: Sequence[Entry]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        if isinstance(entry.event, Correct):
            yield from _all(entry.event.events)


def _swapped(line: Entry, old: Entry, new: Entry) -> Entry:
    if line is old:
        return new
    if isinstance(line.event, Correct):
        inner = tuple(_swapped(event, old, new) for event in line.event.events)
        return replace(line, event=replace(line.event, events=inner))
    return line


# --- records --------------------------------------------------------------------------------------


def _middle(rules: str, random: Random) -> list[Entry]:
    """A game that stands in the middle of a hand, the first or a later one."""
    lines = list(played(rules, random.randint(0, 10_000), random.randint(1, 2)).entries)
    cut = random.randint(7, len(lines) - 1)
    kind = SECRET.get(rules.split("-20")[0].split("-ten")[0])
    lines = [replace(line, t=float(number)) for number, line in enumerate(lines[:cut])]
    if kind is not None and random.random() < 0.5:
        known = {tile for line in _all(lines) for tile in tiles_of(line.event)}
        spare = [tile for tile in sorted(RULE_SETS[rules].wall) if tile not in known]
        if spare:
            lines.append(Entry(Indicator(random.choice(spare), kind), t=float(cut)))  # type: ignore[arg-type]
    return lines


def _corrected(rules: str, random: Random) -> list[Entry]:
    """Something that was drawn, dealt or discarded was told otherwise at first."""
    lines = _middle(rules, random)
    moves = [
        number for number, line in enumerate(lines) if isinstance(line.event, Draw | Deal | Discard)
    ]
    for number in random.sample(moves, min(2, len(moves))):
        right, event = lines[number], lines[number].event
        tiles = sorted(RULE_SETS[rules].wall)
        if isinstance(event, Draw | Discard):
            wrong: Event = replace(event, tile=random.choice(tiles))
        else:
            assert isinstance(event, Deal)
            wrong = replace(event, tiles=(UNKNOWN,) * len(event.tiles))
        lines[number] = replace(right, event=wrong)
        lines.append(Entry(Correct(number, (right,)), t=right.t, source="person"))
    return lines


def _joined(rules: str, random: Random) -> list[Entry]:
    """The same from its middle on, the hands told in a ``position``."""
    game = replay(_middle(rules, random))
    playing = [
        place
        for place, one in enumerate(game.played)
        if one.state.phase is Phase.TO_DRAW and one.state.players[0].river
    ]
    if not playing:
        return _middle(rules, random)
    at = random.choice(playing)
    state = game.played[at].state
    rest = [one.event.entry for one in game.played[at + 1 :]]
    start = Entry(GameStart(rules, state.options))
    return [start, Entry(HandStart(dealer=state.dealer)), Entry(_position(state)), *rest]


def _position(state: State) -> Position:
    sets: list[list[Chow | Pung | Kong]] = [[], [], [], []]
    for _, entry in state.history.entries:
        event = entry.event
        if isinstance(event, Chow | Pung | Kong) and len(sets[event.seat]) < len(
            state.players[event.seat].melds
        ):
            sets[event.seat].append(event)
    rivers = [
        tuple(Discard(seat, one.tile, one.ready, one.drawn) for one in player.river)
        for seat, player in enumerate(state.players)
    ]
    return Position(
        tuple(player.hand for player in state.players),
        tuple(map(tuple, sets)),
        tuple(rivers),
        state.wall_left,
        state.turn,
        tuple(seat for seat in range(4) if state.players[seat].ready),
        state.indicators,
    )


def _too_early(rules: str, random: Random) -> list[Entry]:
    """A deal, a draw and an indicator that stand before the first ``hand_start``."""
    lines = _middle(rules, random)
    early: list[Entry] = [line for line in lines if isinstance(line.event, Draw | Deal | Indicator)]
    chosen = random.sample(early, min(3, len(early)))
    return [lines[0], *(replace(line, t=0.0) for line in chosen), *lines[1:]]


def _revealed(rules: str, random: Random) -> list[Entry]:
    """One hand lies open from some moment on."""
    lines = _middle(rules, random)
    state = replay(lines).state
    seat = random.randint(0, 3)
    return [*lines, Entry(Reveal(seat, state.players[seat].hand), t=float(len(lines)))]


def _two_games(rules: str, random: Random) -> list[Entry]:
    """The hand is broken off for a game by other rules."""
    other = random.choice(sorted(RULE_SETS))
    return [*_middle(rules, random), *_middle(other, random)[: random.randint(1, 12)]]


def _irregular(rules: str, random: Random) -> list[Entry]:
    """Calls of ready that are none, claims and kongs against the rules, fouls, wins untold."""
    lines = []
    for line in _middle(rules, random):
        event, chance = line.event, random.random()
        if isinstance(event, Discard | Chow | Pung) and chance < 0.2:
            event = replace(event, ready=True)
        elif isinstance(event, Win):
            event = replace(event, hand=None)
        elif isinstance(event, Draw) and chance < 0.15:
            continue
        if isinstance(event, Discard) and 0.2 < chance < 0.3:
            event = replace(event, drawn=random.choice((True, False)))
        lines.append(replace(line, event=event))
        if isinstance(event, Discard) and chance > 0.97:
            offence = random.choice(("exposed_tile", "dead_hand", "false_win"))
            lines.append(Entry(Foul(random.randint(0, 3), offence)))
    if random.random() < 0.3:
        lines.append(Entry(random.choice((GameEnd(), DrawnHand("exhausted"), HandStart()))))
    return lines


STYLES: Final[dict[str, Callable[[str, Random], list[Entry]]]] = {
    "middle": _middle,
    "corrected": _corrected,
    "joined": _joined,
    "too early": _too_early,
    "revealed": _revealed,
    "two games": _two_games,
    "irregular": _irregular,
}
