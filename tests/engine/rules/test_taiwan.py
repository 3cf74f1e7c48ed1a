"""What a Taiwanese hand is worth does not depend on how its record is written."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.announce import Payout
from engine.events import Deal, Discard, Draw, Entry, Event, Flower, GameStart, HandStart, Win
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.texts.announcements import sentence
from engine.texts.catalogue import texts_for
from engine.texts.files import LANGUAGES
from engine.tiles import Tile, parse
from tests.support.cases import position


def played(*events: Event) -> Game:
    return replay(map(Entry, (GameStart("taiwan"), HandStart(), *events)))


@pytest.mark.parametrize(
    "hand",
    [
        "123m 456m 789m 12355s 111z",  # named by 1s it waits at an edge, by 5s for the pair
        "111m 234m 567p 789p 678s 99s",
    ],
)
def test_a_heavenly_hand_pays_the_same_whichever_tile_is_named(hand: str) -> None:
    paid = set()
    for tile in sorted(set(parse(hand))):
        won = (Deal(0, parse(hand)), Win(0, 0, tile))
        game = played(*won)
        paid |= {each.deltas for each in game.announcements() if isinstance(each, Payout)}
    assert len(paid) == 1


@pytest.mark.parametrize(
    ("tiles", "sets", "single"),
    [
        ("34s 123m 456m 789m 99p", ("(2222s)",), True),  # four of the other end are held
        ("34s 123m 456m 789m 99p", ("(2222p)",), False),
    ],
)
def test_a_single_wait_is_what_the_hand_is_said_to_wait_for(
    tiles: str, sets: tuple[str, ...], single: bool
) -> None:
    table = position({"0": tiles}, {"0": sets}, turn=1, wall=60, flowers=("",) * 4, hand_size=16)
    won = (Discard(1, Tile("5s")), Win(0, 1, Tile("5s")))
    game = played(table, *won)
    waits = RULE_SETS["taiwan"].waits(game.as_it_was(3).state, 0) or ()
    assert (len(waits) == 1) == single
    (paid,) = [each for each in game.announcements() if isinstance(each, Payout)]
    assert ("single_wait" in [item.name for item in paid.items]) == single


@pytest.mark.parametrize(
    ("lang", "heavenly", "earthly", "flowers"),
    [("zh", "天胡", "地胡", "花杠"), ("ja", "天和", "地和", "花牌四枚揃い")],
)
def test_its_patterns_are_called_as_in_taiwan(
    lang: str, heavenly: str, earthly: str, flowers: str
) -> None:
    """In Hong Kong four flowers are a "tai of flowers", which is no number of tai."""
    texts = texts_for("taiwan", lang)
    called = [texts[f"item.{name}"] for name in ("heavenly_hand", "first_draw_win", "all_flowers")]
    assert called == [heavenly, earthly, flowers]


GAMES = {
    "hong-kong": ("香港", "Hong Kong"),
    "sichuan": ("四川", "Sichuan"),
    "taiwan": ("台湾", "Taiwan"),
    "hangzhou": ("杭州", "Hangzhou"),
    "harbin": ("哈尔滨", "ハルビン", "Harbin"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_payout_names_another_game(rules: str, lang: str) -> None:
    """Patterns are shared, so a name that told one game from another would be read in both."""
    texts = texts_for(rules, lang)
    rows = [texts[f"item.{row}"] for row in RULE_SETS[rules].payment.rows]
    others = [name for game, names in GAMES.items() if not rules.startswith(game) for name in names]
    assert [row for row in rows if any(name in row for name in others)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_streak_is_explained_without_the_number_that_an_option_sets(lang: str) -> None:
    said = texts_for("taiwan", lang)["glossary.dealer_streak.text"]
    assert re.search(r"\b(one|two|\d+) tai\b|[一二两\d]台", said) is None


@pytest.mark.parametrize(("rules", "size"), [("taiwan", 16), ("hong-kong", 13)])
def test_a_hand_with_a_flower_is_told_to_lay_it_open_first(rules: str, size: int) -> None:
    hand = parse("123456789m 123p 456p 9s")[: size - 1]
    options = {"flowers": True} if rules == "hong-kong" else {}
    game = Game()
    game.submit(GameStart(rules, options))
    game.submit(HandStart())
    game.submit(Deal(0, (*hand, Tile("3z"), Tile("5f"))))
    hint = game.hint(0)
    assert (hint.flower, hint.discards, hint.now) == (Tile("5f"), (), None)
    assert hint in list(game.hints())[-1]
    assert sentence(hint, "en", rules=rules) == "Seat 0, lay flower five open first"
    game.submit(Flower(0, Tile("5f"), Tile("1z")))
    assert game.hint(0).flower is None
    assert {row.tile for row in game.hint(0).discards} == set(game.state.players[0].hand)


WITH_FLOWER = Deal(1, parse("123456789m 123p 45p 9s 5f"))
DEALT = Deal(0, parse("123456789p 12345s 9s 1z 1z"))


@pytest.mark.parametrize(
    ("events", "seat", "may_lay"),
    [
        ((WITH_FLOWER,), 1, False),  # before the dealer's deal
        ((WITH_FLOWER, DEALT), 1, True),
        ((WITH_FLOWER, DEALT, Discard(0, Tile("9s"))), 1, False),
        ((WITH_FLOWER, DEALT, Discard(0, Tile("9s")), Draw(1, Tile("1z"))), 1, True),
        ((replace(WITH_FLOWER, seat=2), DEALT, Discard(0, Tile("9s"))), 2, False),
        (
            (
                *(replace(WITH_FLOWER, seat=2), DEALT),
                *(Discard(0, Tile("9s")), Draw(1, Tile("1z"))),
            ),
            2,
            False,
        ),
    ],
)
def test_a_flower_is_told_to_be_laid_exactly_where_the_rules_list_it(
    events: tuple[Event, ...], seat: int, may_lay: bool
) -> None:
    game = replay([Entry(event) for event in (GameStart("taiwan"), HandStart(), *events)])
    listed = Flower(seat, Tile("5f")) in game.legal()
    assert listed == may_lay
    assert game.hint(seat).flower == (Tile("5f") if may_lay else None)
