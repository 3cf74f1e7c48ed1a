from __future__ import annotations

import re
from collections.abc import Iterator

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
    Turn,
    Wait,
    note,
)
from engine.events import Chow, Kong, Pung
from engine.game import replay
from engine.rules import RULE_SETS
from engine.tiles import CODES, Tile
from service.words.announcements import sentence
from service.words.files import LANGUAGES, NoSuchLanguage
from tests.support.cases import cases
from tests.support.golden import golden

M = Tile("1m")

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
        "Next hand: seat 1 deals, south round, 3 in a row, 2 counters, 1 deposits",
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


def told() -> Iterator[tuple[str, Announcement]]:
    """Everything that the golden games and the cases of every rule set make the engine say."""
    for rules in RULE_SETS:
        games = [replay(golden(rules))]
        games += [case.play() for case in cases(rules)]
        for game in games:
            yield from ((rules, said) for said in game.announcements())


TOLD = tuple(told())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_announcement_of_games_and_cases_makes_a_whole_sentence(lang: str) -> None:
    names = ("一", "二", "三", "四")
    for rules, said in TOLD:
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


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_seat_is_spoken_to_in_whole_english(rules: str) -> None:
    game = replay(golden(rules))
    wrong = re.compile(r"\byou (?:is|was|\w+[^s]s)\b|\b(?:of|by) you\b", re.IGNORECASE)
    said = [sentence(one, "en", None, seat) for one in game.announcements() for seat in range(4)]
    assert any("you" in each.lower() for each in said)
    assert [each for each in said if wrong.search(each)] == []
