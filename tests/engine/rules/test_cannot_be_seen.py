"""What nobody saw is said with the payment, and nothing is paid or refused on a guess."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import pytest

from engine.announce import Payout, Problem
from engine.events import (
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    IndicatorKind,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.tiles import UNKNOWN, Tile, parse
from tests.support.documentation import named, read, rows
from tests.support.golden import WITH_GAME
from tests.support.paths import ROOT

HARBIN = [rules for rules in WITH_GAME if rules.startswith("harbin")]
RIICHI = [rules for rules in WITH_GAME if rules.startswith("riichi")]
SICHUAN = [rules for rules in WITH_GAME if rules.startswith("sichuan")]
OPTIONS: Mapping[str, Mapping[str, object]] = {
    "hong-kong": {"minimum_faan": 0},
    "hangzhou": {"pass_win_locks": True},
    **{rules: {"passed_win_locks": True} for rules in SICHUAN},
}
"""House rules by which a win that was let pass forbids another one, where that is no default."""
STAYING: Mapping[str, int] = {"hangzhou": 3}
"""How long the banker must have stayed for a win on a discard."""
OF_TWO_SUITS = "234m 567m 678m 34p 22p"
HANDS: Mapping[str, str] = {
    **dict.fromkeys(SICHUAN, OF_TWO_SUITS),
    "taiwan": "234m 567m 678s 34p 22s 789s",
    "wsom": "111p 222p 333p 5p 777p",
}
"""Hands that wait for a five of dots; the one of World Series is worth more than all pay alike."""
WAITING = "234m 567m 678s 34p 22s"
FIVE = Tile("5p")


def played(rules: str, *events: Event, options: Mapping[str, object] | None = None) -> Game:
    """A hand of hidden tiles from the deal on; seat 0 deals."""
    size = RULE_SETS[rules].wall.hand_size
    deals = [Deal(seat, (UNKNOWN,) * (size + (seat == 0))) for seat in range(4)]
    fortune = [Indicator(Tile("1z"), "fortune")] if rules == "hangzhou" else []
    start = GameStart(rules, {**OPTIONS.get(rules, {}), **(options or {})})
    begun = HandStart(0, staying=STAYING.get(rules))
    return replay([Entry(event) for event in (start, begun, *deals, *fortune, *events)])


def joined(
    rules: str, position: Position, *events: Event, options: Mapping[str, object] | None = None
) -> Game:
    start = GameStart(rules, {**OPTIONS.get(rules, {}), **(options or {})})
    begun = HandStart(0, staying=STAYING.get(rules))
    if rules == "hangzhou":
        position = replace(position, indicators=(Indicator(Tile("1z"), "fortune"),))
    return replay([Entry(event) for event in (start, begun, position, *events)])


def thrown(*faces: str, first: int = 0) -> list[Event]:
    return [Discard((first + at) % 4, Tile(face)) for at, face in enumerate(faces)]


def notes(game: Game) -> set[str]:
    """What the payments say is not known."""
    paid = [one for one in game.announcements() if isinstance(one, Payout)]
    return {item.name for one in paid for item in one.items if item.name.endswith("_unknown")}


def problems(game: Game) -> set[str]:
    return {one.code for one in game.announcements() if isinstance(one, Problem)}


# --- the winner's hand ---


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("rules", [rules for rules in WITH_GAME if rules not in HARBIN])
def test_the_hand_of_a_win_that_is_called_and_never_shown_is_not_known(
    rules: str, drawn: bool
) -> None:
    """Hangzhou pays what can be seen from outside, without doubles; the others nothing yet."""
    win = Win(1, 1, UNKNOWN) if drawn else Win(1, 0, Tile("9s"))
    game = played(rules, *thrown("9s"), win)
    assert "hand_unknown" in notes(game)
    assert problems(game) == set()
    assert any(game.state.points) is (rules == "hangzhou") or rules in RIICHI
    if rules in RIICHI:
        assert len(set(game.state.points)) == 1


@pytest.mark.parametrize("rules", HARBIN)
def test_a_hand_that_nobody_shows_is_paid_in_harbin_what_any_hand_is(rules: str) -> None:
    """A clamp would double it, where one is played."""
    pung = Pung(2, 0, Tile("5s"), (Tile("5s"), Tile("5s")))
    call = Discard(2, Tile("7s"), ready=True)
    game = played(rules, *thrown("5s"), pung, call, Discard(3, Tile("3s")), Win(2, 3, Tile("3s")))
    assert game.state.points[2] > game.state.points[3]
    assert notes(game) == ({"hand_unknown"} if rules == "harbin-treasure" else set())
    assert problems(game) == set()


@pytest.mark.parametrize("rules", HARBIN)
def test_a_win_without_a_call_that_anybody_saw_asks_for_the_call(rules: str) -> None:
    """A call that was only spoken: the win is refused, and no offence is made of it."""
    game = played(rules, *thrown("9s"), Win(1, 0, Tile("9s")))
    assert problems(game) == {"not_ready"}
    assert not any(player.irregular for player in game.state.players)
    assert len(set(game.state.points)) == 1


@pytest.mark.parametrize("rules", [*RIICHI, *SICHUAN])
def test_hands_that_stay_hidden_at_the_end_of_the_wall_are_neither_ready_nor_not(
    rules: str,
) -> None:
    game = played(rules, *thrown("5s", "8s"), DrawnHand("exhausted"))
    assert notes(game) & {"hand_unknown", "riichi_hands_unknown"}
    assert len(set(game.state.points)) == 1


@pytest.mark.parametrize("face", ["?", "9p"])
@pytest.mark.parametrize("rules", [rules for rules in WITH_GAME if rules not in HARBIN])
def test_a_hand_beside_a_kong_of_four_backs_is_not_known(rules: str, face: str) -> None:
    """In Hangzhou a kong is worth the same whatever it is."""
    hand = HANDS.get(rules, WAITING) if rules != "wsom" else WAITING
    rest = parse(hand)[3:] if rules != "taiwan" else parse("234m 567m 678s 34p 22s")
    kong = Kong(0, "closed", Tile(face))
    own: list[Event] = [Draw(0, FIVE), Win(0, 0, FIVE, rest)]
    game = played(rules, kong, *thrown("9s", "8m", "1m", "3s"), *own)
    assert ("hand_unknown" in notes(game)) == (face == "?" and rules != "hangzhou")
    assert problems(game) == set()


# --- what was let pass ---


LET_PASS = {
    "hong-kong": "discard_unknown",
    "taiwan": "discard_unknown",
    "hangzhou": "discard_unknown",
    "wsom": "immunity_unknown",
    **dict.fromkeys(SICHUAN, "discard_unknown"),
    **dict.fromkeys(RIICHI, "furiten_unknown"),
}
"""What each game says where a discard that was let pass may forbid a win, or change who pays."""


def test_every_game_in_which_a_win_may_be_let_pass_is_tried() -> None:
    assert {*LET_PASS, *HARBIN} == set(WITH_GAME)


@pytest.mark.parametrize(("face", "said"), [("9m", False), ("?", True)])
@pytest.mark.parametrize("rules", LET_PASS)
def test_what_an_unread_discard_forbids_is_not_known(rules: str, face: str, said: bool) -> None:
    win = Win(0, 3, FIVE, parse(HANDS.get(rules, WAITING)))
    game = played(rules, *thrown("9s", "8m", face, "5p"), win)
    assert (LET_PASS[rules] in notes(game)) == said
    assert problems(game) == set()
    assert game.state.points[0] > game.state.points[3]


@pytest.mark.parametrize(("face", "said"), [("9m", False), ("5p", True), ("?", True)])
@pytest.mark.parametrize("rules", LET_PASS)
def test_what_was_let_pass_before_a_hand_was_joined_is_not_known(
    rules: str, face: str, said: bool
) -> None:
    """Others have claimed: in which order the discards came, nobody knows."""
    hands = (parse(HANDS.get(rules, WAITING)), (), (), ())
    sets = ((), (Pung(1, 2, Tile("1s"), (Tile("1s"), Tile("1s"))),), (), ())
    faces = ("9s", face, "8m")
    rivers = (*((Discard(at, Tile(one)),) for at, one in enumerate(faces)), ())
    flowers = ((),) * 4 if rules == "taiwan" else None
    position = Position(hands, sets, rivers, 40, 3, (), flowers=flowers)
    game = joined(rules, position, Discard(3, FIVE), Win(0, 3, FIVE))
    assert (LET_PASS[rules] in notes(game)) == said
    assert game.state.points[0] > game.state.points[3]


@pytest.mark.parametrize(("face", "said"), [("1z", False), ("?", True), ("5p", False)])
def test_whether_an_unread_river_is_one_of_terminals_is_not_known(face: str, said: bool) -> None:
    outer = ["1m", "9m", face, "9p", "1s", "9s", "1z", "2z", "3z", "4z", "5z", "6z"]
    inner = [f"{rank}{suit}" for suit in "mps" for rank in range(2, 9)]
    faces = [outer[at // 4 % 12] if at % 4 == 0 else inner[at * 5 % 21] for at in range(48)]
    game = played("riichi", *thrown(*faces), DrawnHand("exhausted"))
    assert ("riichi_nagashi_unknown" in notes(game)) == said
    assert (game.state.points[0] > game.state.points[1]) == (face == "1z")


# --- what was before the record ---


BEGUN = {
    "hong-kong": "first_turn_unknown",
    "taiwan": "first_turn_unknown",
    **dict.fromkeys(SICHUAN, "first_turn_unknown"),
    **dict.fromkeys(RIICHI, "first_turn_unknown"),
    "wsom": "wall_unknown",
}
FULL = {
    **dict.fromkeys(SICHUAN, "234m 567m 345p 22p 789m"),
    "taiwan": "234m 567m 678m 345p 22p 999p",
}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("rules", BEGUN)
def test_whether_a_joined_hand_is_in_its_first_turn_is_not_known(rules: str, seat: int) -> None:
    """Only the hand is told: nobody knows the wall and the rivers."""
    own = parse(FULL.get(rules, "234m 567m 345p 22s 789s"))
    hands = tuple(own if at == seat else () for at in range(4))
    game = joined(rules, Position(hands, ((),) * 4, None, None, seat, ()), Win(seat, seat, FIVE))
    paid = next(one for one in game.announcements() if isinstance(one, Payout))
    names = {item.name for item in paid.items}
    dealt = {"heavenly_hand", "sichuan_heaven", "tenhou", "blessing_of_heaven"}
    assert not names & {*dealt, "human_hand", "sichuan_earth", "chiihou", "first_draw_win"}
    by_wall = seat == 0 and rules in ("hong-kong", "taiwan")
    assert ("wall_unknown" if by_wall else BEGUN[rules]) in names


@pytest.mark.parametrize(
    ("rules", "name"),
    [("hong-kong", "human_hand"), ("taiwan", "first_draw_win"), ("sichuan", "sichuan_earth")],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_joined_hand_whose_rivers_tell_that_it_is_the_first_turn_is_paid_so(
    rules: str, name: str, first: bool
) -> None:
    own = parse(FULL.get(rules, "234m 567m 345p 22s 789s"))
    rivers = ((Discard(0, Tile("9m")),), () if first else (Discard(1, Tile("9m")),), (), ())
    undealt = RULE_SETS[rules].wall.undealt(replay([Entry(GameStart(rules))]).state.options)
    flowers = ((),) * 4 if rules == "taiwan" else None
    at = Position(((), own, (), ()), ((),) * 4, rivers, undealt - 2, 1, (), flowers=flowers)
    game = joined(rules, at, Win(1, 1, FIVE))
    paid = next(one for one in game.announcements() if isinstance(one, Payout))
    assert (name in {item.name for item in paid.items}) == first
    assert "first_turn_unknown" not in notes(game)


# --- a suit, an exchange, tiles of the wall ---


@pytest.mark.parametrize(("face", "said"), [("9s", False), ("?", True)])
@pytest.mark.parametrize("rules", SICHUAN)
def test_the_suit_that_nobody_was_seen_to_go_without_is_not_known(
    rules: str, face: str, said: bool
) -> None:
    void = {"void_suit": True, "passed_win_locks": False}
    win = Win(0, 0, FIVE, parse(OF_TWO_SUITS))
    game = played(rules, *thrown(face, "8m", "1m", "3s"), win, options=void)
    assert ("void_unknown" in notes(game)) == said
    at = Position((parse(OF_TWO_SUITS), (), (), ()), ((),) * 4, None, 40, 3, ())
    game = joined(rules, at, Discard(3, FIVE), Win(0, 3, FIVE), options=void)
    assert "void_unknown" in notes(game)


@pytest.mark.parametrize("rules", SICHUAN)
def test_after_an_exchange_the_hands_that_were_not_told_again_are_hidden(rules: str) -> None:
    dealt = parse("123m 456m 789m 1234p")
    deals = [Deal(seat, (UNKNOWN,) * (13 + (seat == 0))) for seat in (0, 2, 3)]
    again = Deal(0, (UNKNOWN,) * 14)
    start: list[Event] = [GameStart(rules, {"exchange": True}), HandStart(0), Deal(1, dealt)]
    events = [*start, *deals, again, *thrown("9s", "9s")]
    game = replay([Entry(event) for event in events])
    assert {tile for player in game.state.players for tile in player.hand} == {UNKNOWN}
    assert problems(game) == set(), "the discard may have come with the exchange"


TURNED: Sequence[tuple[str, IndicatorKind, str]] = (
    ("harbin-hlr", "dora", "dora_unknown"),
    ("harbin-treasure", "treasure", "treasure_unknown"),
    ("hangzhou", "fortune", "fortune_unknown"),
    *((rules, "dora", "dora_unknown") for rules in RIICHI),
    *((rules, "ura_dora", "riichi_ura_unknown") for rules in RIICHI),
)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("rules", "kind", "said"), TURNED)
def test_an_indicator_that_nobody_read_is_not_known(
    rules: str, kind: IndicatorKind, said: str, turned: bool
) -> None:
    """Whether nobody saw that it was turned up, or only its face was not read."""
    size = RULE_SETS[rules].wall.hand_size
    deals = [Deal(seat, (UNKNOWN,) * (size + (seat == 0))) for seat in range(4)]
    unread = [Indicator(UNKNOWN, kind)] if turned else []
    if rules in HARBIN:
        pung = Pung(2, 0, Tile("5s"), (Tile("5s"), Tile("5s")))
        call = Discard(2, Tile("7s"), ready=True)
        drawn = Win(2, 2, Tile("9p"), parse("123m 78p 999m 11s"))
        play: list[Event] = [
            *thrown("5s"),
            pung,
            call,
            *unread,
            *thrown("3s", "3s", "8m", first=3),
            drawn,
        ]
    else:
        call = Discard(0, Tile("1z"), ready=rules in RIICHI)
        drawn = Win(0, 0, FIVE, parse(WAITING))
        dora = [Indicator(Tile("3z"), "dora")] if kind == "ura_dora" else []
        before = unread if kind != "ura_dora" else []
        after = unread if kind == "ura_dora" else []
        play = [*dora, *before, call, *thrown("9m", "9s", "8p", first=1), drawn, *after]
    start: list[Event] = [GameStart(rules), HandStart(0), *deals]
    game = replay([Entry(event) for event in [*start, *play]])
    assert said in notes(game)
    last = [one for one in game.announcements() if isinstance(one, Payout)][-1]
    assert said in {item.name for item in last.items}
    assert "indicator_not_due" not in problems(game)


def test_the_record_has_no_place_for_who_threw_the_dice() -> None:
    assert [field.name for field in fields(Dice)] == ["values"]


# --- the table of the documentation ---


TABLE = rows(read("docs/rules.md"), "no camera sees")


def names_in(pattern: str) -> set[str]:
    found = (path.read_text("utf-8") for path in (ROOT / "tests").glob(pattern))
    return {name for text in found for name in re.findall(r"(?m)^def (test_\w+)\(", text)}


def test_every_line_of_the_table_names_a_test_that_is_there_and_games_that_are() -> None:
    every = names_in("**/test_*.py")
    assert len(TABLE) > 20
    for what, games, says, shown in TABLE:
        assert named(shown), what
        assert set(named(shown)) <= every, what
        assert games == "all" or set(named(games)) <= RULE_SETS.keys(), what
        assert says, what


def test_every_test_of_what_cannot_be_seen_stands_in_the_table() -> None:
    listed = {name for row in TABLE for name in named(row[-1])}
    about_itself = names_in("engine/rules/test_cannot_be_seen.py") - listed
    assert about_itself == {
        "test_every_game_in_which_a_win_may_be_let_pass_is_tried",
        "test_every_line_of_the_table_names_a_test_that_is_there_and_games_that_are",
        "test_every_test_of_what_cannot_be_seen_stands_in_the_table",
        "test_every_note_of_a_payment_on_what_is_not_known_stands_in_the_table",
    }
    assert names_in("vision/decoder/test_cannot_be_seen.py") <= listed


def test_every_note_of_a_payment_on_what_is_not_known_stands_in_the_table() -> None:
    code = [path.read_text("utf-8") for path in (ROOT / "engine/rules").rglob("*.py")]
    told = {name for text in code for name in re.findall(r'"(\w+_unknown)"', text)}
    listed = {name for row in TABLE for name in named(row[2])}
    assert told - {"dealer_unknown"} == {name for name in listed if name.endswith("_unknown")}
