"""What is said of a discard is one idea, and true of the hand and of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from engine.advice import Advice, advice, last_discard
from engine.announce import HintDiscard
from engine.codec import read_record
from engine.drill import decisions
from engine.events import Discard, Draw, GameStart, HandStart, Position, Seat
from engine.game import Game, replay
from engine.odds.prospects import prospects
from engine.rules import RULE_SETS
from engine.state import State
from engine.stories import tell_game
from engine.texts.announcements import Speaker
from engine.texts.files import LANGUAGES
from engine.tiles import UNKNOWN, Tile, parse
from engine.visibility import events_seen
from tests.support.paths import GAMES

EVERY = 4
"""Each seat's decisions are taken so far apart: two hints take some 20 ms."""
GAMES_OF = ("harbin-hlr", "hangzhou", "wsom", "riichi-2016", "hong-kong", "sichuan", "taiwan")


def holding(hand: str, rules: str = "riichi-2016") -> State:
    """Seat 0 holds these tiles and is to discard."""
    game = Game()
    hidden = tuple(UNKNOWN for _ in range(13))
    hands = (tuple(parse(hand)), hidden, hidden, hidden)
    for event in (GameStart(rules), HandStart(), Position(hands=hands, turn=0, wall_left=60)):
        game.submit(event)
    return game.state


def said(hand: str, tile: str, rules: str = "riichi-2016") -> Advice:
    state = holding(hand, rules)
    found = advice(RULE_SETS[rules], state, 0, Tile(tile))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("hand", "tile", "code", "best", "group", "tiles"),
    [
        ("123456m456p22s78s1z", "1z", "ready", None, "", ""),
        ("123456m456p22s78s1z", "4p", "set", "1z", "456p", ""),
        ("123456m456p22s79s1z", "2s", "steps", "1z", "", ""),
        ("123456m45p22s458s1z", "4s", "run", "1z", "45s", "3s6s"),
        ("123m4579p13699s12z", "1z", "lone", None, "", ""),
        ("123456m45p22s459s1s", "9s", "lone", None, "", ""),
    ],
)
def test_one_idea(
    hand: str, tile: str, code: str, best: str | None, group: str, tiles: str
) -> None:
    found = said(hand, tile)
    assert (found.code, found.best) == (code, None if best is None else Tile(best))
    assert found.group == tuple(parse(group))
    assert found.tiles == tuple(parse(tiles))


def test_red_and_plain_fives_are_told_apart() -> None:
    found = said("123456m450p22s45s1z", "5p", "riichi-tenhou")
    assert found.played == Tile("5p")
    assert Tile("0p") not in found.group
    found = said("123456m5067p22s45s", "4s", "riichi-tenhou")
    assert found.best == Tile("5p"), "the red one is worth more, and leaves the same"


def test_seven_pairs_ask_for_no_run_with_a_tile_that_is_held() -> None:
    found = said("1m4455m6m1133p7799s", "4m")
    assert Tile("6m") not in found.tiles


def test_a_wild_tile_is_in_no_finished_set() -> None:
    for state, _, tile, one, _ in told("hangzhou"):
        if tile.kind in state.wild:
            assert one.code not in ("set", "run", "pung")
        assert not state.wild & {*one.group, *one.tiles}


def test_nothing_is_called_better_that_is_worse_by_points_while_somebody_is_ready() -> None:
    seen = Counter[str]()
    for state, seat, _, one, _ in every():
        others = (player for at, player in enumerate(state.players) if at != seat)
        if one.code == "win" or not any(player.ready for player in others):
            continue
        rules = RULE_SETS[state.rules]
        rows = {row.tile: row.change for row in prospects(rules, state, rules.hint(state, seat))}
        if one.best is not None and rows:
            assert rows[one.best] >= rows[one.played], one
        seen[one.code] += 1
    assert {"safe", "danger"} <= set(seen)


def test_the_wider_wait_is_better() -> None:
    found = said("123456m456p22s457s", "4s")
    assert found.code == "waits"
    assert found.figures is not None
    assert found.figures["best_left"] > found.figures["left"]


@cache
def told(rules: str) -> tuple[tuple[State, Seat, Tile, Advice, dict[Tile, HintDiscard]], ...]:
    """Each discard of a golden game with what is said of it and what the hint says."""
    games = tell_game(replay(read_record((GAMES / f"{rules}.jsonl").read_text("utf-8"))))
    found = []
    for seat in range(4):
        for decision in decisions(games, seat)[seat::EVERY]:
            if not isinstance(decision.played, Discard):
                continue
            state, tile = decision.before, decision.played.tile
            known = RULE_SETS[state.rules]
            one = advice(known, state, seat, tile)
            if one is not None:
                rows = {row.tile: row for row in known.hint(state, seat).discards}
                found.append((state, seat, tile, one, rows))
    return tuple(found)


def every() -> Iterator[tuple[State, Seat, Tile, Advice, dict[Tile, HintDiscard]]]:
    for rules in GAMES_OF:
        yield from told(rules)


@pytest.mark.parametrize("rules", GAMES_OF)
def test_it_is_true_of_the_hand(rules: str) -> None:
    for state, seat, tile, one, rows in told(rules):
        hand = Counter(held.kind for held in state.players[seat].hand)
        first = next(iter(rows.values())) if one.best is None else rows[one.best]
        mine = rows[tile]
        assert one.played == tile
        assert one.best != tile
        assert not Counter(one.group) - hand, "the hand holds what belongs together"
        figures = dict(one.figures or {})
        match one.code:
            case "set":
                assert tile.kind in one.group
                assert all(
                    (rows[held].distance or 0) > (first.distance or 0)
                    for held in rows
                    if held.kind in one.group
                )
            case "steps":
                assert figures["steps"] == (mine.distance or 0) - (first.distance or 0) > 0
            case "run":
                for third in one.tiles:
                    ranks = sorted(part.rank for part in (*one.group, third))
                    assert ranks == list(range(ranks[0], ranks[0] + 3))
                    assert third in {useful.kind for useful in first.useful}
                    assert first.distance != mine.distance or third not in {
                        useful.kind for useful in mine.useful
                    }
            case "pung":
                assert one.group == (tile.kind, tile.kind)
            case "waits" | "fewer":
                assert (figures["left"], figures["best_left"]) == (mine.left, first.left)
                assert mine.left < first.left
                assert (one.code == "waits") is (first.distance == 0)
            case "ready" | "most":
                assert one.best is None
                assert (mine.distance, mine.left) == (first.distance, first.left)
                assert figures["left"] == mine.left
            case "lone":
                assert one.best is None
                assert hand[tile.kind] == 1
            case "danger":
                assert figures["risk"] > figures["best_risk"]
            case "safe":
                assert figures["risk"] < figures["best_risk"]
            case "never":
                assert mine.distance is None
                assert first.distance is not None


def test_games_show_every_idea_but_rare_ones() -> None:
    codes = {one.code for _, _, _, one, _ in every()}
    assert {
        "set",
        "steps",
        "run",
        "fewer",
        "ready",
        "lone",
        "most",
        "danger",
    } <= codes


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_sentence_is_filled_in(lang: str) -> None:
    for state, _, _, one, _ in every():
        sentence = Speaker(lang, rules=state.rules).advice(one)
        assert sentence
        assert not set(sentence) & set("{}")


def test_the_last_discard_is_told_until_the_next_own_turn() -> None:
    entries = read_record((GAMES / "riichi-2016.jsonl").read_text("utf-8"))
    first = next(at for at, entry in enumerate(entries) if isinstance(entry.event, Discard))
    seat = replay(entries[:first]).state.turn
    heard = []
    for end in range(first + 1, len(entries)):
        drawn = entries[end - 1].event
        if isinstance(drawn, Draw) and drawn.seat == seat:
            assert last_discard(replay(entries[:end]), seat) is None
            break
        last = last_discard(replay(entries[:end]), seat)
        assert last is not None
        heard.append(last[1])
    assert len(heard) > 2
    assert len(set(heard)) == 1


def test_a_hand_that_the_seat_does_not_know_is_not_judged() -> None:
    entries = read_record((GAMES / "riichi-2016.jsonl").read_text("utf-8"))
    first = next(at for at, entry in enumerate(entries) if isinstance(entry.event, Discard))
    seat = replay(entries[:first]).state.turn
    game = replay(entries[: first + 1])
    for looks in range(4):
        seen = replay([event.entry for event in events_seen(game, looks)])
        assert (last_discard(seen, seat) is not None) is (looks == seat)
