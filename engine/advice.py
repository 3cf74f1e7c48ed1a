"""One sentence about a discard: why another one was better, or what was good about it.

It names one idea only, the one that counts most. All of it comes from what the seat could know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from engine.announce import Hint, HintDiscard
from engine.drill import alike_named
from engine.events import Discard, Seat
from engine.game import Game
from engine.odds.prospects import Prospect, prospects
from engine.play import IN_PLAY
from engine.rules.base import RuleSet
from engine.state import State
from engine.tiles import Tile

NEAR: Final = 2
"""Tiles of a suit whose ranks differ by so much can stand in one run."""


@dataclass(frozen=True)
class Advice:
    """What a teacher says of a discard."""

    code: str
    """Which idea it is; ``advice.CODE`` is its sentence."""
    played: Tile
    best: Tile | None = None
    """The discard that was better; None where none was."""
    group: tuple[Tile, ...] = ()
    """Tiles of the hand that belong together."""
    tiles: tuple[Tile, ...] = ()
    """Tiles that would complete them."""
    figures: Mapping[str, int] | None = None
    """Counts of the sentence, by the name of its gap: tiles, steps, per cent."""


def advice(
    rules: RuleSet, state: State, seat: Seat, tile: Tile, by_tiles_alone: bool = False
) -> Advice | None:
    """What to say of discarding ``tile``; ``state`` is what the seat knew before.

    None where hints say nothing of it. ``by_tiles_alone``: by the measure of hints, whoever may
    win on the discard.
    """
    hint = rules.hint(state, seat)
    mine = next((row for row in hint.discards if alike_named(str(row.tile), str(tile))), None)
    if mine is None:
        return None
    if hint.win is not None:
        return Advice("win", tile)
    best, hand = hint.discards[0], state.players[seat].hand
    if best.distance is None:
        return None
    return (
        (None if by_tiles_alone else _danger(rules, state, hint, tile))
        or _farther(state, hint, mine, best, hand)
        or _fewer(state, mine, best, hand)
        or _good(mine, hand)
    )


def last_advice(game: Game, seat: Seat) -> Advice | None:
    """What to say of the seat's last discard in this hand; None once it is the seat's turn again.

    ``game`` is what the seat knows.
    """
    if game.rules is None or game.state.phase not in IN_PLAY:
        return None
    for at in range(len(game.played) - 1, 0, -1):
        event, before = game.played[at].event.entry.event, game.played[at - 1].state
        if getattr(event, "seat", None) != seat:
            continue
        if not isinstance(event, Discard) or before.hand_number != game.state.hand_number:
            return None
        return advice(game.rules, before, seat, event.tile) if _chose(before, seat) else None
    return None


def _chose(before: State, seat: Seat) -> bool:
    """Whether the seat had a choice, and its tiles are known."""
    player = before.players[seat]
    return player.known and not player.ready and len({tile.kind for tile in player.hand}) > 1


# --- another discard was better ---


def _danger(rules: RuleSet, state: State, hint: Hint, tile: Tile) -> Advice | None:
    """Another discard was safer, and that counts more than what it leaves in the hand."""
    others = (player for at, player in enumerate(state.players) if at != hint.seat)
    if not any(player.ready for player in others):
        return None
    rows = prospects(rules, state, hint)
    mine = next((row for row in rows if row.tile == tile), None)
    if mine is None or mine.risk <= rows[0].risk:
        return None
    best = rows[0]
    of_hand = _goes_on(best) - _goes_on(mine)
    if best.change - mine.change - of_hand <= max(of_hand, 0.0):
        return None
    risks = {"risk": round(100 * mine.risk), "best_risk": round(100 * best.risk)}
    if risks["risk"] == risks["best_risk"]:
        return None
    return Advice("danger", tile, best.tile, figures=risks)


def _goes_on(row: Prospect) -> float:
    """The expected change of the points if nobody wins on the discard."""
    return row.win * row.points + (1 - row.win) * row.rest


def _farther(
    state: State, hint: Hint, mine: HintDiscard, best: HintDiscard, hand: Sequence[Tile]
) -> Advice | None:
    """Another discard leaves the hand nearer to ready."""
    if mine.distance is None:
        return Advice("never", mine.tile, best.tile)
    steps = mine.distance - (best.distance or 0)
    if steps <= 0:
        return None
    far = {row.tile.kind: row.distance for row in hint.discards}
    for group in _sets_with(mine.tile, hand):
        # A set of the hand is one that no tile can leave without a step back.
        if all((far.get(tile) or 0) > (best.distance or 0) for tile in group):
            return Advice("set", mine.tile, best.tile, group)
    part = _part(state, mine, best, hand, {tile.kind for tile in best.useful})
    return part or Advice("steps", mine.tile, best.tile, figures={"steps": steps})


def _fewer(
    state: State, mine: HintDiscard, best: HintDiscard, hand: Sequence[Tile]
) -> Advice | None:
    """Another discard waits for more tiles, or more of them bring the hand nearer."""
    if mine.left >= best.left:
        return None
    counts = {"left": mine.left, "best_left": best.left}
    if best.distance == 0:
        return Advice("waits", mine.tile, best.tile, figures=counts)
    lost = {tile.kind for tile in best.useful} - {tile.kind for tile in mine.useful}
    part = _part(state, mine, best, hand, lost)
    return part or Advice("fewer", mine.tile, best.tile, figures=counts)


def _part(
    state: State, mine: HintDiscard, best: HintDiscard, hand: Sequence[Tile], useful: set[Tile]
) -> Advice | None:
    """The discard breaks two tiles that could have become a set; ``useful``: with what."""
    rest = Counter(tile.kind for tile in hand) - Counter([best.tile.kind])
    for group, completes in _parts_with(mine.tile, rest):
        wanted = tuple(tile for tile in completes if tile in useful)
        if wanted and not state.wild & {*group, *wanted}:
            code = "run" if group[0] != group[1] else "pung"
            return Advice(code, mine.tile, best.tile, group, wanted)
    return None


def _sets_with(tile: Tile, hand: Sequence[Tile]) -> Iterator[tuple[Tile, ...]]:
    """The complete sets of the hand that hold a tile."""
    held = Counter(other.kind for other in hand)
    if held[tile.kind] >= 3:
        yield (tile.kind,) * 3
    for run in _runs_with(tile.kind):
        if all(held[other] for other in run):
            yield run


def _parts_with(
    tile: Tile, held: Mapping[Tile, int]
) -> Iterator[tuple[tuple[Tile, Tile], tuple[Tile, ...]]]:
    """Two tiles of the hand that lack one for a set, and the tiles that complete it; the one with
    most ways first."""
    kind = tile.kind
    found: dict[tuple[Tile, Tile], list[Tile]] = {}
    for run in _runs_with(kind):
        for pair in combinations(run, 2):
            if kind in pair and all(held.get(other) for other in pair):
                (missing,) = (other for other in run if other not in pair)
                found.setdefault(pair, []).append(missing)
    if held.get(kind, 0) >= 2:
        found[kind, kind] = [kind]
    yield from sorted(
        ((pair, tuple(sorted(missing))) for pair, missing in found.items()),
        key=lambda part: -len(part[1]),
    )


def _runs_with(kind: Tile) -> Iterator[tuple[Tile, ...]]:
    if kind.suit not in "mps":
        return
    for first in range(max(1, kind.rank - NEAR), min(7, kind.rank) + 1):
        yield tuple(Tile(f"{rank}{kind.suit}") for rank in range(first, first + 3))


# --- nothing was better ---


def _good(mine: HintDiscard, hand: Sequence[Tile]) -> Advice:
    if mine.distance == 0:
        return Advice("ready", mine.tile, figures={"left": mine.left})
    kind = mine.tile.kind
    held = Counter(other.kind for other in hand)
    if held[kind] == 1 and not any(
        other != kind and other.suit == kind.suit and abs(other.rank - kind.rank) <= NEAR
        for other in held
        if kind.suit in "mps"
    ):
        return Advice("lone" if kind.suit in "mps" else "lone_honour", mine.tile)
    return Advice("most", mine.tile, figures={"left": mine.left})
