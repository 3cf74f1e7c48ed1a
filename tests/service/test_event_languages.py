"""What happened is told in every language, with the same tiles."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from engine.codec import read_record
from engine.events import Correct, DrawnHand, Entry, Foul, GameEnd
from engine.rules import RULE_SETS
from engine.tiles import Tile, parse
from service.event_languages import MESSAGES, told
from service.event_words import DRAWN_HANDS

GAMES = sorted((Path(__file__).parents[1] / "games").glob("*.jsonl"))
NAMES = ("Anna", "Bo", "Chen", "Dai")


@pytest.mark.parametrize("game", GAMES, ids=[path.stem for path in GAMES])
def test_every_event_of_a_game_is_told_in_every_language(game: Path) -> None:
    for entry in read_record(game.read_text()):
        rows = told(entry.event, NAMES)
        tiles = [Counter(part for part in row if isinstance(part, Tile)) for row in rows.values()]
        assert tiles.count(tiles[0]) == len(rows)
        for lang in MESSAGES:
            words = "".join(part for part in rows[lang] if isinstance(part, str))
            assert re.search("[\u3040-\u30ff\u4e00-\u9fff]", words)


def test_the_languages_have_the_same_messages() -> None:
    assert MESSAGES["zh"].keys() == MESSAGES["ja"].keys()


def test_every_way_to_end_without_a_winner_is_told() -> None:
    for table in MESSAGES.values():
        assert {f"drawn.{reason}" for reason in DRAWN_HANDS} <= table.keys()
    assert all(told(DrawnHand("four_winds"), NAMES).values())


def test_every_indicator_of_every_rule_set_has_a_name() -> None:
    kinds = {kind for rules in RULE_SETS.values() for kind in getattr(rules, "indicator_kinds", ())}
    assert kinds
    for table in MESSAGES.values():
        assert {f"indicator.{kind}" for kind in kinds} <= table.keys()


def test_a_correction_is_told_with_what_stands_in_its_place() -> None:
    nothing = told(Correct(3, ()), NAMES)
    assert nothing["zh"] == ("更正第", "3", "条：", "没有发生")
    foul = Entry(Foul(1, "exposed_tile", parse("5m")))
    shown = told(Correct(3, (foul, Entry(GameEnd("time")))), NAMES)["ja"]
    assert Tile("5m") in shown
    assert shown[-2:] == ("対局終了", "（時間切れ）")
