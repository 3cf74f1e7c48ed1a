"""Words that a native player would not use, each beside the right one, and how text is set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

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
    assert "你得{points}分，第{place}名" in texts["page.seat.place"]


@pytest.mark.parametrize(("lang", "own"), [("zh", "立直"), ("ja", "リーチ")])
def test_riichi_is_called_riichi_and_no_other_game_is(lang: str, own: str) -> None:
    for key in ("refusal.ready_hand_fixed", "problem.no_wait"):
        assert own in texts_for("riichi", lang)[key]
        assert own not in texts_for("harbin-hlr", lang)[key]
        assert "叫听" not in texts_for("riichi", lang)[key]
    assert not [key for key, text in texts_of("zh").items() if re.search("叫听(?!牌)", text)]


CJK: Final = "\u3040-\u30ff\u3400-\u9fff々"
SET: Final = CJK + "、。，：；（）？！「」“”"
"""Signs of Chinese and Japanese, and their punctuation."""
APART: Final = frozenset(
    re.findall(
        r"\w+",
        """
    address answers camera command database delta document doubts file folder form host known
    limit option other out page path place program record report seal shown source table tile tiles
    """,
    )
)
"""Gaps for pictures, addresses and Latin words, which may stand apart; figures and names do not."""


@pytest.fixture(scope="module", params=["zh", "ja"])
def texts(request: pytest.FixtureRequest) -> Mapping[str, str]:
    """Every text of a language that is written in Chinese signs."""
    return texts_of(request.param)


def test_no_space_stands_between_a_sign_and_a_figure_or_name(texts: Mapping[str, str]) -> None:
    figure = r"(?<![\w/])\d+"
    before, after = rf"[{SET}] (?:\{{(\w+)\}}|{figure})", rf"(?:\{{(\w+)\}}|{figure})%? [{CJK}]"
    apart = re.compile(rf"{before}|{after}|[\d}}] %")
    spaced = {
        key: text
        for key, text in texts.items()
        for found in apart.finditer(text)
        if not {found[1], found[2]} & APART
    }
    assert spaced == {}


def test_punctuation_is_as_wide_as_the_signs_beside_it(texts: Mapping[str, str]) -> None:
    narrow = re.compile(rf"[{CJK}][,:;!?()]|[,:;!?()][{CJK}]")
    assert {
        key: text
        for key, text in texts.items()
        if narrow.search(text) and key != "help.players"  # lists names as they are typed
    } == {}


@pytest.mark.parametrize(("lang", "signs"), [("zh", "gb2312"), ("ja", "cp932")])
def test_signs_are_those_of_the_language(lang: str, signs: str) -> None:
    common = re.compile(r"[−–—…“”×·★ ]")
    foreign = {}
    for key, text in texts_of(lang).items():
        try:
            common.sub("", text).encode(signs)
        except UnicodeEncodeError as error:
            foreign[key] = error.object[error.start : error.end]
    assert foreign == {}


ONE_WORD: Final = {
    "zh": {
        "您": "你",
        "视频(?:只|没有|显示|在这里)": "录像, of the film of a game",
        "放炮|放铳|出冲": "点炮",
        "暴头": "爆头",
        "拉杠": "抢杠",
        "本馆": "大厅",
        "收回答案|保存答案": "回答",
        "待牌": "听的牌",
        "密钥(?!文件)": "密码 or 网址",
        "[能会后可](?:以)?胡": "和, but in names of hands",
        "部录像": "段录像",
    },
    "ja": {
        "スマートフォン": "スマホ",
        "コンピューター?": "パソコン",
        "ブラウザー": "ブラウザ",
        "規則": "ルール",
        "参加者|対局者|メンバー": "プレイヤー",
        "ホール": "会場",
        "晒": "さらす",
        "あがり|あがる|あがれ|上がれる待ち": "和了, but where a first hand is led",
        "リプレイ": "再生",
        "このゲーム": "このルール or この対局",
        "フィルム": "録画",
    },
}
"""What is said in one way alone: the other word, and the one that is right."""


@pytest.mark.parametrize("lang", ONE_WORD)
def test_one_thing_has_one_word(lang: str) -> None:
    found = {
        (key, word): right
        for word, right in ONE_WORD[lang].items()
        for key, text in texts_of(lang).items()
        if re.search(word, text)
    }
    assert found == {}


TERMS: Final[Mapping[str, tuple[str, str]]] = {
    r"event\.chow|claim\.chow|page\.drill\.offer\.chow|glossary\.chow\.name": ("吃", "チー"),
    r"event\.pung|claim\.pung|page\.drill\.offer\.pung|glossary\.pung\.name": ("碰", "ポン"),
    r"event\.kong\.closed|claim\.kong_closed|page\.mend\.kong\.closed": ("暗杠", "暗槓"),
    r"event\.kong\.added|claim\.kong_added|page\.mend\.kong\.added": ("加杠", "加槓"),
    r"ready|ready\.now|hint\.now\.ready|badge\.ready|glossary\.ready\.name": ("听牌", "テンパイ"),
    r"hint\.now\.away|teach\.plan\.away|page\.drill\.away|glossary\.distance\.name": (
        "向听",
        "シャンテン",
    ),
    r"glossary\.useful_tile\.name|page\.lessons\.topic\.useful": ("有效牌", "有効牌"),
    r"event\.win\.self|glossary\.own_draw\.name|item\.self_draw": ("自摸", "ツモ"),
    r"event\.drawn|report\.drawn|item\.drawn_hand|page\.mend\.type\.drawn_hand": ("流局", "流局"),
    r"page\.mend\.dealer|glossary\.dealer\.name": ("庄家", "親"),
    r"event\.win|report\.wins\.discard|page\.game\.wins_from": ("点炮", "ロン"),
    r"page\.hall\.parts|page\.refused\.hall\.\w+": ("大厅|牌桌", "会場|卓"),
    r"unit\.han": ("番", "翻"),
    r"unit\.faan": ("番", "番"),
}
"""Terms of the game by the keys of the texts that say them, in Chinese and in Japanese."""


@pytest.mark.parametrize(("keys", "words"), TERMS.items(), ids=TERMS)
def test_a_term_is_the_same_everywhere(keys: str, words: tuple[str, str]) -> None:
    for lang, word in zip(("zh", "ja"), words, strict=True):
        said = {key: text for key, text in texts_of(lang).items() if re.fullmatch(keys, key)}
        assert said
        assert {key: text for key, text in said.items() if not re.search(word, text)} == {}
