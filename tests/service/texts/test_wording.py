"""Words that a native player would not use, each beside the right one."""

from __future__ import annotations

import re

import pytest

from engine.events import Draw
from engine.rules import RULE_SETS
from engine.tiles import Tile
from service.texts.catalogue import texts_for, texts_of
from service.texts.events import event_sentence

NAMES = ("", "", "", "")
OF_PLAYERS_WHO_LOSE = re.compile(r"放銃(?!者|率)")


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_what_a_winner_gets_is_not_named_by_what_the_loser_did(rules: object) -> None:
    texts = texts_of("ja")
    payments = getattr(rules, "payments", ())
    named = {name: texts[f"item.{name}"] for name in payments if f"item.{name}" in texts}
    assert {name: text for name, text in named.items() if OF_PLAYERS_WHO_LOSE.search(text)} == {}


def test_a_drawn_tile_is_not_told_as_a_win() -> None:
    for tile in ("5m", "?"):
        said = event_sentence(Draw(1, Tile(tile)), "ja", "riichi", NAMES)
        assert "ツモ" not in said
        assert "引く" in said


@pytest.mark.parametrize(
    ("lang", "opened", "closed"), [("en", "wind", "rain"), ("zh", "刮风", "下雨")]
)
def test_open_kongs_are_wind_and_closed_ones_rain(lang: str, opened: str, closed: str) -> None:
    texts = texts_of(lang)
    for kind in ("open", "added"):
        assert opened in texts[f"item.sichuan_kong_{kind}"]
        assert closed not in texts[f"item.sichuan_kong_{kind}"]
    assert closed in texts["item.sichuan_kong_closed"]
    assert opened not in texts["item.sichuan_kong_closed"]


def test_chinese_says_what_a_hand_needs_how_it_moves_on_and_who_came_where() -> None:
    texts = texts_of("zh")
    assert texts["needed.no_chow"] == "顺子"
    assert "还需要" in texts["teach.lacking"]
    assert texts["reason.no_nearer"] == "没有前进"
    assert texts["reason.nearer"] == "进{value}步"
    assert "你得 {points} 分，第 {place} 名" in texts["page.seat.place"]


@pytest.mark.parametrize(("lang", "own"), [("zh", "立直"), ("ja", "リーチ")])
def test_riichi_is_called_riichi_and_no_other_game_is(lang: str, own: str) -> None:
    for key in ("refusal.ready_hand_fixed", "problem.no_wait"):
        assert own in texts_for("riichi", lang)[key]
        assert own not in texts_for("harbin-hlr", lang)[key]
        assert "叫听" not in texts_for("riichi", lang)[key]
    assert not [key for key, text in texts_of("zh").items() if re.search("叫听(?!牌)", text)]
