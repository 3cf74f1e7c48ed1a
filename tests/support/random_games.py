"""Plays regular games at random, from a shuffled wall, through the engine's own list of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from engine.events import (
    Chow,
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    Flower,
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
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.rules.harbin.treasure import HARBIN_TREASURE, SECRET
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile


def played(rules: str, seed: int, hands: int = 1, options: dict[str, object] | None = None) -> Game:
    """A game in which every tile is known and every event regular."""
    if hands == 1 and not options:
        return replay(_one_hand(rules, seed))
    return _played(rules, seed, hands, options or {})


@lru_cache(maxsize=512)
def _one_hand(rules: str, seed: int) -> tuple[Entry, ...]:
    """Playing asks the engine for every move: ten times the work of a replay."""
    return tuple(_played(rules, seed, 1, {}).entries)


def _played(rules: str, seed: int, hands: int, options: dict[str, object]) -> Game:
    random = Random(seed)
    game = Game()
    game.submit(Entry(GameStart(rules, options)))
    for _ in range(hands):
        if HandStart() in game.legal():  # else the points of somebody ended the game
            _play_hand(game, rules, random)
    game.submit(Entry(GameEnd()))
    return game


def _play_hand(game: Game, rules: str, random: Random) -> None:
    copies = RULE_SETS[rules].wall.under(game.state.options)
    wall = [tile for tile, count in copies.items() for _ in range(count)]
    random.shuffle(wall)
    skill = random.choice((0.0, 0.5, 1.0))
    turned = game.state.options.get("permanent_fortune") is False
    first = turned and not game.state.hand_number
    game.submit(Entry(HandStart(staying=random.randint(1, 3) if first else None)))
    size = RULE_SETS[rules].wall.hand_size
    for seat in range(4):
        count = size + (seat == game.state.dealer)
        game.submit(Entry(Deal(seat, tuple(wall[:count]))))
        del wall[:count]
    if game.state.options.get("exchange"):
        _exchange(game)
    wall.append(wall.pop(0))  # the dora, which is the last tile of the wall from then on
    told = random.random() < 0.3
    if turned:
        game.submit(Entry(Indicator(wall[-1], "fortune")))
    riichi = rules.startswith("riichi")
    told = told or riichi or not RULE_SETS[rules].layout.kinds
    while game.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
        if riichi:
            _turn_up(game, wall)
        if not told and any(player.ready for player in game.state.players):
            told = rules != "harbin-treasure"
            _look(game, wall, random)
        event = chosen(game, random, skill)
        if isinstance(event, Draw):
            event = replace(event, tile=wall.pop(0))
        if isinstance(event, Flower) and wall:
            event = replace(event, drawn=wall.pop())
        game.submit(Entry(event))
    if riichi and game.state.winners and game.state.options["ura_dora"]:
        game.submit(Entry(Indicator(wall[-10], "ura_dora")))
    game.submit(Entry(HandEnd()))


def _exchange(game: Game) -> None:
    """Everybody gives three tiles of the longest suit to the right, and is dealt once more."""
    hands = [player.hand for player in game.state.players]
    given = []
    for hand in hands:
        suit = max("mps", key=[tile.suit for tile in hand].count)
        given.append([tile for tile in hand if tile.suit == suit][:3])
    for seat, hand in enumerate(hands):
        kept = list(hand)
        for tile in given[seat]:
            kept.remove(tile)
        game.submit(Entry(Deal(seat, (*kept, *given[seat - 1]))))


def _turn_up(game: Game, wall: Sequence[Tile]) -> None:
    """The indicators of riichi that are due; the tiles stay in the dead wall."""
    for due in game.legal():
        if isinstance(due, Indicator):
            game.submit(replace(due, tile=wall[-1 - len(game.state.indicators)]))


def _look(game: Game, wall: list[Tile], random: Random) -> None:
    """A ready player looks at the dora, or turns the treasure unless one holds already."""
    if game.rules is not HARBIN_TREASURE:
        game.submit(Entry(Indicator(wall[-1], "dora")))
    elif (
        SECRET.turned(game.state) is None
        and game.state.wall_left > HARBIN_TREASURE.wall.never_drawn
    ):
        column = random.randint(1, min(6, len(wall) // 2))
        game.submit(Entry(Dice((column,))))
        game.submit(Entry(Indicator(wall.pop(-2 * column), "treasure")))


def chosen(game: Game, random: Random, skill: float) -> Event:
    """Wins and calls of ready first, then sets, then a discard that keeps many neighbours.

    With a wild tile to throw away, a win may be let go for it.
    """
    moves = game.legal()
    wild = game.state.wild
    floats = [move for move in moves if isinstance(move, Discard) and move.tile in wild]
    wins = [move for move in moves if isinstance(move, Win)]
    ready = [move for move in moves if getattr(move, "ready", False)]
    claims = [move for move in moves if isinstance(move, Chow | Pung | Kong)]
    flowers = [move for move in moves if isinstance(move, Flower)]
    if flowers:
        return flowers[0]
    if wins and floats and random.random() < 0.7:
        return floats[0]
    if wins:
        return wins[0]
    if ready and random.random() < 0.9:
        return random.choice(ready)
    if claims and random.random() < 0.6:
        return random.choice(claims)
    discards = [move for move in moves if isinstance(move, Discard) and not move.ready]
    if discards:
        if random.random() > skill:
            return random.choice(discards)
        hand = game.state.players[game.state.turn].hand
        return min(
            discards,
            key=lambda move: (move.tile in wild, _neighbours(move.tile, hand), random.random()),
        )
    return next(move for move in moves if isinstance(move, Draw | DrawnHand))


def _neighbours(tile: Tile, hand: Sequence[Tile]) -> int:
    near = (abs(other.rank - tile.rank) for other in hand if other.suit == tile.suit)
    return sum({0: 4, 1: 2, 2: 1}.get(distance, 0) for distance in near)


def hidden(entries: Sequence[Entry], seats: Sequence[int], *, draws: bool) -> list[Entry]:
    """The same game as a camera sees it that cannot look into these hands.

    ``draws``: the draws of these seats were seen; else they are left out.
    """
    seen = []
    for entry in entries:
        event = entry.event
        if isinstance(event, Deal) and event.seat in seats:
            event = replace(event, tiles=(UNKNOWN,) * len(event.tiles))
        elif isinstance(event, Draw) and event.seat in seats:
            if not draws:
                continue
            event = replace(event, tile=UNKNOWN)
        elif isinstance(event, Flower) and event.seat in seats:
            event = replace(event, drawn=UNKNOWN)
        seen.append(replace(entry, event=event))
    return seen


def shown(game: Game) -> list[Entry]:
    """The game's lines, every win with the hand that won, and every hand shown after a draw."""
    lines = []
    replayed = Game()
    for entry in game.entries:
        event = entry.event
        if isinstance(event, Win):
            player = replayed.state.players[event.seat]
            hand = player.hand if event.seat != event.from_seat else player.resting
            event = replace(event, hand=hand)
        lines.append(replace(entry, event=event))
        replayed.submit(entry)
        if isinstance(event, DrawnHand):
            hands = [player.hand for player in replayed.state.players]
            lines += [Entry(Reveal(seat, hand)) for seat, hand in enumerate(hands)]
    return lines
