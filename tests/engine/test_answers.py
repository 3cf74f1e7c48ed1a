"""A beginner's four questions: each answer beside a near miss, for every game, and what is seen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.answers import can_claim, playing_for, what_happened, why_not
from engine.events import Chow, Discard, Event, GameStart, HandStart, Kong, Pung, Win
from engine.game import Game, replay
from engine.play import IN_PLAY
from engine.rules import GAMES
from engine.rules.base import RuleSet
from engine.rules.payment import Winners
from engine.rules.wsom.play import WsomPayment
from engine.state import State
from engine.texts.announcements import Speaker
from engine.tiles import Tile, parse
from engine.visibility import concealed
from service.texts.answers import Teller
from tests.support.cases import position
from tests.support.properties import every_rule_set
from tests.support.random_games import played

every_game = pytest.mark.parametrize("rules", [rules.id for rules in GAMES])


def table(
    rules: str, hand: str, sets: Sequence[str] = (), discard: str = "", **more: object
) -> tuple[RuleSet, Game]:
    """Seat 0 holds these tiles; ``discard`` names who discards what before its eyes: ``3 5s``."""
    giver, _, tile = discard.partition(" ")
    turn = 0 if len(parse(hand)) % 3 == 2 else int(giver or 3)
    rivers = more.get("rivers")
    at = position(
        {"0": hand},
        {"0": sets},
        turn=turn,
        wall=60,
        ready=(0,) if more.get("ready") else (),
        fortune="9p" if rules == "hangzhou" else None,
        rivers=(str(rivers), "", "", "") if rivers else None,
    )
    options = more.get("options")
    given: dict[str, object] = dict(options) if isinstance(options, dict) else {}
    events: list[Event] = [GameStart(rules, given), HandStart(), at]
    game = replay(events)
    if tile:
        game.submit(Discard(int(giver), Tile(tile)))
    assert game.rules is not None
    return game.rules, game


ALMOST = "123m 55m 678p 34s"
"""Ten tiles that want two more sets."""
CLAIMS = [
    # Harbin: who has not called ready wins nothing; a chow from across only calls ready. Why a hand
    # is no win is told by what decides: first its tiles, then what the rules ask of them.
    ("harbin-hlr", f"{ALMOST} 77s 7z", (), "3 5s", "chow", True, set()),
    ("harbin-hlr", f"{ALMOST} 77s 7z", (), "1 5s", "win", False, {"not_a_win"}),
    ("harbin-hlr", "123m 55m 678p 34s 789s", (), "1 5s", "win", False, {"not_open"}),
    ("harbin-hlr", "234m 555m 78p 77s", ("678s",), "3 6p", "win", False, {"no_terminal_or_dragon"}),
    ("harbin-treasure", "22m 555m 88p 333s", ("888m",), "3 8p", "win", False, {"no_chow"}),
    ("harbin-hlr", "123m 555m 78p 77s", ("678s",), "3 9p", "win", False, {"not_ready"}),
    ("harbin-hlr", f"{ALMOST} 77s 7z", (), "2 5m", "pung", True, set()),
    ("harbin-hlr", f"{ALMOST} 77s 7z", (), "2 7z", "pung", False, {"too_few_equal"}),
    ("harbin-hlr", f"{ALMOST} 77s 7z", (), "2 5m", "chow", False, {"not_left_neighbour"}),
    ("harbin-hlr", "55m 34s", ("111m", "789p", "678p"), "3 5m", "pung", False, {"fourth_set"}),
    ("harbin-treasure", f"{ALMOST} 77s 7z", (), "3 5s", "chow", True, set()),
    ("harbin-treasure", f"{ALMOST} 77s 7z", (), "3 7z", "chow", False, {"honour_in_no_run"}),
    # Hangzhou: no win by a discard while the banker has not stayed, none of a fortune.
    ("hangzhou", f"{ALMOST} 789s", (), "3 5s", "chow", True, set()),
    ("hangzhou", f"{ALMOST} 789s", (), "3 5s", "win", False, {"claim_forbidden"}),
    ("hangzhou", f"{ALMOST} 789s", (), "3 6s", "win", False, {"not_a_win"}),
    ("hangzhou", f"{ALMOST} 77s 1z", (), "3 9p", "chow", False, {"fortune_claimed"}),
    # WSOM: any shape wins, and only the left neighbour may chow.
    ("wsom", f"{ALMOST} 789s", (), "3 5s", "win", True, set()),
    ("wsom", f"{ALMOST} 789s", (), "3 6s", "win", False, {"not_a_win"}),
    ("wsom", f"{ALMOST} 789s", (), "2 5s", "chow", False, {"not_left_neighbour"}),
    # Riichi: a yaku, and no tile of the own river.
    ("riichi", f"{ALMOST} 789s", (), "3 5s", "win", True, set()),
    ("riichi", ALMOST, ("789s",), "3 5s", "win", False, {"no_yaku"}),
    ("riichi", ALMOST, ("555z",), "3 5s", "win", True, set()),
    ("riichi-2016", f"{ALMOST} 789s", (), "3 4s", "pung", False, {"too_few_equal"}),
    # Hong Kong: three faan.
    ("hong-kong", "555z 55m 678p 34s 777z", (), "3 5s", "win", True, set()),
    ("hong-kong", f"{ALMOST} 789s", (), "3 5s", "win", False, {"too_few_faan"}),
    ("hong-kong", f"{ALMOST} 789s", (), "2 5m", "kong", False, {"too_few_equal"}),
    # Sichuan: two suits, and no chow from anybody.
    ("sichuan", "123m 55m 678m 34s 789s", (), "3 5s", "win", True, set()),
    ("sichuan", f"{ALMOST} 789s", (), "3 5s", "win", False, {"three_suits"}),
    ("sichuan", "123m 55m 678m 34s 789s", (), "3 5s", "chow", False, {"no_chow_here"}),
]


@pytest.mark.parametrize(("rules", "hand", "sets", "discard", "kind", "may", "codes"), CLAIMS)
def test_a_discard_can_be_claimed_or_not_and_the_rule_is_named(
    rules: str,
    hand: str,
    sets: Sequence[str],
    discard: str,
    kind: str,
    may: bool,
    codes: set[str],
) -> None:
    judge, game = table(rules, hand, sets, discard)
    found = [one for one in can_claim(judge, game.state, 0).answers if one.kind == kind]
    assert any(one.allowed for one in found) is may, found
    assert {refusal.code for one in found for refusal in one.refused} == codes
    assert all(one.claim is not None for one in found if one.allowed)


def test_a_furiten_hand_is_told_that_its_own_river_bars_the_win() -> None:
    judge, game = table("riichi", f"{ALMOST} 789s", (), "3 5s", rivers="2s")
    win, *_ = [one for one in can_claim(judge, game.state, 0).answers if one.kind == "win"]
    assert [refusal.code for refusal in win.refused] == ["furiten"]
    assert win.refused[0].source == "004, 3.4.5"


@pytest.mark.parametrize(
    ("rules", "hand", "discard", "lost"),
    [
        ("riichi", "234m 55m 68p 34s 345p 7z", "3 7p", {"riichi", "pinfu", "tanyao"}),
        ("wsom", f"{ALMOST} 345p", "2 5m", {"concealed_hand"}),
        ("hong-kong", "555z 55m 678p 34s 777z", "3 5s", {"concealed_win"}),
        ("sichuan", "123m 55m 678m 34s 789s", "3 5m", set()),
    ],
)
def test_a_claim_tells_which_patterns_go(
    rules: str, hand: str, discard: str, lost: set[str]
) -> None:
    judge, game = table(rules, hand, (), discard)
    sets = [one for one in can_claim(judge, game.state, 0).answers if one.kind != "win"]
    assert any(set(one.lost) == lost for one in sets if one.allowed), sets


@pytest.mark.parametrize(
    ("rules", "first", "winners"),
    [
        ("harbin-hlr", (("win",), ("ready",), ("pung",), ("chow",)), 1),
        ("hangzhou", (("win",), ("pung",), ("chow",)), 1),
        ("riichi", (("win",), ("pung",), ("chow",)), 3),
        ("sichuan", (("win",), ("pung",)), 3),
    ],
)
def test_who_goes_first_is_told(
    rules: str, first: tuple[tuple[str, ...], ...], winners: int
) -> None:
    judge, game = table(rules, f"{ALMOST} 789s", (), "3 5s")
    told = can_claim(judge, game.state, 0)
    assert (told.first, told.winners) == (first, winners)


@pytest.mark.parametrize(
    ("rules", "hand", "sets", "discard", "distance", "lacking", "refused"),
    [
        ("harbin-hlr", f"{ALMOST} 77s 7z", (), "", 1, ("not_open", "no_pung"), ()),
        ("harbin-hlr", "123m 555m 67p 77s", ("678s",), "", 0, (), ()),
        ("harbin-hlr", "234m 555m 67p 77s", ("678s",), "", 1, ("no_terminal_or_dragon",), ()),
        ("harbin-hlr", "111m 555m 67m 77m", ("888m",), "", 2, ("one_suit",), ()),
        ("harbin-treasure", "111m 555m 88p 33s", ("888m",), "", 1, ("no_chow",), ()),
        ("hangzhou", f"{ALMOST} 789s", (), "3 5s", 0, (), ("claim_forbidden",)),
        ("wsom", f"{ALMOST} 789s", (), "", 0, (), ()),
        ("wsom", f"{ALMOST} 788s", (), "", 1, (), ()),
        ("riichi", ALMOST, ("789s",), "", 2, ("no_yaku",), ()),
        ("riichi", f"{ALMOST} 789s", (), "", 0, (), ()),
        ("hong-kong", ALMOST, ("789s",), "", 2, ("too_few_faan",), ()),
        ("hong-kong", "555z 55m 666z 34s 777z", (), "", 0, (), ()),
        ("sichuan", f"{ALMOST} 789s", (), "", 3, ("three_suits",), ()),
        ("sichuan", "123m 55m 678m 34s 789s", (), "3 6s", 0, (), ("not_a_win",)),
    ],
)
def test_a_hand_is_told_what_it_lacks_by_the_rules(
    rules: str,
    hand: str,
    sets: Sequence[str],
    discard: str,
    distance: int,
    lacking: tuple[str, ...],
    refused: tuple[str, ...],
) -> None:
    judge, game = table(rules, hand, sets, discard)
    told = why_not(judge, game.state, 0)
    assert told.outlook is not None
    assert told.outlook.distance == distance, told
    assert set(told.lacking) == set(lacking)
    assert tuple(refusal.code for refusal in told.refused) == refused


@pytest.mark.parametrize(
    ("rules", "hand", "sets", "patterns", "pays"),
    [
        ("harbin-hlr", "123m 55m 34s 77s 7z", ("678p",), set(), True),
        ("hangzhou", f"{ALMOST} 77s 1z", (), {"banker"}, True),
        ("wsom", "2233m 4477p 6688s 1z", (), {"seven_pairs"}, True),
        ("riichi", "234m 55m 678p 34s 345p", (), {"riichi", "pinfu", "tanyao"}, True),
        ("riichi-2016", "55m 34s 345p 7z", ("678p", "234m"), {"tanyao"}, True),
        ("hong-kong", "555z 55m 678p 34s 777z", (), {"great_dragons"}, True),
        ("sichuan", "123m 55m 678m 34s 789s", (), {"sichuan_no_terminals"}, True),
        # No more sets may be declared, and none is open.
        ("harbin-hlr", "22m 67p", ("(1111m)", "(3333p)", "(5555s)"), set(), False),
    ],
)
def test_plans_name_patterns_and_what_they_pay(
    rules: str, hand: str, sets: Sequence[str], patterns: set[str], pays: bool
) -> None:
    judge, game = table(rules, hand, sets)
    told = playing_for(judge, game.state, 0)
    assert bool(told) is pays
    assert not patterns or any(patterns <= set(plan.patterns) for plan in told), told
    for plan in told:
        assert plan.most > 0
        assert len(plan.needs) == plan.distance + 1
    assert list(told) == sorted(told, key=lambda plan: plan.distance)


@every_game
def test_what_may_be_claimed_is_what_the_engine_accepts(rules: str) -> None:
    compared = 0
    for step in played(rules, 1).played:
        state = step.state
        if step.rules is None or state.phase not in IN_PLAY or state.last_discard is None:
            continue
        legal = [
            event
            for event in step.rules.legal(state)
            if isinstance(event, Chow | Pung | Kong | Win) and event.from_seat != event.seat
        ]
        for seat in state.claimant_seats:
            told = can_claim(step.rules, state, seat).answers
            claims = [one.claim for one in told if one.allowed]
            expected = [event for event in legal if event.seat == seat]
            assert sorted(map(repr, claims)) == sorted(map(repr, expected))
            compared += len(expected)
    assert compared


@every_game
def test_nothing_told_depends_on_a_tile_that_the_seat_cannot_see(rules: str) -> None:
    for step in played(rules, 1).played[::25]:
        judge, state = step.rules, step.state
        if judge is None or state.phase not in IN_PLAY:
            continue
        for seat in range(4):
            known = concealed(state, judge, seat)
            for ask in (can_claim, why_not, playing_for):
                assert ask(judge, state, seat) == ask(judge, known, seat)


@every_game
def test_what_just_happened_is_the_last_announcement_that_the_seat_heard(rules: str) -> None:
    game = played(rules, 2)
    told = what_happened(game.played, 1)
    assert told is not None
    assert told.said
    assert what_happened((), 1) is None


@pytest.mark.parametrize(
    ("rules", "options", "paid", "off"),
    [
        ("riichi", {}, 3, None),
        ("riichi", {"multiple_ron": "two"}, 2, None),
        ("riichi", {"abortive_draws": ("three_wins",)}, 2, 3),
        ("riichi-tenhou", {}, 2, 3),
        ("riichi-tenhou", {"multiple_ron": "nearest"}, 1, 3),
        ("riichi-m-league", {}, 1, None),
        ("riichi-mahjong-soul", {}, 3, None),
        ("sichuan", {}, 3, None),
        ("hong-kong", {}, 1, None),
    ],
)
def test_what_follows_from_several_wins_on_one_tile_is_told(
    rules: str, options: dict[str, object], paid: int, off: int | None
) -> None:
    judge, game = table(rules, f"{ALMOST} 789s", (), "3 5s", options=options)
    told = can_claim(judge, game.state, 0)
    assert (told.winners, told.called_off_at) == (paid, off)
    said = Teller("en", ("", "", "", ""), 0, rules).precedence(told)
    assert ("nobody is paid" in said) is (off is not None and paid > 1)
    assert "3 players" not in said or (paid == 3 and off is None)


class TwoMayWin(WsomPayment):
    """Both who may win on a discard are paid, as where nothing else is said."""

    def winners(self, state: State) -> Winners:
        return Winners(2)


def test_everybody_who_may_win_is_paid_where_nothing_else_is_said() -> None:
    judge, game = table("wsom", f"{ALMOST} 789s", (), "3 5s")
    assert can_claim(replace(judge, payment=TwoMayWin()), game.state, 0).winners == 2


@every_rule_set
def test_a_hand_is_told_what_it_needs_and_not_that_it_has_none(rules: str) -> None:
    for step in played(rules, 3).played[::50]:
        judge, state = step.rules, step.state
        if judge is None or state.phase not in IN_PLAY:
            continue
        for seat in range(4):
            told = why_not(judge, state, seat)
            for lang, wrong in (("en", r"\bno\b"), ("zh", "没有"), ("ja", "ない|なし")):
                said = Teller(lang, state.names, seat, rules).lacking(told)
                assert not re.search(wrong, said), said


RIICHI_WORDS = {
    "en": r"\b(yaku|riichi|furiten|han|fu|honba|ron|tsumo|tenpai)\b",
    "zh": "役|立直|振听|符|供托",
    "ja": "立直|リーチ|フリテン|符|供託",
}


@pytest.mark.parametrize(
    "rules", [rules.id for rules in GAMES if not rules.id.startswith("riichi")]
)
def test_no_game_is_told_of_in_the_words_of_riichi(rules: str) -> None:
    """Hints, answers, plans and announcements of whole games, hints of hands worth too little."""
    for step in played(rules, 4).played[::37]:
        judge, state = step.rules, step.state
        if judge is None or state.phase not in IN_PLAY:
            continue
        for lang, words in RIICHI_WORDS.items():
            for seat in range(4):
                teller = Teller(lang, state.names, seat, rules)
                hint, told = judge.hint(state, seat), why_not(judge, state, seat)
                said = [*teller.rows(hint), teller.no_win(told), teller.lacking(told)]
                said += [teller.plan(plan) for plan in playing_for(judge, state, seat)]
                said += [teller.say(each) for each in step.announcements]
                assert [text for text in said if re.search(words, text)] == []


def test_a_hong_kong_hand_that_is_worth_too_little_is_told_so_and_asked_for_no_yaku() -> None:
    judge, game = table("hong-kong", "123m 55m 678p 34s", ("789s",))
    now = judge.hint(game.state, 0).now
    assert now is not None
    codes = {reason.code for reason in now.reasons}
    assert "too_few_faan" in codes
    assert "no_yaku" not in codes
    for lang, word in (("en", "faan"), ("zh", "番"), ("ja", "番")):
        assert word in Speaker(lang, rules="hong-kong").sentence(judge.hint(game.state, 0))


def test_a_hand_that_can_never_win_is_not_said_to_be_closed() -> None:
    judge, game = table("sichuan", "1235m", ("111s", "222p", "555m"))
    said = Speaker("en", rules="sichuan").sentence(judge.hint(game.state, 0))
    assert "never" in said
    assert "none is open" not in said
