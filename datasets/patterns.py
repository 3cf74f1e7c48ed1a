"""Count how often the patterns of each game come, with an example hand of each.

    python datasets/patterns.py --hands 104 --seed 100 --out service/games/patterns.jsonl
    python datasets/patterns.py --logs ARCHIVE.tar.gz --games 30 --out service/games/patterns.jsonl

Games are simulated. With an archive of public logs only the game that they are of is counted anew,
and its example hands stay those that the file has of simulated games: no hand of a person is kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.announce import NOTE, Item, Payout
from engine.events import Entry, HandStart, Seat, Win
from engine.game import replay
from engine.logs.formats import READERS, form_of, unpacked
from engine.played import PlayedEvent
from engine.rules import GAMES
from engine.tiles import Tile
from studio.play.players import play_game

SKILLS = (1.0, 0.8)
"""How well the simulated tables play a hand, as for the curves of the chances."""
HANDS = 8
"""Most hands of a simulated game."""
FEW = 3
"""A game with fewer patterns has none to speak of."""
OF_NO_HAND = frozenset({"paid_before"})
"""Rows that settle what was paid already."""
MOST = 30
"""Patterns of a game that are kept."""
NO_PATTERN = frozenset((NOTE, "base", "fu", "seat", "tenpai"))
"""Units of rows that say something else than what a hand is worth."""


@dataclass(frozen=True)
class Won:
    """One winner of a hand: what the hand counts, and its tiles where they are known."""

    items: tuple[Item, ...]
    example: dict[str, Any] | None


@dataclass
class Counted:
    """The hands of one game."""

    hands: int = 0
    won: int = 0
    found: list[list[Won]] = field(default_factory=list)

    def take(self, entries: Sequence[Entry]) -> None:
        """Count the hands of one record."""
        winners: dict[Seat, Won] = {}
        before: PlayedEvent | None = None
        for played in replay(entries).played:
            event = played.event.entry.event
            if isinstance(event, HandStart):
                self._close(winners)
                self.hands += 1
            paid = [one for one in played.announcements if isinstance(one, Payout)]
            for one in paid:
                if one.seat is None:
                    continue
                if isinstance(event, Win) and before is not None:
                    winners[one.seat] = Won(one.items, example_of(before, event))
                elif one.seat in winners:  # what is turned up afterwards counts, too
                    winners[one.seat] = Won(one.items, winners[one.seat].example)
            before = played
        self._close(winners)

    def _close(self, winners: dict[Seat, Won]) -> None:
        if winners:
            self.won += 1
            self.found.append(list(winners.values()))
            winners.clear()

    def told(
        self, source: str, data: str, examples: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """What the file says of the game: the patterns, the most frequent first.

        ``examples`` by pattern, in place of those of these hands.
        """
        unit, least = self._unit(), 0
        kinds = {name for one in self.found for won in one for name in patterns_of(won.items, unit)}
        if len(kinds) < FEW:
            least = -1  # a game without patterns says with its first row how a hand was won
        counts: Counter[str] = Counter()
        purest: dict[str, tuple[int, dict[str, Any]]] = {}
        for winners in self.found:
            names = [patterns_of(won.items, unit, least) for won in winners]
            counts.update({name for each in names for name in each})
            for won, each in zip(winners, names, strict=True):
                for name in each if won.example is not None else ():
                    kept = purest.get(name)
                    if won.example is not None and (kept is None or len(each) < kept[0]):
                        purest[name] = len(each), won.example
        if examples is None:
            examples = {name: example for name, (_, example) in purest.items()}
        rows = [
            {"name": name, "hands": count, "example": examples.get(name)}
            for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        ]
        about = {"source": source, "data": data, "hands": self.hands, "won": self.won}
        return {**about, "patterns": rows[:MOST]}

    def _unit(self) -> str | None:
        """The unit in which the game counts its patterns; None for a game that has none."""
        items = (item for winners in self.found for won in winners for item in won.items[1:])
        units = Counter(item.unit for item in items if item.unit not in NO_PATTERN)
        return units.most_common(1)[0][0] if units else None


def patterns_of(items: Sequence[Item], unit: str | None, least: int = 0) -> list[str]:
    """The names of what a hand counts, after the place ``least``. The first item is who pays."""
    named = (item for item in items[least + 1 :] if item.name not in OF_NO_HAND)
    return [item.name for item in named if item.unit == unit and item.value]


def example_of(before: PlayedEvent, win: Win) -> dict[str, Any] | None:
    """The hand that won; None where a tile of it is not known."""
    player = before.state.players[win.seat]
    held = list(player.hand)
    drawn = win.seat == win.from_seat
    if drawn and win.tile in held:
        held.remove(win.tile)
    if not win.tile.known or not all(tile.known for tile in held):
        return None
    return {
        "held": codes(held),
        "melds": [codes(meld.tiles) for meld in player.melds],
        "tile": str(win.tile),
        "drawn": drawn,
    }


def codes(tiles: Iterable[Tile]) -> str:
    return " ".join(map(str, tiles))


def simulated(rules: str, hands: int, seed: int) -> Iterator[list[Entry]]:
    """Games of the simulator's players with so many hands in all.

    All walls are well shuffled: where equal tiles lie side by side, pairs come far too often.
    """
    number = 0
    while hands > 0:
        start, played, end = play_game(
            rules, 1000 * seed + number, min(hands, HANDS), skills=SKILLS, badly_washed=0.0
        )
        hands -= len(played)
        number += 1
        events = (start, *(event for hand in played for event in hand.events), end)
        yield [Entry(event) for event in events]


def logged(archive: Path, most: int) -> Iterator[list[Entry]]:
    """The first games of an archive of public logs."""
    with tarfile.open(archive) as packed:
        names = sorted(name for name in packed.getnames() if name.endswith((".xml", ".mjson")))
        for name in names[:most]:
            member = packed.extractfile(name)
            assert member is not None, "the names are of files"
            text = unpacked(member.read())
            yield READERS[form_of(text)](text).entries


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=104, help="simulated hands of each game")
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--rules", help="one game alone; by default all")
    parser.add_argument("--logs", type=Path, help="an archive of public logs")
    parser.add_argument("--games", type=int, default=30, help="most logs")
    parser.add_argument(
        "--out", required=True, type=Path, help="the file, a line for each game (.jsonl)"
    )
    given = parser.parse_args(arguments)
    told = games_of(given.out.read_text("utf-8")) if given.out.exists() else {}
    for rules, counted, source, data in counted_games(given):
        drawn = {row["name"]: row["example"] for row in told.get(rules, {}).get("patterns", ())}
        told[rules] = counted.told(source, data, drawn if source == "logs" else None)
        print(f"{rules}: {counted.hands} hands, {counted.won} won", flush=True)
        lines = ({"rules": name, **game} for name, game in told.items())
        given.out.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return 0


def games_of(written: str) -> dict[str, dict[str, Any]]:
    """What a file says of each game, by its rules."""
    lines = map(json.loads, written.splitlines())
    return {line.pop("rules"): line for line in lines}


def counted_games(given: argparse.Namespace) -> Iterator[tuple[str, Counted, str, str]]:
    if given.logs is not None:
        counted, count, rules = Counted(), 0, ""
        for entries in logged(given.logs, given.games):
            counted.take(entries)
            count += 1
            rules = next(iter(replay(entries[:1]).played)).state.rules
        game = next(each.id for each in GAMES if rules.startswith(each.id))
        yield game, counted, "logs", f"{given.logs.name}, the first {count} games"
        return
    for each in GAMES:
        if given.rules not in (None, each.id):
            continue
        counted = Counted()
        for entries in simulated(each.id, given.hands, given.seed):
            counted.take(entries)
        yield each.id, counted, "simulated", f"{given.hands} hands, seed {given.seed}"


if __name__ == "__main__":
    sys.exit(main())
