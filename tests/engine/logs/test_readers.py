"""What each form says in its own way comes out as the same events."""

from __future__ import annotations

import json

import pytest

from engine.events import (
    Chow,
    Deal,
    Discard,
    DrawnHand,
    GameEnd,
    GameStart,
    HandStart,
    Indicator,
    Reveal,
    Win,
)
from engine.logs.mjai import read_mjai
from engine.logs.mjlog import read_mjlog
from engine.logs.record_writer import RecordWriter
from engine.logs.tenhou6 import read_tenhou6
from engine.logs.tenhou6_order import DRAWN_HANDS, IN_OTHER_WORDS, THREE_WINS, WON
from engine.tiles import Tile, show
from tests.support.log_texts import DEALT, HAND, INIT, LIVE, START, rounds, xml


def events(scribe: RecordWriter) -> list[object]:
    return [entry.event for entry in scribe.entries]


def dealt(scribe: RecordWriter) -> list[str]:
    return [show(event.tiles) for event in events(scribe) if isinstance(event, Deal)]


def game(scribe: RecordWriter) -> GameStart:
    first = events(scribe)[0]
    assert isinstance(first, GameStart)
    return first


# --- mjlog ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game_type", "options"),
    [
        (9, {}),
        (169, {}),
        (11, {"red_fives": 0}),
        (13, {"open_tanyao": False}),
        (1, {"rounds": 1}),
        (7, {"red_fives": 0, "open_tanyao": False, "rounds": 1}),
    ],
)
def test_house_rules_are_bits_of_the_game_s_type(game_type: int, options: object) -> None:
    start = game(read_mjlog(xml(INIT, game_type)))
    assert (start.rules, start.options) == ("riichi-tenhou", options)


def test_a_red_five_is_one_of_its_kind_where_the_game_has_them() -> None:
    assert dealt(read_mjlog(xml(INIT)))[:2] == ["123406789m 1234p", "123456789m 1234p"]
    assert dealt(read_mjlog(xml(INIT, game_type=11)))[0] == "123456789m 1234p"


def test_names_are_unpacked_and_stay_when_somebody_comes_back() -> None:
    names = '<UN n0="%41" n1="%E6%9D%B1" n2="C" n3="D"/>'
    again = '<BYE who="0"/><UN n0="%5A"/>'
    assert game(read_mjlog(xml(names + again + INIT))).players == ("A", "東", "C", "D")


def test_equal_tiles_are_told_apart() -> None:
    played = events(read_mjlog(xml(INIT + "<T53/><D0/><U100/><E100/><V101/><F101/>")))
    assert [event.drawn for event in played if isinstance(event, Discard)] == [False, True, True]
    later = "<W102/><G102/><T54/><D53/>"
    later_discards = events(
        read_mjlog(xml(INIT + "<T53/><D0/><U100/><E100/><V101/><F101/>" + later))
    )
    assert later_discards[-1] == Discard(0, Tile("5p"), drawn=False)


def test_a_chow_is_unpacked_from_its_bits() -> None:
    # The seat after claims the highest of 2, 3, 4 with its copies of number 5 and 9.
    chow = events(read_mjlog(xml(INIT + '<T100/><D12/><N who="1" m="5167"/>')))[-1]
    assert chow == Chow(1, 0, Tile("4m"), (Tile("2m"), Tile("3m")))


def test_the_hand_begins_as_its_seed_says() -> None:
    init = INIT.replace('seed="0,0,0,1,2,135"', 'seed="6,2,1,1,2,135"').replace(
        'oya="0"', 'oya="2"'
    )
    _, start, *_ = events(read_mjlog(xml(init)))
    assert start == HandStart(2, Tile("2z"), 2, 1, dice=(2, 3))


def test_three_wins_are_three_wins() -> None:
    shown = " ".join(f'hai{seat}="0,1,2"' for seat in (1, 2, 3))
    log = xml(INIT + f'<T100/><D100/><RYUUKYOKU type="ron3" {shown}/>')
    wins = [event for event in events(read_mjlog(log)) if isinstance(event, Win)]
    assert [(win.seat, win.from_seat, win.tile) for win in wins] == [
        (1, 0, "8s"), (2, 0, "8s"), (3, 0, "8s")
    ]  # fmt: skip


def test_a_game_ends_with_its_last_result() -> None:
    result = '<RYUUKYOKU type="yao9" hai0="0,4,8,12,16,20,24,28,32,36,40,44,48,100"'
    last = events(read_mjlog(xml(f'{INIT}<T100/>{result} owari="250,0"/>')))
    assert isinstance(last[-1], GameEnd)
    drawn, reveal = last[-4:-2]
    assert drawn == DrawnHand("nine_terminals")
    assert isinstance(reveal, Reveal)
    assert len(reveal.tiles) == 14
    assert not isinstance(events(read_mjlog(xml(f"{INIT}<T100/>{result}/>")))[-1], GameEnd)


# --- mjai -----------------------------------------------------------------------------------------

TURN = '{"type":"tsumo","actor":0,"pai":"8s"}\n{"type":"dahai","actor":0,"pai":"8s"}\n'


def test_house_rules_stand_with_the_start() -> None:
    told = START.replace('"names"', '"gametype":"tonpu","aka_flag":false,"names"')
    assert game(read_mjai(told + HAND)).options == {"red_fives": 0, "rounds": 1}
    assert game(read_mjai(LIVE)).options == {}


def test_hidden_hands_are_not_dealt() -> None:
    hidden = HAND.replace(json.dumps(DEALT[:1])[1:-1], json.dumps(["?"] * 13), 3)
    kinds = [type(event).__name__ for event in events(read_mjai(START + hidden + TURN))]
    assert kinds == ["GameStart", "HandStart", "Deal", "Indicator", "Draw", "Discard"]


def test_a_discard_that_does_not_say_so_is_the_tile_drawn_where_it_could_be() -> None:
    assert events(read_mjai(LIVE + TURN))[-1] == Discard(0, Tile("8s"), drawn=True)


@pytest.mark.parametrize("name", ["ura_markers", "uradora_markers"])
def test_ura_dora_stand_before_the_win(name: str) -> None:
    win = {"type": "hora", "actor": 1, "target": 0, name: ["E"], "hora_tehais": DEALT[1]}
    under, won, _ = events(read_mjai(LIVE + TURN + json.dumps(win)))[-3:]
    assert under == Indicator(Tile("1z"), "ura_dora")
    assert isinstance(won, Win)
    assert (won.tile, show(won.hand or ())) == ("8s", "123456789m 1234p")


def test_a_drawn_hand_may_hold_the_winning_tile_or_not() -> None:
    drawn = LIVE + '{"type":"tsumo","actor":0,"pai":"8s"}\n'
    for hand in (DEALT[0], [*DEALT[0], "8s"]):
        win = {"type": "hora", "actor": 0, "target": 0, "pai": "8s", "hora_tehais": hand}
        won = events(read_mjai(drawn + json.dumps(win)))[-2]
        assert isinstance(won, Win)
        assert show(won.hand or ()) == "123456789m 1234p"


@pytest.mark.parametrize(
    ("played", "reason"),
    [
        (TURN, "exhausted"),
        ('{"type":"tsumo","actor":0,"pai":"8s"}\n', "nine_terminals"),
        (
            "".join(
                f'{{"type":"tsumo","actor":{seat},"pai":"N"}}\n'
                f'{{"type":"dahai","actor":{seat},"pai":"N","tsumogiri":true}}\n'
                for seat in range(4)
            ),
            "four_winds",
        ),
        (
            "".join(
                f'{{"type":"tsumo","actor":{seat},"pai":"{seat + 5}s"}}\n'
                f'{{"type":"reach","actor":{seat}}}\n'
                f'{{"type":"dahai","actor":{seat},"pai":"{seat + 5}s","tsumogiri":true}}\n'
                for seat in range(4)
            ),
            "four_ready",
        ),
    ],
)
def test_why_nobody_won_is_seen_from_the_play(played: str, reason: str) -> None:
    told = events(read_mjai(LIVE + played + '{"type":"ryukyoku","deltas":[0,0,0,0]}'))
    assert [event.reason for event in told if isinstance(event, DrawnHand)] == [reason]


def test_who_receives_shows_the_hand() -> None:
    paid = '{"type":"ryukyoku","deltas":[1500,-1500,1500,-1500]}'
    told = events(read_mjai(LIVE + TURN + paid))
    assert [event.seat for event in told if isinstance(event, Reveal)] == [0, 2]


def test_several_games_are_one_record() -> None:
    one = LIVE + TURN + '{"type":"ryukyoku"}\n{"type":"end_kyoku"}\n{"type":"end_game"}\n'
    told = events(read_mjai(one + one))
    assert sum(isinstance(event, GameStart) for event in told) == 2
    assert sum(isinstance(event, GameEnd) for event in told) == 2


# --- tenhou.net/6 ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("般南喰赤", {}),
        ("般東喰赤", {"rounds": 1}),
        ("般南赤", {"open_tanyao": False}),
        ("Gold Room South", {}),
        ("Gold Room East", {"rounds": 1}),
    ],
)
def test_house_rules_stand_in_the_name_of_the_rule(name: str, options: dict[str, object]) -> None:
    log = rounds(takes=[37], result=["九種九牌"]).replace("般南喰赤", name)
    assert game(read_tenhou6(log)).options == options
    without_reds = log.replace('"aka": 1', '"aka": 0')
    assert game(read_tenhou6(without_reds)).options == {"red_fives": 0} | options


@pytest.mark.parametrize("word", ["九種九牌", "Kyuushu Kyuuhai", "Nine Terminal Abortion"])
def test_results_may_be_in_english(word: str) -> None:
    told = events(read_tenhou6(rounds(result=[word])))
    drawn, shown = told[-3:-1]
    assert drawn == DrawnHand("nine_terminals")
    assert isinstance(shown, Reveal)


def test_every_result_in_english_is_one_of_the_site() -> None:
    known = {WON, *DRAWN_HANDS, *THREE_WINS}
    assert set(IN_OTHER_WORDS.values()) <= known


def several(*points: list[int]) -> str:
    """Hands called off at once, which begin with these points."""
    hands = [json.loads(rounds(points=point))["log"][0] for point in points]
    return json.dumps({"log": hands})


def test_hands_of_other_games_begin_a_new_game() -> None:
    level, other = [25_000] * 4, [30_000, 20_000, 25_000, 25_000]
    told = events(read_tenhou6(several(level, level, other)))
    points = [event.points for event in told if isinstance(event, GameStart)]
    assert points == [tuple(level), tuple(other)]


@pytest.mark.parametrize(
    ("takes", "order"), [([31, "1111p11", 32], "0101230"), ([31, 32, "1111p11"], "0123010")]
)
def test_the_order_of_play_is_the_one_in_which_every_tile_has_its_place(
    takes: list[object], order: str
) -> None:
    """Seat 1 discards two equal tiles, and seat 0 claims one of them."""
    hands = [
        [11, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23],
        [11, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23],
        [12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24, 25],
        [12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24, 25],
    ]
    gives = [60 if isinstance(take, int) else 12 for take in takes]
    play = [(takes, gives), ([33, 34], [11, 11]), ([37], [60]), ([38], [60])]
    hand: list[object] = [[0, 0, 0], [25_000] * 4, [47], []]
    for tiles, (taken, given) in zip(hands, play, strict=True):
        hand += [tiles, taken, given]
    told = events(read_tenhou6(json.dumps({"log": [[*hand, ["全員不聴"]]]})))
    assert "".join(str(event.seat) for event in told if isinstance(event, Discard)) == order
