"""What a player may be told of the own hand: distances, rankings, reasons, what claims cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random

import pytest

from engine import declare, play
from engine.announce import Hint, HintClaim, HintDiscard, Outlook, Reason, Wait
from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Win,
)
from engine.game import Game, replay
from engine.possible_sets import runs_with
from engine.rules import RULE_SETS
from engine.rules.hints import must_open
from engine.state import State
from engine.texts.announcements import Speaker, sentence
from engine.texts.files import LANGUAGES
from engine.tiles import Tile, parse
from tests.support.cases import position
from tests.support.properties import every_rule_set
from tests.support.random_games import played


def first_turn(
    rules: str, hand: str, *more: Event, options: Mapping[str, object] | None = None
) -> Hint:
    """What the dealer is told with these fourteen tiles."""
    start: list[Event] = [GameStart(rules, options or {}), HandStart(), Deal(0, parse(hand))]
    return replay(map(Entry, (*start, *more))).hint(0)


def at_table(
    rules: str,
    hand: str,
    sets: Sequence[str] = (),
    *events: Event,
    options: Mapping[str, object] | None = None,
) -> Game:
    """A table in mid-hand where seat 0 holds these tiles; its turn if there is one to discard."""
    turn = 0 if len(parse(hand)) % 3 == 2 else 3
    table = position({"0": hand}, {"0": sets}, turn=turn, wall=60)
    start: list[Event] = [GameStart(rules, options or {}), HandStart(), table]
    return replay(map(Entry, (*start, *events)))


def row(hint: Hint, tile: str) -> HintDiscard:
    return next(row for row in hint.discards if row.tile == tile)


def codes(reasons: Sequence[Reason]) -> set[str]:
    return {reason.code for reason in reasons}


@pytest.mark.parametrize(
    ("rules", "hand", "sets", "tile", "distance", "reasons"),
    [
        # 000, 5.3 and 5.4: whatever its shape, such a hand is not one tile away.
        ("harbin-hlr", "123m 456p 789s 11s 23p 7z", (), "7z", 1, {"needs_claim", "no_pung"}),
        ("harbin-hlr", "234m 555s 22p 34s 9m", ("678p",), "9m", 1, {"no_terminal_or_dragon"}),
        ("harbin-hlr", "234m 555s 22p 34s 9m", ("789p",), "9m", 0, set()),
        ("harbin-hlr", "111m 555s 22p 33s 9m", ("888p",), "9m", 1, {"no_chow"}),
        ("harbin-hlr", "111m 555s 22p 34s 9m", ("888p",), "9m", 0, set()),
        ("harbin-hlr", "123m 567s 22p 34s 9m", ("678p",), "9m", 1, {"no_pung"}),
        ("harbin-hlr", "6m 7m 88m 7p", ("111m", "345m", "999m"), "7p", 1, {"one_suit"}),
        ("harbin-hlr", "6m 7m 88p 7p", ("111m", "345m", "999m"), "7p", 0, set()),
        ("harbin-hlr", "22m 67p 1s", ("(1111m)", "(3333p)", "(5555s)"), "1s", None, {"never"}),
        # 003: any shape, seven pairs, thirteen terminals.
        ("wsom", "19m 19p 129s 1234567z", (), "2s", 0, set()),
        ("wsom", "1133m 4466p 7799s 5s 3z", (), "3z", 0, set()),
        # 004, 4: an open hand needs a yaku, a closed one has riichi.
        ("riichi-2016", "123m 456p 78s 11s 5z", ("789p",), "5z", 2, {"no_yaku", "aims_at"}),
        ("riichi-2016", "234m 456p 67s 88s 5z", ("678p",), "5z", 0, set()),
        ("riichi", "234m 456p 67s 88s 5z", ("678p",), "5z", 2, {"no_yaku", "aims_at"}),
        ("riichi-2016", "123m 456p 78s 11s 5z", ("666z",), "5z", 0, set()),
        ("riichi-2016", "123m 456p 789p 78s 11s 5z", (), "5z", 0, set()),
    ],
)
def test_a_discard_leaves_a_hand_so_far_from_ready(
    rules: str, hand: str, sets: Sequence[str], tile: str, distance: int | None, reasons: set[str]
) -> None:
    found = row(at_table(rules, hand, sets).hint(0), tile)
    assert found.distance == distance, found
    assert reasons <= codes(found.reasons), found
    assert (found.distance == 0) is any(
        wait.refused is None or wait.by_draw_only for wait in found.waits
    )


def test_a_wait_that_pays_nothing_says_why() -> None:
    furiten = row(first_turn("riichi", "123m 456p 789s 11s 234p"), "4p")
    assert furiten.distance == 0
    assert codes(furiten.reasons) == {"furiten"}
    others = position({"0": "123m 456p 789s 234s 1z 9m"}, {"1": ["111z"]}, turn=0, wall=60)
    start: list[Event] = [GameStart("wsom"), HandStart(), others]
    gone = row(replay(map(Entry, start)).hint(0), "9m")
    assert gone.distance == 0
    assert gone.left == 0
    assert codes(gone.reasons) == {"none_left"}


@pytest.mark.parametrize(
    ("rules", "hand", "sets", "tile", "distance", "nearer", "reasons"),
    [
        # 000, 5.3: a claim opens the hand, which drawing alone never does.
        ("harbin-hlr", "45m 123m 789p 888s 19s", (), "3m", 0, 1, {"opens_hand"}),
        ("harbin-hlr", "45m 888s 19s", ("789p", "111p"), "3m", 0, 1, {"last_set"}),
        # 003: the hand is concealed no more; 004: no riichi, and perhaps no yaku.
        ("wsom", "45m 123m 789p 888s 19s", (), "3m", 0, 1, {"loses_concealed"}),
        ("riichi-2016", "45m 123m 789p 88s 129s", (), "6m", 2, -1, {"no_riichi", "no_yaku"}),
        ("riichi-2016", "45m 123m 888s 19s", ("555z",), "3m", 0, 1, set()),
    ],
)
def test_a_claim_tells_what_it_brings_and_what_it_costs(
    rules: str,
    hand: str,
    sets: Sequence[str],
    tile: str,
    distance: int,
    nearer: int,
    reasons: set[str],
) -> None:
    game = at_table(rules, hand, sets, Discard(3, Tile(tile)))
    hint = game.hint(0)
    claim = best(hint)
    assert claim.distance == distance, claim
    assert reasons <= codes(claim.reasons), claim
    changes = {reason.code: reason.value for reason in claim.reasons}
    expected = {1: ("nearer", 1), 0: ("no_nearer", None), -1: ("farther", 1)}[nearer]
    assert changes.get(expected[0], "nothing") == expected[1], claim


def best(hint: Hint) -> HintClaim:
    return hint.claims[0]


def test_a_claim_that_the_rules_forbid_says_so() -> None:
    game = at_table("harbin-hlr", "33m 8s 9s", ("789p", "111s", "444p"), Discard(3, Tile("3m")))
    (claim,) = game.hint(0).claims
    assert isinstance(claim.claim, Pung)
    assert claim.forbidden
    assert codes(claim.reasons) == {"fourth_set"}


@pytest.mark.parametrize(
    ("rules", "hand", "sets", "kong", "distance", "reasons"),
    [
        # A closed kong opens nothing, and gives up what four tiles in sets could have been.
        ("harbin-hlr", "1111m 345p 66s 34s 8p 1p 9s", (), "1m", 2, {"no_nearer", "needs_claim"}),
        ("harbin-hlr", "1111m 345p 66s 34s", ("678p",), "1m", 0, {"no_nearer"}),
        ("harbin-hlr", "2m 345p 66s 34s", ("222m", "678p"), "2m", 1, {"no_terminal_or_dragon"}),
        ("wsom", "1111m 345p 66s 34s 8p 1p 9s", (), "1m", 2, {"no_nearer"}),
        ("riichi", "5550m 345p 66s 34s 234p", (), "5m", 0, {"no_nearer"}),
        ("hangzhou", "1111m 345p 66s 34s 8p 1p 9s", (), "1m", 2, {"no_pairs"}),
    ],
)
def test_a_kong_of_the_own_turn_tells_what_it_brings(
    rules: str, hand: str, sets: Sequence[str], kong: str, distance: int, reasons: set[str]
) -> None:
    table = at_table(rules, hand, sets)
    if rules == "hangzhou":
        table.submit(Entry(Indicator(Tile("9m"), "fortune")))
    hint = table.hint(0)
    (told,) = hint.claims
    assert isinstance(told.claim, Kong)
    assert (told.claim.tile.kind, told.forbidden, told.discard) == (kong, False, None)
    assert told.distance == distance, told
    assert reasons <= codes(told.reasons), told
    assert not {"opens_hand", "no_riichi", "loses_concealed"} & codes(told.reasons)
    for lang in LANGUAGES:
        assert len(Speaker(lang).rows(hint)) == len(hint.discards) + 1


def test_a_kong_of_the_own_turn_that_the_rules_forbid_says_so() -> None:
    # 000, 2.2: a fourth set; 004, 3.3.12: the hand in riichi would wait for other tiles.
    fourth = at_table("harbin-hlr", "1111m 5p", ("678p", "345s", "999s")).hint(0).claims
    assert [(one.forbidden, codes(one.reasons)) for one in fourth] == [(True, {"fourth_set"})]
    table = position({"0": "2223m 456p 789s 111z"}, {}, turn=3, wall=60, ready=(0,))
    events: list[Event] = [GameStart("riichi"), HandStart(), table]
    events += [Discard(3, Tile("9m")), Draw(0, Tile("2m"))]
    changes = replay(map(Entry, events)).hint(0)
    assert [(one.forbidden, codes(one.reasons)) for one in changes.claims] == [
        (True, {"false_kong"})
    ]


def test_to_discard_a_fortune_is_to_be_farther_away() -> None:
    hint = first_turn("hangzhou", "123m 45p 79s 555s 22z 5z 1m", Indicator(Tile("5s"), "fortune"))
    assert hint.discards[0].distance == 0
    assert row(hint, "5s").distance == 1


def test_nothing_is_said_of_a_hidden_hand_or_unknown_fortune() -> None:
    assert first_turn("hangzhou", "123m 45p 79s 555s 22z 5z 1m") == Hint(0, (), 0, of=2)
    assert first_turn("wsom", "123m 45p 79s 555s 22z 5z ?") == Hint(0, (), 0, of=2)
    assert Game().hint(2) == Hint(2, (), 2)


@every_rule_set
def test_hints_are_legal_ranked_and_private_and_name_every_win(rules: str) -> None:
    given, random, live = 0, Random(1), Game()
    for entry in played(rules, 7).entries:
        live.submit(entry)
        state, legal = live.state, live.legal()
        for seat in range(4):
            hint = live.hint(seat)
            assert hint.seat == hint.audience == seat
            for lang in LANGUAGES:
                assert "{" not in sentence(hint, lang)
            far = [99 if one.distance is None else one.distance for one in hint.discards]
            assert far == sorted(far)
            if rules == "hangzhou" and not state.wild:
                continue  # nothing is said before the fortune is known
            if state.players[seat].holds_flower:
                continue  # nor before another tile has taken its place
            moves = [move for move in legal if isinstance(move, Discard) and move.seat == seat]
            assert {one.tile for one in hint.discards} == {move.tile for move in moves}
            wins = [move for move in legal if isinstance(move, Win) and move.seat == seat]
            assert hint.win == next(iter(wins), None)
            told: list[HintDiscard | HintClaim | Outlook] = [*hint.discards, *hint.claims]
            told += [hint.now] if hint.now else []
            assert all(_wins(wait) for one in told for wait in one.waits)
            assert not any(_wins(wait) for one in told for wait in one.refused)
            given += bool(hint.discards)
            if hint.discards and random.random() < 0.1:
                one = random.choice(hint.discards)
                after = play.discard(state, Discard(seat, one.tile), -1)
                distance = one.distance or 0
                for tile in one.useful if distance else ():
                    assert improves(rules, after, seat, tile, distance), (one, after)
    assert given > 10


def improves(rules: str, state: State, seat: int, tile: Tile, distance: int) -> bool:
    """Whether some discard after this tile, drawn or claimed, leaves the hand nearer to ready."""
    player = state.players[seat]
    ways = [((*player.hand, tile), player.melds)]
    if must_open(RULE_SETS[rules], state, seat):
        for claim in sets_with(tile, seat):
            left = list(player.hand)
            if Counter(claim.own) <= Counter(left):
                for own in claim.own:
                    left.remove(own)
                ways.append((tuple(left), (*player.melds, declare.meld_of(claim))))
    rests = (
        play.with_player(state, seat, hand=hand[:at] + hand[at + 1 :], melds=melds)
        for hand, melds in ways
        for at in range(len(hand))
    )
    seen = (RULE_SETS[rules].hint(rest, seat).now for rest in rests)
    return any(
        now is not None and now.distance is not None and now.distance < distance for now in seen
    )


def sets_with(tile: Tile, seat: int) -> Iterator[Chow | Pung]:
    yield Pung(seat, (seat - 1) % 4, tile, (tile, tile))
    for own in runs_with(tile):
        yield Chow(seat, (seat - 1) % 4, tile, own)


def _wins(wait: Wait) -> bool:
    return wait.refused is None or wait.by_draw_only is not None


def test_the_terminal_must_come_before_the_last_tile() -> None:
    # 000, 5.4: of 13 tiles. After 4s and without 9s the hand would wait for 9m and could not
    # claim ready.
    found = row(at_table("harbin-hlr", "22s 56s 78m 9s 5p", ("678p", "444p")).hint(0), "5p")
    assert (found.distance, found.useful) == (1, ("9m",))
    # 001 asks it of the finished hand.
    found = row(at_table("harbin-treasure", "22s 56s 78m 9s 5p", ("678p", "444p")).hint(0), "5p")
    assert (found.distance, found.useful) == (1, ("9m", "4s", "7s"))


def test_tiles_that_complete_a_hand_and_win_nothing_stand_apart() -> None:
    found = row(at_table("harbin-hlr", "777m 4555s 9p", ("111m", "888p")).hint(0), "9p")
    assert [wait.tile for wait in found.waits] == ["3s", "6s"]
    assert [(wait.tile, wait.refused) for wait in found.refused] == [("4s", "no_chow")]
    assert "no win with four of bamboos (no chow)" in sentence(Hint(0, (found,), 0))


def test_a_ready_player_who_draws_the_winning_tile_is_told_to_win() -> None:
    table = position({"0": "234m 55s 67p"}, {"0": ["789p", "111s"]}, turn=3, wall=60, ready=(0,))
    events: list[Event] = [GameStart("harbin-hlr"), HandStart(), table]
    events += [Discard(3, Tile("9m")), Draw(0, Tile("5p"))]
    game = replay(map(Entry, events))
    hint = game.hint(0)
    assert hint.win == Win(0, 0, Tile("5p"))
    assert sentence(hint).startswith("Seat 0 can win now with five of dots")
    assert len(Speaker("en").rows(hint)) == 2
    assert hint in game.taught()


def test_a_record_is_taught_event_by_event() -> None:
    game = played("harbin-hlr", 2)
    taught = list(game.taught())
    hints = [said for said in taught if isinstance(said, Hint)]
    assert [said for said in taught if not isinstance(said, Hint)] == list(game.announcements())
    assert {said.seat for said in hints} == {0, 1, 2, 3}
    for seat in range(4):
        own = [said for said in hints if said.seat == seat]
        assert all(one != other for one, other in pairwise(own))


@pytest.mark.parametrize("rules", [rules for rules in RULE_SETS if rules.startswith("riichi")])
def test_a_single_tile_beside_four_sets_has_its_hint_too(rules: str) -> None:
    sets = {"0": ["789s", "555s", "444m", "333m"]}
    place = position({"0": "8p"}, sets, turn=1, wall=40)
    game = replay(Entry(event) for event in (GameStart(rules), HandStart(dealer=1), place))
    assert game.hint(0).audience == 0
