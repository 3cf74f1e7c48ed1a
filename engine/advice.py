"""One sentence about a discard: why another one was better, or what was good about it.

It names one idea only, the one that counts most. All of it comes from what the seat could know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

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

    None where there is nothing to say. ``by_tiles_alone``: by the measure of hints, whoever may win
    on the discard.
    """
    hint = rules.hint(state, seat)
    mine = _row_of(hint, tile)
    if mine is None:
        return None
    if hint.win is not None:
        return Advice("win", tile)
    best = hint.discards[0]
    if best.distance is None:
        return None
    choice = _Choice(state, hint, tile, mine, best)
    others = (player for at, player in enumerate(state.players) if at != seat)
    if not by_tiles_alone and any(player.ready for player in others):
        return choice.by_points(prospects(rules, state, hint))
    return choice.by_tiles()


def last_discard(game: Game, seat: Seat) -> tuple[State, Tile] | None:
    """The seat's last discard in this hand and the state before it, until its next turn.

    ``game`` is what the seat knows. None where the seat had no choice, or its tiles are not known.
    """
    if game.state.phase not in IN_PLAY:
        return None
    for at in range(len(game.played) - 1, 0, -1):
        event, before = game.played[at].event.entry.event, game.played[at - 1].state
        if getattr(event, "seat", None) != seat:
            continue
        player = before.players[seat]
        same_hand = before.hand_number == game.state.hand_number
        chose = player.known and not player.ready and len({tile.kind for tile in player.hand}) > 1
        if isinstance(event, Discard) and same_hand and chose:
            return before, event.tile
        return None
    return None


def _row_of(hint: Hint, tile: Tile) -> HintDiscard | None:
    """What the hint says of a discard; of a red five also what it says of a plain one."""
    alike = [row for row in hint.discards if alike_named(str(row.tile), str(tile))]
    return next((row for row in alike if row.tile == tile), next(iter(alike), None))


@dataclass(frozen=True)
class _Choice:
    """A discard, beside the one that was best."""

    state: State
    hint: Hint
    tile: Tile
    mine: HintDiscard
    best: HintDiscard

    def by_tiles(self) -> Advice:
        """What the discard leaves in the hand."""
        return self._farther() or self._fewer() or self._good()

    def by_points(self, rows: Sequence[Prospect]) -> Advice | None:
        """What it leaves, and that somebody who is ready may win on it; ``rows`` by points."""
        mine = next((row for row in rows if row.tile == self.mine.tile), None)
        if mine is None:
            return self.by_tiles()
        best = rows[0]
        if mine.change >= best.change:
            by_tiles = next(row for row in rows if row.tile == self.best.tile)
            risks = _risks(mine, by_tiles)
            if by_tiles.risk > mine.risk and risks["risk"] != risks["best_risk"]:
                return Advice("safe", self.tile, figures=risks)
            return self._good() if self._none_leaves_more() else None
        of_hand = _goes_on(best) - _goes_on(mine)
        of_risk = best.change - mine.change - of_hand
        risks = _risks(mine, best)
        if of_risk > max(of_hand, 0.0) and risks["risk"] != risks["best_risk"]:
            return Advice("danger", self.tile, best.tile, figures=risks)
        better = _row_of(self.hint, best.tile)
        if better is None or better.distance is None:
            return None
        other = replace(self, best=better)
        return other._farther() or other._fewer()

    def _none_leaves_more(self) -> bool:
        mine, best = self.mine, self.best
        return mine.distance == best.distance and mine.left >= best.left

    def _said(self, code: str, **more: Any) -> Advice:
        return Advice(code, self.tile, _plain_if_equal(self.hint, self.best), **more)

    def _farther(self) -> Advice | None:
        """Another discard leaves the hand nearer to ready."""
        mine, best = self.mine, self.best
        if mine.distance is None:
            return self._said("never")
        steps = mine.distance - (best.distance or 0)
        if steps <= 0:
            return None
        far = {row.tile.kind: row.distance for row in self.hint.discards}
        for group in _sets_with(self.tile, self._held()):
            # A set of the hand is one that no tile can leave without a step back.
            if all((far.get(tile) or 0) > (best.distance or 0) for tile in group):
                return self._said("set", group=group)
        part = self._part({tile.kind for tile in best.useful})
        return part or self._said("steps", figures={"steps": steps})

    def _fewer(self) -> Advice | None:
        """Another discard waits for more tiles, or more of them bring the hand nearer."""
        mine, best = self.mine, self.best
        if mine.distance != best.distance or mine.left >= best.left:
            return None
        counts = {"left": mine.left, "best_left": best.left}
        if best.distance == 0:
            return self._said("waits", figures=counts)
        lost = {tile.kind for tile in best.useful} - {tile.kind for tile in mine.useful}
        return self._part(lost) or self._said("fewer", figures=counts)

    def _part(self, useful: set[Tile]) -> Advice | None:
        """The discard breaks two tiles that could have become a set; ``useful``: with what."""
        held = self._held()
        rest = held - Counter([self.best.tile.kind])
        for group, completes in _parts_with(self.tile, rest):
            # What is held already completes no more: seven pairs ask for it all the same.
            run = group[0] != group[1]
            wanted = tuple(one for one in completes if one in useful and not (run and held[one]))
            if wanted and not self.state.wild & set(wanted):
                return self._said("run" if run else "pung", group=group, tiles=wanted)
        return None

    def _held(self) -> Counter[Tile]:
        """The tiles that are not wild: these stand in no set of their own."""
        hand = self.state.players[self.hint.seat].hand
        return Counter(tile.kind for tile in hand if tile.kind not in self.state.wild)

    def _good(self) -> Advice:
        mine, kind = self.mine, self.tile.kind
        if mine.distance == 0:
            return Advice("ready", self.tile, figures={"left": mine.left})
        held = self._held()
        goes_with = (
            other
            for other in held
            if other != kind
            and other.suit == kind.suit in "mps"
            and abs(other.rank - kind.rank) <= NEAR
        )
        if held[kind] == 1 and not any(goes_with):
            return Advice("lone", self.tile)
        return Advice("most", self.tile, figures={"left": mine.left})


def _plain_if_equal(hint: Hint, best: HintDiscard) -> Tile:
    """The plain five in place of a red one, where both are held and leave the same."""
    plain = next((row for row in hint.discards if row.tile == best.tile.kind), best)
    same = (plain.distance, plain.left) == (best.distance, best.left)
    return plain.tile if same else best.tile


def _risks(mine: Prospect, best: Prospect) -> dict[str, int]:
    """How likely somebody wins on the two discards, in per cent."""
    return {"risk": round(100 * mine.risk), "best_risk": round(100 * best.risk)}


def _goes_on(row: Prospect) -> float:
    """The expected change of the points if nobody wins on the discard."""
    return row.win * row.points + (1 - row.win) * row.rest


def _sets_with(tile: Tile, held: Mapping[Tile, int]) -> Iterator[tuple[Tile, ...]]:
    """The complete sets of the hand that hold a tile."""
    if held.get(tile.kind, 0) >= 3:
        yield (tile.kind,) * 3
    for run in _runs_with(tile.kind):
        if all(held.get(other) for other in run):
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
