"""Scripted games: what is played, and how, is written down.

A script is a TOML file in ``cases``. Its keys are those of ``GameScript`` and, in ``hands``, of
``HandScript``. ``deal`` names the tiles of each seat that matter; all others are dealt at random.
``play`` holds events as the record writes them, each with the fields of ``Manner`` and
``retract_s`` (see ``Retracted``) besides, and gestures (``do``, ``seat``, ``for_s``). Draws may be
left out unless their tiles matter; what is done before an event is done before its draw, too.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from engine import events as ev
from engine.codec import entry_from_json
from engine.rules.base import RuleSet
from engine.tiles import UNKNOWN, Tile, parse
from studio.play.manner import Gesture, Manner, Retracted
from studio.play.played_hand import ShortWall, WallOrder, deal_order, indicator_places

FOLDER: Final = Path(__file__).with_name("cases")

MANNERS: Final = ("after_s", "pace", "stays_s", "irregular", "turned", "late_s")
"""Fields of ``Manner`` that a line of a play may have."""

ScriptStep = tuple[ev.Event, Manner]


@dataclass(frozen=True)
class HandScript:
    deal: tuple[tuple[Tile, ...], ...]
    """For each seat the tiles that it must be dealt."""
    play: tuple[ScriptStep, ...]
    after: tuple[Gesture, ...] = ()
    """What is done after the last event of the play."""
    dealer: ev.Seat | None = None
    """Who deals, in the first hand."""
    indicator: Tile | None = None
    """The tile that is turned up after the deal, or set aside."""
    empty_s: float = 0.0
    """How long the table is empty before the walls of the first hand rise; needs a console."""
    short_wall: ShortWall | None = None
    """A mistake in the walls of the first hand."""


@dataclass(frozen=True)
class GameScript:
    name: str
    rules: str
    seed: int
    """Determines the table, the camera and all tiles that are not named."""
    hands: tuple[HandScript, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    players: tuple[str, ...] | None = None
    """Four names, if the record has any."""
    from_s: float = 0.0
    """Second at which the film begins."""
    console_dice: tuple[int, ...] = ()
    """Values of dice that lie on the console all the time."""


def names() -> list[str]:
    """Return the names of all scripts."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def read_script(name: str) -> GameScript:
    """Read a script; raise ``ValueError`` that names what is wrong."""
    if name not in names():
        raise ValueError(f"expected a case of {', '.join(names())}, got {name!r}")
    given = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    try:
        hands = tuple(_hand(hand) for hand in given.pop("hands"))
        dice = tuple(given.pop("console_dice", ()))
        players = tuple(given.pop("players", ())) or None
        return GameScript(name, hands=hands, console_dice=dice, players=players, **given)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{name}.toml: {error}") from error


def _hand(given: dict[str, Any]) -> HandScript:
    play, after = _steps(given["play"])
    deal = tuple(parse(text) for text in given["deal"])
    indicator = Tile(given["indicator"]) if "indicator" in given else None
    short = ShortWall(**given["short_wall"]) if "short_wall" in given else None
    dealer, empty_s = given.get("dealer"), given.get("empty_s", 0.0)
    return HandScript(deal, play, after, dealer, indicator, empty_s, short)


def _steps(lines: list[dict[str, Any]]) -> tuple[tuple[ScriptStep, ...], tuple[Gesture, ...]]:
    steps: list[ScriptStep] = []
    first: list[Gesture | Retracted] = []
    for line in lines:
        if "do" in line:
            first.append(Gesture(**line))
            continue
        told = {key: line.pop(key) for key in MANNERS if key in line}
        retract_s = line.pop("retract_s", None)
        event = entry_from_json(line).event
        if retract_s is not None:
            first.append(Retracted(event, retract_s))
        else:
            steps.append((event, Manner(tuple(first), **told)))
            first = []
    return tuple(steps), tuple(one for one in first if isinstance(one, Gesture))


def with_draws(play: tuple[ScriptStep, ...], dealer: ev.Seat) -> Iterator[ScriptStep]:
    """Yield the play with every draw that the script leaves out."""
    holder: ev.Seat | None = dealer
    end: Literal["wall", "tail"] = "wall"
    for event, manner in play:
        acting = _acting(event)
        if acting is not None and acting != holder:
            yield ev.Draw(acting, UNKNOWN, end), Manner(manner.first)
            manner = replace(manner, first=())
        match event:
            case ev.Draw(seat=seat):
                yield replace(event, end=end), manner
                holder = seat
            case ev.Chow(seat=seat) | ev.Pung(seat=seat):
                yield event, manner
                holder = seat
            case _:
                yield event, manner
                holder = None
        end = "tail" if isinstance(event, ev.Kong) else "wall"


def _acting(event: ev.Event) -> ev.Seat | None:
    """Return the seat that needs a drawn or claimed tile for this event."""
    match event:
        case ev.Discard(seat=seat) | ev.Kong(seat=seat, kind="closed" | "added"):
            return seat
        case ev.Win(seat=seat, from_seat=from_seat) if seat == from_seat:
            return seat
        case _:
            return None


def wall_for(
    script: HandScript,
    play: tuple[ScriptStep, ...],
    rules: RuleSet,
    dealer: ev.Seat,
    rng: random.Random,
) -> list[Tile]:
    """Return a wall from which the hand is dealt and drawn as the script says."""
    layout = rules.layout
    size = sum(rules.wall.values())
    turned_up = indicator_places(size, 0)
    order = WallOrder(size, layout.tail_top_first, turned_up if layout.indicator_stack_out else ())
    named: dict[int, Tile] = {}
    dealt: list[list[int]] = [[], [], [], []]
    for seat, count in deal_order(dealer, rules.wall.hand_size):
        dealt[seat] += [order.head() for _ in range(count)]
    for seat, (places, tiles) in enumerate(zip(dealt, script.deal, strict=True)):
        if len(tiles) > len(places):
            raise ValueError(f"seat {seat} is dealt {len(places)} tiles, {len(tiles)} are named")
        named |= zip(rng.sample(places, len(tiles)), tiles, strict=True)
    aside = order.head() if layout.indicator_at == "aside" else turned_up[0]
    if script.indicator is not None:
        named[aside] = script.indicator
    for event, _ in play:
        if isinstance(event, ev.Draw):
            place = order.tail() if event.end == "tail" else order.head()
            if event.tile != UNKNOWN:
                named[place] = event.tile
    left = Counter(dict(rules.wall))
    left.subtract(named.values())
    if min(left.values()) < 0:
        raise ValueError(f"the script names too many of {min(left, key=lambda tile: left[tile])}")
    rest = sorted(left.elements())
    rng.shuffle(rest)
    return [named[place] if place in named else rest.pop() for place in range(size)]
