"""A game of common patterns is a TOML file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import invalidate_caches
from importlib.resources import files
from pathlib import Path

import pytest

from engine.announce import Item, Payout, Problem
from engine.events import Event, GameStart, HandEnd, HandStart, Position, Win
from engine.game import Game
from engine.hands.goals import ANY_HAND
from engine.rules.hints import goals_of
from engine.rules.pattern_game import read_game
from engine.rules.pattern_library import LIBRARY
from engine.rules.patterns import Worth
from engine.state import Meld, SetKind
from engine.texts.announcements import item_texts, sentence
from engine.texts.catalogue import texts_for
from engine.texts.files import LANGUAGES, base_of
from engine.tiles import Tile, parse
from tests.support.table_game import TABLE_GAME

PUNG = Meld(SetKind.PUNG, (Tile("1z"),) * 3)
CONCEALED = "123m 456m 789p 234s 5s"
TWO_POINTS = "123m 456m 789p 2z 555p"


def played(*events: Event) -> Game:
    game = Game({TABLE_GAME.id: TABLE_GAME})
    for event in (GameStart(TABLE_GAME.id), HandStart(), *events):
        game.submit(event)
    return game


def won(hand: str, tile: str, feeder: int = 1) -> Payout | Problem:
    game = played(Position(turn=1, wall_left=60))
    said = game.submit(Win(1, feeder, Tile(tile), parse(hand)))[0]
    assert isinstance(said, Payout | Problem)
    return said


def test_a_win_pays_its_patterns_as_the_file_says() -> None:
    payout = won(CONCEALED, "5s")
    assert isinstance(payout, Payout)
    assert [(item.name, item.value) for item in payout.items] == [
        ("self_draw", 3),
        ("all_chows", 1),
        ("self_pick", 1),
        ("concealed_hand", 1),
    ]
    assert payout.deltas == (-6, 18, -6, -6)


def test_no_item_of_a_worth_is_without_a_name() -> None:
    limited, empty = Worth((("all_pungs", 8),), 8, 5), Worth((), 0, 0)
    assert limited.items("faan") == [Item("all_pungs", 8, "faan")]
    assert limited.items("faan", "limit")[1:] == [Item("limit", 5, "faan")]
    assert empty.items("faan") == []


def test_a_limit_is_listed_and_the_best_of_a_series_counts() -> None:
    payout = won("111s 222s 333s 444s 5s", "5s")
    assert isinstance(payout, Payout)
    names = [item.name for item in payout.items]
    assert "full_flush" in names
    assert "half_flush" not in names
    assert (names[-1], payout.items[-1].value, payout.deltas[1]) == ("limit", 10, 60)


@pytest.mark.parametrize(("left", "last"), [(15, True), (16, False)])
def test_the_last_tile_is_the_last_that_may_be_drawn(left: int, last: bool) -> None:
    game = played(Position(turn=1, wall_left=left))
    payout = game.submit(Win(1, 1, Tile("5s"), parse(CONCEALED)))[0]
    assert isinstance(payout, Payout)
    assert ("final_draw" in {item.name for item in payout.items}) is last


def test_a_form_that_the_file_leaves_out_is_no_win() -> None:
    problem = won("19m 19p 19s 1234567z", "1z")
    assert isinstance(problem, Problem)
    assert problem.code == "not_a_win"


def test_hints_work_towards_every_form_that_the_file_names() -> None:
    hand = parse("11m 33m 55p 77p 99s 22s 6s 8s")
    game = played(Position(hands=(hand, (), (), ()), turn=0, wall_left=60))
    ways = {row.tile: row for row in TABLE_GAME.hint(game.state, 0).discards}
    assert ways[Tile("6s")].distance == 0
    assert [wait.tile for wait in ways[Tile("6s")].waits] == ["8s"]


def test_with_a_declared_set_hints_work_towards_sets_alone() -> None:
    assert goals_of(TABLE_GAME, played().state, 0, (PUNG,)) == (ANY_HAND,)


def test_what_a_hand_without_a_pattern_lacks_is_named() -> None:
    assert TABLE_GAME.teaching.lacks_worth == "too_little_worth"


def test_the_round_is_shown() -> None:
    assert TABLE_GAME.page.round


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if base_of(lang) is None])
def test_every_pattern_of_the_library_is_told_in_every_language(lang: str) -> None:
    texts = texts_for("", lang)
    assert [name for name in LIBRARY if f"item.{name}" not in texts] == []
    payout = won(CONCEALED, "5s")
    assert isinstance(payout, Payout)
    said = sentence(payout, lang)
    assert all(text in said for text in item_texts(payout.items, lang))


def test_a_tile_that_makes_too_little_is_told_as_refused() -> None:
    game = played(Position(hands=(parse(TWO_POINTS), (), (), ()), turn=1, wall_left=60))
    (wait,) = TABLE_GAME.waits(game.state, 0) or ()
    assert (wait.tile, wait.refused, wait.by_draw_only) == ("2z", *("too_little_worth",) * 2)


def test_the_dealer_stays_after_a_win_and_the_winner_of_another_passes_the_deal() -> None:
    game = played(Position(turn=1, wall_left=60))
    game.submit(Win(1, 1, Tile("5s"), parse(CONCEALED)))
    game.submit(HandEnd())
    assert (game.state.dealer, game.state.round) == (1, "1z")


@pytest.fixture
def table_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Read the file of the table game with one passage of it in other words."""
    monkeypatch.syspath_prepend(str(tmp_path))
    shipped = files("tests.support.table_game").joinpath("tables.toml").read_text("utf-8")

    def read(passage: str, instead: str) -> None:
        assert passage in shipped
        folder = tmp_path / f"changed_{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "__init__.py").touch()
        (folder / "tables.toml").write_text(shipped.replace(passage, instead), "utf-8")
        invalidate_caches()
        sys.modules.pop(folder.name, None)
        read_game(folder.name)

    return read


def test_an_option_that_would_do_nothing_is_refused(
    table_file: Callable[[str, str], None],
) -> None:
    option = '[options.{}]\ndefault = 5\nvalues = []\nsource = "this file"\n[problems]'
    table_file("[problems]", option.format("start_points"))
    table_file("[problems]", option.format("chips"))
    with pytest.raises(ValueError, match="the option 'red_fives' would do nothing"):
        table_file("[problems]", option.format("red_fives"))


@pytest.mark.parametrize(
    ("passage", "instead", "says"),
    [
        ('"all_pungs", 3', '"all_pongs", 3', r"\[patterns\] '1.2': unknown pattern 'all_pongs'"),
        ('["all_pungs", 3]', '"all_pungs"', r"\[patterns\] '1.2': expected \[NAME, POINTS\]"),
        ("least = 2", "", r"\[game\] needs 'least'"),
        ("least = 2", 'least = "2"', r"\[game\] 'least': expected a whole number, got '2'"),
        ("dealer_stays = true", "dealer_stays = 1", r"'dealer_stays': expected true or false"),
        ('"sets", "pairs"', "", r"\[game\] 'forms': expected some of sets, pairs, "),
        ('"pairs"]', '"pears"]', r"\[game\] 'forms': expected some of sets, pairs, "),
        ("discarder = 3", "", r"\[pays\] needs 'discarder'"),
        ("[pays]", "[paid]", r"no table \[pays\]"),
        ('"this file", "play_on"', '"this file"', r"\[problems\] 'wall_not_used_up': expected "),
        ("[problems]", "[options.chips]\ndefault = 5\n[problems]", r"'chips': needs 'values'"),
    ],
)
def test_what_is_wrong_with_the_file_is_named(
    table_file: Callable[[str, str], None], passage: str, instead: str, says: str
) -> None:
    with pytest.raises(ValueError, match=rf"^tables\.toml: .*{says}"):
        table_file(passage, instead)
