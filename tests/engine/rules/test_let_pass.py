"""What a seat let pass is refused as long as the rules say, and the waits that are told agree."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from engine.announce import Payout, Problem, Ready, Wait
from engine.events import (
    Discard,
    Draw,
    Entry,
    Event,
    GameStart,
    HandStart,
    Kong,
    Pung,
    Win,
)
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.state import Phase
from engine.texts.catalogue import texts_for
from engine.texts.files import LANGUAGES
from engine.tile_counts import tiles_seen
from engine.tiles import Tile
from tests.support.cases import position
from tests.support.properties import seeds, some

PASS_CODES = frozenset({"missed_win", "passed_win", "win_let_pass", "furiten"})
OPTIONS: dict[str, dict[str, object]] = {
    "hong-kong": {"minimum_faan": 0, "missed_win_locks": True},
    "sichuan": {"passed_win_locks": True},
    "taiwan": {},
    "riichi": {"red_fives": 0},
}
HANDS = {
    "hong-kong": "111m 44s 222p 34s 88s 6s",
    "sichuan": "111s 222p 345p 66s 34s 9p",
    "taiwan": "111m 44s 456m 222p 34s 88s 9p",
    "riichi": "234m 234p 456m 34s 88s 9p",
}


def table(rules: str, hand: str, *events: Event, sets: tuple[str, ...] = ()) -> Game:
    """Seat 0 holds these tiles and is to discard."""
    size = RULE_SETS[rules].wall.hand_size
    flowers = ("", "", "", "") if rules == "taiwan" else None
    at = position(
        {"0": hand}, {"0": sets}, turn=0, wall=60, rivers=("",) * 4, flowers=flowers, hand_size=size
    )
    start: list[Event] = [GameStart(rules, OPTIONS[rules]), HandStart(), at]
    return replay(map(Entry, (*start, *events)))


def preview_refused(game: Game, *events: Event) -> bool:
    """Whether the win that ends these events is refused for a tile that was let pass."""
    told = game.preview(tuple(map(Entry, events))).announcements
    return any(isinstance(each, Problem) and each.code in PASS_CODES for each in told)


def comes_next(game: Game, tile: Tile) -> tuple[Event, Event]:
    """The tile, drawn or discarded by the next in turn, and the win of seat 0."""
    turn = game.state.turn
    if turn == 0:
        return Draw(0, tile), Win(0, 0, tile)
    return Discard(turn, tile), Win(0, turn, tile)


@pytest.mark.parametrize("rules", OPTIONS)
@some
@given(seeds)
def test_a_wait_is_told_as_it_will_be_judged(rules: str, seed: int) -> None:
    random, game = Random(seed), table(rules, HANDS[rules])
    tiles = [Tile(code) for code in ("2s", "5s", "4s", "6s", "8s", "1p", "3p", "9m")]
    for _ in range(16):
        event = next_event(game, random, tiles)
        told = game.submit(event)
        judge = game.rules
        assert judge is not None
        waits = judge.waits(game.state, 0) or ()
        for ready in told:
            if isinstance(ready, Ready) and ready.seat == 0 and not ready.unknown:
                assert ready.waits == waits, event
        if game.state.phase is Phase.TO_DRAW:
            own = game.state.last_discard is not None and game.state.last_discard.seat == 0
            for wait in waits:
                refused = is_refused(wait, drawn=game.state.turn == 0)
                other = wait.refused is not None and wait.refused not in PASS_CODES
                if wait.left and not other and (refused or own):
                    won = preview_refused(game, *comes_next(game, wait.tile))
                    assert won == refused, (list(game.entries), wait)
        elif game.state.turn == 0:
            for row in game.hint(0).discards:
                after = game.preview((Entry(Discard(0, row.tile)),)).state
                then = judge.waits(after, 0) or ()
                assert set(row.waits) <= set(then), (list(game.entries), row)
                assert any(map(wins, then)) == bool(row.waits), (list(game.entries), row)


def is_refused(wait: Wait, *, drawn: bool) -> bool:
    by_claim = PASS_CODES.intersection((wait.refused or "", wait.by_draw_only or ""))
    return bool(by_claim) and not (drawn and wait.by_draw_only)


def wins(wait: Wait) -> bool:
    return wait.refused is None or wait.by_draw_only is not None


def next_event(game: Game, random: Random, tiles: list[Tile]) -> Event:
    """Others discard; seat 0 claims pungs, lays kongs, and stays ready if it can."""
    state = game.state
    if state.phase is Phase.TO_DISCARD and state.turn == 0:
        kongs = [move for move in game.legal(0) if isinstance(move, Kong)]
        if kongs and random.random() < 0.5:
            return kongs[0]
        rows = game.hint(0).discards
        ready = [row.tile for row in rows if row.distance == 0]
        return Discard(0, random.choice(ready or [row.tile for row in rows]))
    claims = [move for move in game.legal(0) if isinstance(move, Pung)]
    if claims and random.random() < 0.5:
        return claims[0]
    left = [tile for tile in tiles if tiles_seen(state, 0).count(tile) < 4]
    tile = random.choice(left)
    return Draw(0, tile) if state.turn == 0 else Discard(state.turn, tile)


# --- after an own kong (WINDS, 4.1) ---


@pytest.mark.parametrize(
    ("hand", "sets", "drawn", "kind", "refused"),
    [
        ("1111m 56m 222p 567p 34s 99s", (), "7m", "closed", False),  # 5s did not win then
        ("1111m 23m 567m 222p 34s 99s", (), "4m", "closed", True),
        ("1m 56m 222p 34s 99s 111z", ("111m",), "7m", "added", False),
        ("123m 567m 222p 34s 99s", ("111m",), "4m", "added", True),
        ("1111m 23m 567m 222p 34s 99s", (), "?", "closed", False),  # nobody knows the hand then
    ],
)
def test_a_kong_between_is_heeded(
    hand: str, sets: tuple[str, ...], drawn: str, kind: str, refused: bool
) -> None:
    """Only a tile that would have won when another seat gave it was let pass."""
    kong = Kong(0, "closed" if kind == "closed" else "added", Tile("1m"))
    game = table(
        "taiwan",
        f"{hand} 1z",
        Discard(0, Tile("1z")),
        Discard(1, Tile("5s")),
        Discard(2, Tile("9p")),
        Discard(3, Tile("9p")),
        Draw(0, Tile(drawn)),
        kong,
        Draw(0, Tile("5s")),
        sets=sets,
    )
    told = game.submit(Win(0, 0, Tile("5s")))
    codes = [each.code for each in told if isinstance(each, Problem)]
    assert codes == (["win_let_pass"] if refused else [])
    assert refused or any(isinstance(each, Payout) for each in told)


# --- what is said ---


@pytest.mark.parametrize("rules", RULE_SETS)
def test_each_refusal_of_a_wait_has_its_text(rules: str) -> None:
    """What a rule set of the program refuses is said in words; its codes stand for packages."""
    for lang in LANGUAGES:
        texts = texts_for(rules, lang)
        assert [code for code in refusals(rules) if f"missing.{code}" not in texts] == []


def refusals(rules: str) -> set[str]:
    """The codes by which the modules of a rule set refuse a tile that may come at any time."""
    folder = Path(str(files(RULE_SETS[rules].texts)))
    source = "".join(module.read_text("utf-8") for module in sorted(folder.glob("*.py")))
    return set(re.findall(r"\brefused\(\s*\"(\w+)\"", source)) - OF_WINS_ALONE


OF_WINS_ALONE = {"false_ready", "no_rush", "fortune_in_set", "not_a_win"}
"""Refused once the win is declared, or of tiles that complete no hand."""
