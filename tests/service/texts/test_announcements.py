"""What is announced, as a sentence and line by line, in every language."""

from __future__ import annotations

import re
from itertools import product
from math import prod
from pathlib import Path

import pytest

from engine.announce import (
    Announcement,
    GameResult,
    HandResult,
    Hint,
    HintDiscard,
    Item,
    NotReady,
    Payout,
    Problem,
    Ready,
    Reason,
    Turn,
    Wait,
    note,
)
from engine.codec import read_record
from engine.events import Chow, Kong, Pung
from engine.game import replay
from engine.rules import RULE_SETS
from engine.texts.announcements import EVERY_KIND, Speaker, sentence, with_text
from engine.texts.files import LANGUAGES, NoSuchLanguage
from engine.tiles import CODES, Tile
from service.machine.records import tell
from service.report.sheet import result_text
from service.texts.events import event_text
from tests.support.cases import cases
from tests.support.golden import WITH_GAME, golden
from tests.support.paths import GAMES

M = Tile("1m")

NAMES = ("Li", "Bo", "Wang", "Zhao")


def won(*yaku: tuple[str, int], base: int) -> Payout:
    items = [Item("riichi_win_draw", base, "base"), *(Item(*one, "han") for one in yaku)]
    items.append(Item("fu", 40, "fu"))
    return Payout(0, (9, -9, 0, 0), (9, -9, 0, 0), tuple(items))


SENTENCES: list[tuple[Announcement, str]] = [
    (
        Ready(1, (Wait(M, 3), Wait(Tile("4m"), 2, "no_pung"))),
        "Seat 1 is ready and waits for one of characters (3 left);"
        " not for four of characters (no pung or kong)",
    ),
    (
        Ready(1, (Wait(M, 3, "one_suit"),)),
        "Seat 1 is one tile away, but no tile may complete the hand;"
        " not for one of characters (one suit only)",
    ),
    (
        Ready(1, (Wait(M, 3, "furiten", "furiten"), Wait(Tile("4m"), 2, "furiten", "furiten"))),
        "Seat 1 is ready and waits for one of characters (3 left), four of characters (2 left);"
        " by own draw only: furiten",
    ),
    (
        Ready(1, tuple(Wait(kind, 3) for kind in EVERY_KIND)),
        "Seat 1 is ready and waits for any tile",
    ),
    (Ready(2, unknown=True), "Seat 2 claims ready with a hidden hand"),
    (NotReady(2, ("no_wait",)), "Seat 2 is not ready: no tile can win"),
    (
        Payout(0, (6, -2, -2, -2), (9, 1, 1, 1), (Item("self_draw", 2, "points"),)),
        "Seat 0 wins: seat 0 +6, seat 1 −2, seat 2 −2, seat 3 −2 (own draw 2); totals 9, 1, 1, 1",
    ),
    (
        Payout(None, (0, 0, 0, 0), (9, 1, 1, 1), (note("refused"),)),
        "The win is refused: nothing is paid; totals 9, 1, 1, 1",
    ),
    (
        Payout(None, (0, 0, 0, 0), (9, 1, 1, 1), (note("drawn_hand"),)),
        "Settlement: nothing is paid (drawn hand); totals 9, 1, 1, 1",
    ),
    (Payout(None, (0, 0, 0, 0), (9, 1, 1, 1)), "Settlement: nothing is paid; totals 9, 1, 1, 1"),
    (
        Payout(None, (-1000, 0, 0, 0), (0, 1, 1, 1), pot=1000),
        "Settlement: seat 0 −1000, table +1000; totals 0, 1, 1, 1",
    ),
    (
        Problem("fourth_set", 3, False, "000, 2", "start_game"),
        "Against the rules: seat 3 declared a fourth set (000, 2). Start a game first.",
    ),
    (
        Problem("no_game", None, True, "record", "start_game"),
        "Cannot be: no game has started (record). Start a game first.",
    ),
    (
        Hint(3, (HintDiscard(M, (Wait(Tile("7z"), 2),)),), audience=3),
        "Seat 3, discards, best first: one of characters, then wait for red dragon (2 left)",
    ),
    (
        Hint(3, (HintDiscard(M, distance=1, useful=(M,), left=4),), audience=3),
        "Seat 3, discards, best first: one of characters (1 away, 4 useful tiles left)",
    ),
    (
        Hint(
            3,
            (
                HintDiscard(
                    M, (Wait(Tile("7z"), 2), Wait(Tile("6z"), 1)), reasons=(Reason("no_nearer"),)
                ),
                HintDiscard(Tile("2m"), (Wait(Tile("5z"), 2),)),
            ),
            audience=3,
        ),
        "Seat 3, discards, best first: one of characters, then wait for red dragon (2 left),"
        " green dragon (1 left) – no nearer;"
        " two of characters, then wait for white dragon (2 left)",
    ),
    (Hint(3, (), audience=3), "Seat 3, there is nothing to suggest"),
    (
        Turn(
            1,
            50,
            (
                Chow(1, 0, M, (Tile("2m"), Tile("3m")), True),
                Chow(1, 0, M, (Tile("2m"), Tile("4m"))),
                Pung(2, 0, M, (M, M)),
                Pung(2, 0, M, (M, M), True),
                Kong(3, "open", M),
            ),
        ),
        "Seat 1 to play, 50 tiles in the wall; possible claims: chow and ready by seat 1"
        " with two of characters and three of characters,"
        " chow by seat 1 with two of characters and four of characters,"
        " pung by seat 2, pung and ready by seat 2, kong by seat 3",
    ),
    (
        HandResult(1, Tile("2z"), 2, 1, 3),
        "Next hand: seat 1 deals, south round, 3 in a row, 2 counters, 1 deposit",
    ),
    (
        GameResult((5, 9, -7, -7), (2, 1, 3, 3)),
        "The game is over: 1. seat 1 with 9, 2. seat 0 with 5, =3. seat 2 with −7,"
        " =3. seat 3 with −7",
    ),
]


@pytest.mark.parametrize(("said", "expected"), SENTENCES, ids=range(len(SENTENCES)))
def test_an_announcement_in_english(said: Announcement, expected: str) -> None:
    assert sentence(said, "en") == expected


IN_A_GAME: list[tuple[Announcement, str, str, str]] = [
    (
        HandResult(1, Tile("1z"), 0, 0, 1),
        "hangzhou",
        "en",
        "Next hand: seat 1 deals",
    ),
    (
        HandResult(1, Tile("1z"), 1, 1, 1),
        "riichi",
        "en",
        "Next hand: seat 1 deals, east round, 1 honba, 1 riichi stick",
    ),
    (
        won(("daisuushii", 26), base=16000),
        "riichi",
        "en",
        "Seat 0 wins: seat 0 +9, seat 1 −9 (own draw, double yakuman,"
        " big four winds double yakuman); totals 9, −9, 0, 0",
    ),
    (
        won(("daisuushii", 26), ("suuankou_tanki", 26), base=32000),
        "riichi",
        "ja",
        "席0の和了：席0 +9、席1 −9（ツモ、4倍役満、大四喜 ダブル役満、四暗刻単騎 ダブル役満）"
        "、持ち点：9、−9、0、0",
    ),
    (
        won(("riichi", 5), base=2000),
        "riichi",
        "en-native",
        "Seat 0 wins: seat 0 +9, seat 1 −9 (tsumo, mangan, riichi 5 han, fu 40);"
        " totals 9, −9, 0, 0",
    ),
    (
        GameResult((9, 5, 5, -7), (1, 2, 2, 4)),
        "",
        "zh",
        "对局结束：第1名 0号位 9分、并列第2名 1号位 5分、并列第2名 2号位 5分、第4名 3号位 −7分",
    ),
    (
        GameResult((9, 5, 5, -7), (1, 2, 2, 4)),
        "",
        "ja",
        "対局終了：1位 席0 9点、同率2位 席1 5点、同率2位 席2 5点、4位 席3 −7点",
    ),
    (
        Problem("no_game", None, True, "record, three ways", "start_game"),
        "",
        "zh",
        "不可能：对局还没有开始（记录）。请先开始对局。",
    ),
    (
        Problem("no_game", None, True, "common practice; 002 is silent", "start_game"),
        "",
        "ja",
        "あり得ない：対局が始まっていない（慣例; 002 に規定なし）。先に対局を始めてください。",
    ),
]


@pytest.mark.parametrize(
    ("said", "rules", "lang", "expected"), IN_A_GAME, ids=range(len(IN_A_GAME))
)
def test_an_announcement_in_the_words_of_a_game(
    said: Announcement, rules: str, lang: str, expected: str
) -> None:
    assert sentence(said, lang, rules=rules) == expected
    assert with_text(said, lang, rules)["text"] == expected


def test_riichi_in_native_terms_has_no_chinese_ones() -> None:
    record = golden("riichi")
    said = [
        sentence(announcement, "en-native", rules="riichi")
        for announcement in replay(record).announcements()
    ]
    said += [event_text(entry.event, NAMES, "en-native", "riichi") for entry in record]
    for game in tell(record):
        said += [result_text(game, hand, "en-native") for hand in game.hands]
    chinese = re.compile(r"\b(?:hu|zimo|peng|gang|ting|chi)\b")
    assert [line for line in said if chinese.search(line)] == []
    assert any("ron" in line for line in said)


def test_players_are_named_where_they_have_names() -> None:
    names = ("Li", "", "Wang", "Zhao")
    assert sentence(Turn(2, 9), "en", names) == "Wang to play, 9 tiles in the wall"
    assert sentence(Turn(1, 9), "en", names) == "Seat 1 to play, 9 tiles in the wall"


def test_a_language_without_a_table_is_refused() -> None:
    with pytest.raises(NoSuchLanguage, match="among en, zh, ja, en-native, got 'tlh'"):
        sentence(Turn(0, 1), "tlh")


def test_a_foul_without_a_sentence_of_its_own_is_named_as_it_was_written() -> None:
    said = sentence(Problem("spilt {tea", 1, False, "record", "people_decide"))
    assert said.startswith("Against the rules: seat 1, spilt {tea (record).")


def test_what_people_write_cannot_break_the_line() -> None:
    said = sentence(Problem("spilt\ntea\x1b[31m", 1, False, "record", "people_decide"))
    assert "spilt tea [31m" in said
    assert sentence(Turn(0, 1), "en", ["a\r\u2028b"] * 4).startswith("A  b to play")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("named", ["irregular", "impossible", "foul", "wall_not_used_up", "seat"])
def test_a_foul_may_be_named_like_anything_in_the_tables(lang: str, named: str) -> None:
    said = sentence(Problem(named, 1, False, "record", "people_decide"), lang)
    assert named in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_tile_has_a_name_of_its_own(lang: str) -> None:
    said = {sentence(Ready(0, (Wait(Tile(code), 1),)), lang) for code in (*CODES, "?")}
    assert len(said) == len(CODES) + 1
    assert not any("tile." in words or "{" in words for words in said)


Told = list[tuple[str, Announcement]]


@pytest.fixture(scope="module")
def told() -> Told:
    """Everything that the golden games and the cases of every rule set make the engine say."""
    said: Told = []
    for rules in RULE_SETS:
        games = [replay(golden(rules))] if rules in WITH_GAME else []
        games += [case.play() for case in cases(rules)]
        said += ((rules, one) for game in games for one in game.announcements())
    return said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_announcement_of_games_and_cases_makes_a_whole_sentence(
    lang: str, told: Told
) -> None:
    names = ("一", "二", "三", "四")
    for rules, said in told:
        for spoken in (sentence(said, lang), sentence(said, lang, names)):
            broken = re.search(
                r"\{|\}|None|  |\(\)|（）|、、|, ,|[、，,;；]$|、）|\w\.\w+_", spoken
            )
            assert not broken, (rules, spoken)


def test_who_is_told_is_spoken_to() -> None:
    said = Payout(1, (-3, 5, -1, -1), (1, 2, 3, 4))
    names = ("Anna", "", "Chen", "Dana")
    own = "You win: Anna −3, you +5, Chen −1, Dana −1; totals 1, 2, 3, 4"
    assert sentence(said, "en", names, 1) == own
    assert sentence(said, "en", names, 0).startswith("Seat 1 wins: you −3, seat 1 +5")
    dead = Problem("dead_hand", 2, False, "000", "people_decide")
    assert "the hand of Chen is dead" in sentence(dead, "en", names, 1)
    assert "your hand is dead" in sentence(dead, "en", names, 2)
    assert sentence(said, "zh", names, 1).startswith("你")
    assert sentence(said, "ja", names, 1).startswith("あなた")


@pytest.mark.parametrize("rules", WITH_GAME)
def test_a_seat_is_spoken_to_in_whole_english(rules: str) -> None:
    game = replay(golden(rules))
    wrong = re.compile(r"\byou (?:is|was|\w+[^s]s)\b|\b(?:of|by) you\b", re.IGNORECASE)
    said = [
        sentence(announcement, "en", None, seat)
        for announcement in game.announcements()
        for seat in range(4)
    ]
    assert any("you" in each.lower() for each in said)
    assert [each for each in said if wrong.search(each)] == []


def test_a_hint_says_whose_offence_bars_the_hand() -> None:
    barred = HintDiscard(Tile("1m"), distance=1, reasons=(Reason("false_win"),))
    said = Hint(2, (barred,), audience=2)
    for told in (sentence(said, "en", NAMES), *Speaker("en", NAMES).rows(said)):
        assert "Wang called a win that is none" in told


PEOPLE = ("Anna", "Bo", "Chen", "Dai")


def test_a_payout_is_told_item_by_item() -> None:
    items = (Item("self_draw", 2, "times"), Item("dora", 3, "times"))
    payout = Payout(0, (18, -6, -6, -6), (18, -6, -6, -6), items)
    assert Speaker("en", PEOPLE).rows(payout) == (
        "own draw x2",
        "dora drawn x3",
        "Anna +18",
        "Bo −6",
        "Chen −6",
        "Dai −6",
    )


def test_a_payout_names_seat_0_and_counts_to_none_as_others() -> None:
    """A figure of nothing is a figure; only a note has none."""
    items = (Item("riichi_chombo", 0, "seat"), Item("riichi_noten", 0, "tenpai"), note("refused"))
    said = Speaker("en").rows(Payout(None, (0, 0, 0, 0), (0, 0, 0, 0), items))
    assert said[:3] == ("chombo by seat 0", "noten payment, tenpai 0", "refused")


def test_a_chombo_says_whom_it_pays() -> None:
    items = (Item("riichi_chombo", 1, "seat"),)
    payout = Payout(None, (4000, -8000, 2000, 2000), (29000, 17000, 27000, 27000), items)
    assert Speaker("en", PEOPLE).rows(payout)[0] == "chombo by Bo"
    assert Speaker("en", PEOPLE).explained(payout) == (
        "Bo pays 4000 to Anna.",
        "Bo pays 2000 to Chen.",
        "Bo pays 2000 to Dai.",
    )
    assert Speaker("en", ("",) * 4).explained(payout)[0] == "Seat 1 pays 4000 to seat 0."


def test_what_has_no_parts_is_told_in_its_sentence() -> None:
    for said in (NotReady(1, ("no_chow",)), Hint(0, (), audience=0)):
        assert Speaker("en", PEOPLE).rows(said) == (sentence(said, "en", PEOPLE),)


@pytest.mark.parametrize("game", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_row_of_a_hint_stands_in_its_sentence(game: Path) -> None:
    said = replay(read_record(game.read_text())[:60]).taught()
    hints = [one for one in said if isinstance(one, Hint)]
    assert hints
    for hint, lang in product(hints, LANGUAGES):
        whole = sentence(hint, lang, PEOPLE)
        # The sentence begins with a capital.
        told = Speaker(lang, PEOPLE).rows(hint)
        assert [row for row in told if row[1:] not in whole] == [], lang


def payouts(game: Path) -> list[tuple[Payout, str]]:
    """Every payout of a game, and its rule set."""
    played = replay(read_record(game.read_text())).played
    said = ((one, each.state.rules) for each in played for one in each.announcements)
    return [(one, rules) for one, rules in said if isinstance(one, Payout)]


@pytest.mark.parametrize("game", sorted(GAMES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_rows_of_a_result_add_up_to_its_sum(game: Path) -> None:
    for payout, rules in payouts(game):
        assert sum(payout.deltas) + payout.pot == 0
        lines, worth = Speaker("en", PEOPLE, rules=rules).ledger(payout)
        han = [int(value.split()[0]) for _, value in lines if value.endswith(" han")]
        times = [int(value[1:]) for _, value in lines if value.startswith("x")]
        if worth is None:
            continue
        if han:
            assert worth.startswith(f"{sum(han)} han"), lines
        else:
            points = sum(int(value) for _, value in lines if value.isdecimal())
            assert worth.endswith(f" = {points * prod(times)}"), lines
