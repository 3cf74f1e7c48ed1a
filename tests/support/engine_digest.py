"""Everything that the engine says about many games, as digests: what a change of the engine alters.

``python -m tests.support.engine_digest [OUT [PART OF]]`` plays every row of the tables of cases,
every whole game, random games and some public logs of the shared data, and prints one digest for
each. Random games are played with each preset's own options and with options at random, and told
as they were, with hidden hands, with shown ones, with faults, and with corrections. Two outputs
differ in the games about which the engine says something else. With ``OUT`` the full text of every
game is written there, so that a digest that differs can be looked into. ``0 2`` takes every second
game, ``1 2`` the others, for two processors.

Of each event a digest takes the announcements with their sentences, everything that is legal then,
what each seat waits for, what a call of ready lacks, what a hand at random would wait for, and what
``attempt`` makes of some legal and some odd events, in the game as it is and as everybody sees it;
of every eighth event the hint, the answers and the prospects too.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from engine.announce import Announcement
from engine.announce_codec import announcement_to_json
from engine.answers import can_claim, why_not
from engine.codec import entry_to_json
from engine.events import Correct, Discard, Draw, Entry, Event, Kong, Win
from engine.game import Game
from engine.logs.mjlog import read_mjlog
from engine.odds.prospects import prospects
from engine.play import ordered
from engine.rules import RULE_SETS
from engine.rules.waits import waits_of
from engine.rules.wall import Wall
from engine.state import State
from engine.texts.announcements import sentence
from engine.tile_counts import copies_named
from engine.tiles import UNKNOWN, Tile
from tests.support.cases import cases
from tests.support.golden import WITH_GAME, golden
from tests.support.log_corpus import SHARED, logs
from tests.support.random_games import hidden, played, shown

SEEDS = 2
"""Random games of each rule set."""
AGREED = 3
"""Random games of each rule set with other options than its own."""
CORRECTIONS = 3
"""Lines of a random game that are taken back and put back."""
OTHERWISE = 0.4
"""How often such a game has another value of an option."""
EVERY_LOG = 30
"""One public log in so many is played."""
TRIES = 4
"""Events that are tried after each event of a game."""
HINTS = 8
"""After one event in so many each seat asks for a hint."""


def sources() -> Iterator[tuple[str, Sequence[Entry]]]:
    """Name and lines of every game."""
    for rules in RULE_SETS:
        for place, case in enumerate(cases(rules)):
            yield f"case {rules} {place}", case.record(case.options)
    for rules in WITH_GAME:
        yield f"game {rules}", golden(rules)
    for rules in RULE_SETS:
        for seed in range(SEEDS + AGREED):
            game = played(rules, seed, options=_agreed(rules, seed) if seed >= SEEDS else None)
            yield f"random {rules} {seed}", game.entries
            yield f"hidden {rules} {seed}", hidden(game.entries, (1, 2, 3), draws=seed % 2 == 0)
            yield f"shown {rules} {seed}", shown(game)
            yield f"broken {rules} {seed}", _broken(game.entries, Random(seed))
            yield f"corrected {rules} {seed}", _corrected(game.entries, Random(seed))
    for place, (name, text) in enumerate(logs() if SHARED else ()):
        if place % EVERY_LOG == 0:
            yield f"log {name}", read_mjlog(text).entries


def _agreed(rules: str, seed: int) -> dict[str, object]:
    """Options at random, some of them as the rule set has them."""
    random = Random(f"{rules} {seed}")
    agreed: dict[str, object] = {}
    for option in RULE_SETS[rules].options:
        if not option.values or random.random() > OTHERWISE:
            continue
        many = isinstance(option.default, tuple)
        some = tuple(value for value in option.values if random.random() < 0.5)
        agreed[option.name] = some if many else random.choice(option.values)
    return agreed


def _broken(entries: Iterable[Entry], random: Random) -> list[Entry]:
    """The same lines with some left out, told twice, or with another tile or seat."""
    lines: list[Entry] = []
    for entry in entries:
        event = entry.event
        chance = random.random()
        if chance < 0.03 and isinstance(event, Draw | Discard):
            continue
        if chance < 0.06 and isinstance(event, Draw | Discard):
            event = replace(event, tile=random.choice((UNKNOWN, Tile("1m"), Tile("5p"))))
        elif chance < 0.08 and isinstance(event, Discard | Win):
            event = replace(event, seat=(event.seat + 1) % 4)
        lines.append(replace(entry, event=event))
        if chance > 0.99:
            lines.append(entry)
    return lines


def _corrected(entries: Sequence[Entry], random: Random) -> list[Entry]:
    """The same lines, of which some are then taken back, and put back in another order."""
    numbers = random.sample(range(2, len(entries)), CORRECTIONS)
    gone = [Entry(Correct(number, ())) for number in numbers]
    back = [Entry(Correct(number, (entries[number],))) for number in sorted(numbers)]
    return [*entries, *gone, *back]


def told(entries: Sequence[Entry], seed: int = 0) -> Iterator[str]:
    """What the engine says of a game, line by line."""
    random = Random(seed)
    game = Game()
    for entry in entries:
        yield _events((entry.event,))
        yield from _announced(game.submit(entry))
        yield from _of_state(game, random)
    open_game = Game()
    for entry in game.as_seen(0).entries:
        yield from _announced(open_game.submit(entry))
        yield from _of_state(open_game, random)


def _of_state(game: Game, random: Random) -> Iterator[str]:
    state, rules = game.state, game.rules
    yield f"{state.phase} {state.turn} {state.points} {state.pot} {state.paid} {state.wall_left}"
    legal = game.legal()
    yield "legal " + _events(legal)
    if rules is None or not state.hand_number:
        return
    named = {str(tile): count for tile, count in sorted(copies_named(state).items()) if count}
    yield f"named {named}"
    for seat in range(4):
        if state.players[seat].known:
            yield f"waits {seat} {rules.waits(state, seat)} {rules.judge.missing(state, seat)}"
        hand = any_hand(rules.wall, len(state.players[seat].melds), random)
        yield f"any {seat} {hand} {waits_of(rules, state, seat, hand)}"
    tried = random.sample(legal, min(TRIES, len(legal)))
    if len(game.entries) % HINTS == 0:
        for seat in range(4):
            hint = rules.hint(state, seat)
            yield f"hint {seat} {hint}"
            yield f"prospects {prospects(rules, state, hint)}"
            yield f"answers {can_claim(rules, state, seat)} {why_not(rules, state, seat)}"
    for event in (*tried, *_odd(state, random)):
        step = rules.attempt(state, Entry(event), len(game.entries))
        yield f"try {_events((event,))} {step is not None}"
        if step is not None:
            yield from _announced(step.announcements)
            yield f"{step.state.phase} {step.state.turn} {step.state.points}"


def any_hand(wall: Wall, sets: int, random: Random) -> tuple[Tile, ...]:
    """A waiting hand of two suits, of which one in some is ready."""
    suits = random.sample("mps", 2)
    tiles = [tile.kind for tile in wall.copies if tile.suit in suits]
    size = max(wall.waiting(sets), 1)
    near = sorted(tiles, key=lambda tile: (tile.rank + random.randrange(9)) % 9)[: size // 3 + 2]
    return ordered(random.sample(near * 3, size))


def _odd(state: State, random: Random) -> Iterator[Event]:
    """Events that may be against the rules, or impossible."""
    seat, tile = random.randrange(4), random.choice((Tile("1m"), Tile("5p"), Tile("7z"), UNKNOWN))
    hand = state.players[state.turn].hand
    if hand:
        yield Discard(state.turn, random.choice(hand), ready=random.random() < 0.5)
    yield Discard(seat, tile)
    yield Draw(seat, tile)
    last = state.last_discard
    if last is not None:
        yield Win(seat, last.seat, last.tile)
        yield Kong(seat, "open", last.tile, last.seat)
    else:
        yield Win(state.turn, state.turn, tile)
        yield Kong(state.turn, "closed", tile)


def _announced(announcements: Iterable[Announcement]) -> Iterator[str]:
    for one in announcements:
        yield json.dumps(announcement_to_json(one), sort_keys=True, ensure_ascii=False)
        yield from (sentence(one, lang) for lang in ("en", "zh", "ja"))


def _events(events: Iterable[Event]) -> str:
    return json.dumps([entry_to_json(Entry(event)) for event in events], ensure_ascii=False)


def main(out: Path | None, part: int = 0, of: int = 1) -> None:
    for place, (name, entries) in enumerate(sources()):
        if place % of != part:
            continue
        text = "\n".join(told(entries))
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        print(digest, name, flush=True)
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            (out / name.replace(" ", "_")).write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None, *map(int, sys.argv[2:4]))
