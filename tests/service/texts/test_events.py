"""What happened is told in every language, with the same tiles."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from engine.codec import read_record
from engine.events import (
    Chow,
    Correct,
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    Flower,
    Foul,
    GameEnd,
    GameStart,
    HandEnd,
    Kong,
    Pung,
    Win,
)
from engine.rules import RULE_SETS
from engine.texts.files import LANGUAGES
from engine.tiles import Tile, parse
from service.texts.catalogue import texts_of
from service.texts.events import event_parts, event_text, events_json
from tests.support.paths import GAMES

NAMES = ("Anna", "Bo", "Chen", "Dai")


def tiles(text: str) -> tuple[Tile, Tile]:
    first, second = parse(text)
    return first, second


@pytest.mark.parametrize("game", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_event_of_a_game_is_told_in_every_language(game: Path) -> None:
    for entry in read_record(game.read_text()):
        rows = {lang: event_parts(entry.event, NAMES, lang) for lang in LANGUAGES}
        tiles = [Counter(part for part in row if isinstance(part, Tile)) for row in rows.values()]
        assert tiles.count(tiles[0]) == len(rows)
        for lang in ("zh", "ja"):
            words = "".join(part for part in rows[lang] if isinstance(part, str))
            assert re.search("[\u3040-\u30ff\u4e00-\u9fff]", words)


def test_every_way_to_end_without_a_winner_is_told() -> None:
    reasons = set().union(*(rules.turns.drawn_reasons for rules in RULE_SETS.values()))
    assert {f"drawn.{reason}" for reason in reasons} <= texts_of("en").keys()
    assert event_text(DrawnHand("four_winds"), NAMES) == "Nobody wins: four equal winds"


def test_several_events_are_told_one_after_the_other_in_the_words_of_their_game() -> None:
    events = (Draw(0, Tile("?")), Discard(0, Tile("5m"), ready=True))
    said = {lang: events_json(events, NAMES, lang, "riichi") for lang in ("en", "ja")}
    tile = {"tile": "5m"}
    assert said["en"] == ["Anna draws", "then", "Anna discards", tile, "and declares riichi"]
    assert said["ja"] == ["Annaが牌を引く", "、続いて", "Annaの打牌", tile, "、リーチ"]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Chow(1, 0, Tile("5m"), tiles("46m")), "Bo claims 5m from Anna as a chow with 4m 6m"),
        (Pung(1, 0, Tile("5m"), tiles("55m"), ready=True), "Bo claims 5m from Anna as a pung with"),
        (Kong(1, "open", Tile("5m"), 0), "Bo makes an open kong of 5m from Anna"),
        (Kong(1, "closed", Tile("5m")), "Bo makes a closed kong of 5m"),
        (Draw(0, Tile("1z"), "tail"), "Anna draws 1z from the tail"),
        (Flower(0, Tile("3f"), Tile("5m")), "Anna lays open 3f and draws 5m"),
        (Flower(0, Tile("?")), "Anna lays open a flower"),
        (Foul(0, "exposed_tile", parse("5m")), "Foul of Anna: exposed tile 5m"),
        (Foul(0, "took_too_long"), "Foul of Anna: took too long"),
        (GameStart("riichi", first_dealer=2), "played by Riichi (EMA 2008); Chen dealt first"),
        (Deal(0, parse("???")), "Anna is dealt 3 tiles"),
        (Win(2, 2, Tile("1z"), parse("9p")), "Chen wins with 1z by own draw with the hand 9p"),
        (Correct(3, (Entry(Draw(0, Tile("?"))), Entry(HandEnd()))), "then The hand ends"),
    ],
    ids=str,
)
def test_an_event_in_english(event: Event, words: str) -> None:
    assert words in event_text(event, NAMES)


def test_a_flower_that_nobody_read_is_told_without_a_tile_in_every_language() -> None:
    event = Flower(0, Tile("?"), Tile("5m"))
    assert [event_text(event, NAMES, lang) for lang in ("en", "ja", "zh")] == [
        "Anna lays open a flower and draws 5m",
        "Annaの花牌、 5m を引く",
        "Anna补花，摸到 5m",
    ]


def test_an_offence_is_named_in_the_language_or_as_people_wrote_it() -> None:
    assert "誤和了" in event_text(Foul(0, "false_win"), NAMES, "ja")
    assert "took too long" in event_text(Foul(0, "took_too_long"), NAMES, "zh")


def test_every_indicator_of_every_rule_set_has_a_name() -> None:
    kinds = {kind for rules in RULE_SETS.values() for kind in rules.layout.kinds}
    assert kinds
    assert {f"indicator.{kind}" for kind in kinds} <= texts_of("en").keys()


def test_a_correction_is_told_with_what_stands_in_its_place() -> None:
    nothing = event_parts(Correct(3, ()), NAMES, "zh")
    assert nothing == ("更正第3条：没有发生",)
    foul = Entry(Foul(1, "exposed_tile", parse("5m")))
    shown = event_parts(Correct(3, (foul, Entry(GameEnd("time")))), NAMES, "ja")
    assert Tile("5m") in shown
    assert shown[-1] == "、続いて対局終了（途中まで）"
