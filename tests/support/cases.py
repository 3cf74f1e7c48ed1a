"""Reads the case files of rule sets: rows of tables become records that the engine replays."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from engine.announce import NotReady, Payout, Problem, Ready
from engine.codec import entry_from_json
from engine.events import (
    Chow,
    Claim,
    Discard,
    Draw,
    Entry,
    Event,
    GameStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.texts.announcements import with_text
from engine.tiles import UNKNOWN, Tile, parse
from tests.support.golden import VALUES_ONLY
from tests.support.paths import CASES

WALL = 40


@dataclass(frozen=True)
class Case:
    """One row: a record in which something shows, or nearly does."""

    rules: str
    kind: str
    row: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.rules} {self.kind}: {self.row['point']}"

    @property
    def options(self) -> dict[str, object]:
        given = self.row.get("options", {}).items()
        return {name: tuple(one) if isinstance(one, list) else one for name, one in given}

    @property
    def _points(self) -> tuple[int, ...] | None:
        return tuple(self.row["points"]) if "points" in self.row else None

    def record(self, options: Mapping[str, object]) -> list[Entry]:
        row, size = self.row, RULE_SETS[self.rules].wall.hand_size
        start = entry_from_json({"type": "hand_start", **row.get("start", {})}).event
        before: list[Event] = [GameStart(self.rules, options, None, self._points), start]
        match self.kind:
            case "ready":
                # A discard of another seat, so that the hand is told as one that waits.
                table = position(
                    {"0": row["hand"]},
                    {"0": row.get("sets", ())},
                    turn=1,
                    fortune=row.get("fortune"),
                    hand_size=size,
                )
                return [Entry(event) for event in (*before, table)]
            case "win":
                return [Entry(event) for event in (*before, *_win_events(row, size))]
            case _:
                lines = [entry_from_json(spelled(line)) for line in row["events"]]
                if "position" not in row:
                    return [*(Entry(event) for event in before), *lines]
                given = dict(row["position"])
                table = position(
                    given.get("hands", {}),
                    given.get("sets", {}),
                    turn=given.get("turn"),
                    wall=given.get("wall"),
                    ready=given.get("ready", ()),
                    fortune=row.get("fortune"),
                    rivers=given.get("rivers"),
                    flowers=given.get("flowers"),
                    hand_size=size,
                )
                return [*(Entry(event) for event in (*before, table)), *lines]

    def play(self, options: Mapping[str, object] | None = None) -> Game:
        return replay(self.record(self.options if options is None else options))


PRESETS = dict.fromkeys(("riichi-2016", "riichi-tenhou", *VALUES_ONLY), "riichi")
"""Rule sets that differ from another one in values only, and are shown by rows of its table."""


ALSO: Final[Mapping[str, str]] = {"sichuan-xueliu": "sichuan"}
"""Rule sets by which the rows of another table are played too, but for those marked ``alone``."""


def cases(rules: str) -> list[Case]:
    """The rows that are played by these rules; a row may name a preset as its ``rules``."""
    table = PRESETS.get(rules, rules)
    own = [(kind, row) for kind, row in _rows(table) if row.get("rules", table) == rules]
    also = [one for one in _rows(ALSO[rules]) if not one[1].get("alone")] if rules in ALSO else []
    return [Case(rules, kind, row) for kind, row in (*own, *also)]


def _rows(table: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    return ((kind, row) for kind, rows in _tables(table).items() for row in rows)


@cache
def _tables(name: str) -> dict[str, Any]:
    """A file of cases, read once: eight rule sets share that of riichi."""
    tables: dict[str, Any] = tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))
    return tables


def spelled(value: Any) -> Any:
    """JSON of a record in which lists of tiles may be written as people type them."""
    if isinstance(value, list):
        return [spelled(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        key: [str(tile) for tile in parse(part)]
        if key in ("own", "hand", "tiles") and isinstance(part, str)
        else spelled(part)
        for key, part in value.items()
    }


def claim(seat: int, text: str) -> Claim:
    """A declared set as the tables write it; brackets: a closed kong.

    It is claimed from the left, or from the seat that is named: ``555p@2``.
    """
    text, _, feeder = text.partition("@")
    tiles = parse(text.strip("()"))
    left = int(feeder) if feeder else (seat - 1) % 4
    if text.startswith("("):
        return Kong(seat, "closed", tiles[0], own=tiles)
    if len(tiles) == 4:
        return Kong(seat, "open", tiles[0], left, tiles[1:])
    if tiles[0] == tiles[1]:
        return Pung(seat, left, tiles[0], (tiles[1], tiles[2]))
    return Chow(seat, left, tiles[0], (tiles[1], tiles[2]))


def position(
    hands: Mapping[str, str],
    sets: Mapping[str, Sequence[str]],
    *,
    turn: int | None,
    wall: int | None = WALL,
    ready: Sequence[int] = (),
    fortune: str | None = None,
    rivers: Sequence[str] | None = None,
    flowers: Sequence[str] | None = None,
    hand_size: int = 13,
) -> Position:
    declared = tuple(
        tuple(claim(seat, text) for text in sets.get(str(seat), ())) for seat in range(4)
    )
    held = tuple(
        parse(hands[str(seat)])
        if str(seat) in hands
        else (UNKNOWN,) * (hand_size - 3 * len(declared[seat]))
        for seat in range(4)
    )
    indicators = (Indicator(Tile(fortune), "fortune"),) if fortune else None
    thrown = tuple(
        tuple(Discard(seat, tile) for tile in parse(text)) for seat, text in enumerate(rivers or ())
    )
    laid = None if flowers is None else tuple(map(parse, flowers))
    return Position(
        *(held, declared, thrown or None, wall, turn, tuple(ready), indicators), flowers=laid
    )


def _win_events(row: Mapping[str, Any], hand_size: int) -> list[Event]:
    feeder = row["from"]
    tile = Tile(row["tile"])
    sets = {"0": row.get("sets", ()), **row.get("others", {})}
    events: list[Event] = [
        position(
            {"0": row["hand"]},
            sets,
            turn=feeder,
            wall=row.get("wall", WALL),
            ready=row.get("ready", ()),
            fortune=row.get("fortune"),
            rivers=row.get("rivers"),
            flowers=row.get("flowers"),
            hand_size=hand_size,
        )
    ]
    if "dora" in row:
        events.append(Indicator(Tile(row["dora"]), "dora"))
    if "treasure" in row:
        events.append(Indicator(Tile(row["treasure"]), "treasure"))
        if feeder == 0:  # or the win would be one by looking, without a draw
            events.append(Draw(0, tile))
    if row.get("robbed"):
        events.append(Kong(feeder, "added", tile))
    elif feeder != 0:
        events.append(Discard(feeder, tile))
    return [*events, Win(0, feeder, tile)]


def outcome(game: Game) -> list[dict[str, object]]:
    return [with_text(said) for said in game.announcements()]


def seen(case: Case, game: Game) -> set[str]:
    """What came about: codes, rows of the payment table, options that made a difference."""
    found: set[str] = set()
    for said in game.announcements():
        match said:
            case Problem(code):
                found.add(f"code:{code}")
            case NotReady(missing=missing):
                found.update(f"code:{code}" for code in missing)
            case Ready(waits=waits):
                found.update(f"code:{wait.refused}" for wait in waits if wait.refused)
            case Payout(items=items):
                found.update(f"payment:{item.name}" for item in items)
            case _:
                pass
    if case.kind == "ready":
        judged = game.rules.waits(game.state, 0) if game.rules else None
        found.update(f"code:{wait.refused}" for wait in judged or () if wait.refused)
        found.update(f"code:{code}" for code in case.row.get("missing", ()))
    for name in case.options:
        without = {key: value for key, value in case.options.items() if key != name}
        if outcome(case.play(without)) != outcome(game):
            found.add(f"option:{name}")
    return found
