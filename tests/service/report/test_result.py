"""A result explains itself, and says which pieces of its hand the film does not show."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from engine.announce import Item, Payout
from engine.codec import read_record
from engine.events import Discard, Entry
from engine.game import replay
from engine.state import Phase
from engine.stories import HandStory
from engine.texts.announcements import Speaker
from service.archive.leases import found_in
from service.machine.records import tell
from service.report.gaps import Gap, gaps_in, told_gaps
from service.report.hands import WinningHand, games_json, winning_hand
from service.report.public import public_table
from service.report.report import to_report
from tests.support.golden import golden
from tests.support.paths import GAMES
from vision.notice import Notice

NAMES = ("Anna", "Bo", "Chie", "Dan")


def hands(rules: str) -> list[Any]:
    (game,) = games_json(tell(read_record((GAMES / f"{rules}.jsonl").read_text("utf-8"))), "en")
    return game["hands"]


def arranged(rules: str, hand: int) -> WinningHand | None:
    game, *_ = tell(read_record((GAMES / f"{rules}.jsonl").read_text("utf-8")))
    state = game.hands[hand].happened[-1].state
    return winning_hand(state, state.wins[0])


@pytest.mark.parametrize(
    ("rules", "hand", "wait", "won"),
    [
        ("riichi", 0, "two_sided", "3p 4p 5p"),
        ("riichi", 1, "closed", "5s 6s 7s"),
        ("harbin-hlr", 0, "two_pairs", "9p 9p 9p"),
        ("wsom", 0, "pair", "3s 3s"),
    ],
)
def test_a_winning_hand_lies_in_its_sets_with_its_wait(
    rules: str, hand: int, wait: str, won: str
) -> None:
    found = arranged(rules, hand)
    assert found is not None
    assert found.wait == wait
    at, _ = found.won
    assert " ".join(map(str, found.sets[at])) == won
    assert sum(map(len, found.sets)) % 3 == 2


def test_a_hand_with_tiles_that_stand_for_others_is_not_arranged() -> None:
    assert arranged("hangzhou", 0) is None


def test_seven_pairs_are_no_sets() -> None:
    (game,) = tell(read_record((GAMES / "riichi.jsonl").read_text("utf-8")))
    seven = [
        (hand.happened[-1].state, win)
        for hand in game.hands
        for win in hand.wins
        if any(item.name == "chiitoitsu" for item in hand.items)
    ]
    assert seven
    assert all(winning_hand(state, win) is None for state, win in seven)


@pytest.mark.parametrize(
    ("rules", "payout", "says"),
    [
        (
            "riichi",
            Payout(
                0,
                (3800, -2600, 0, 0),
                (0,) * 4,
                (Item("riichi_win_discard", 640, "base"), Item("tanyao", 1, "han"),
                 Item("riichi_dora", 1, "han"), Item("fu", 40, "fu"),
                 Item("riichi_deposits", 1200, "points")),
                -1200,
            ),
            "2 han 40 fu: 2600 + 1200 (deposits collected) = 3800",
        ),
        (
            "riichi",
            Payout(
                0,
                (8000, -8000, 0, 0),
                (0,) * 4,
                (Item("riichi_win_discard", 2000, "base"), Item("chinitsu", 5, "han")),
            ),
            "5 han, mangan: 8000",
        ),
        (
            "hangzhou",
            Payout(
                0,
                (6, -2, -2, -2),
                (0,) * 4,
                (Item("self_draw", 1, "points"), Item("banker", 2, "times")),
            ),
            "1 (own draw) × 2 (banker) = 2",
        ),
        (
            "wsom",
            Payout(
                0,
                (45, -45, 0, 0),
                (0,) * 4,
                (Item("discard", 45, "points"), Item("all_triplets", 30, "points"),
                 Item("value_honor", 15, "points")),
            ),
            "30 (all triplets) + 15 (value honor) = 45",
        ),
    ],
)  # fmt: skip
def test_a_payout_is_a_sum_and_a_sentence(rules: str, payout: Payout, says: str) -> None:
    worth, paid, *_ = Speaker("en", NAMES, rules=rules).explained(payout)
    assert worth == says
    losers = [name for name, delta in zip(NAMES, payout.deltas, strict=True) if delta < 0]
    assert paid.startswith(", ".join(losers))
    assert "Anna" in paid


def test_a_sum_that_does_not_come_out_is_not_told() -> None:
    items = (Item("self_draw", 1, "points"), Item("banker", 2, "times"))
    limited = Payout(0, (5, -2, -2, -1), (0,) * 4, items)
    assert Speaker("en", NAMES).explained(limited)[0].startswith("1 (own draw)")
    gone = Payout(0, (1, -1, 0, 0), (0,) * 4, items)
    assert Speaker("en", NAMES).explained(gone) == ("Bo pays 1 to Anna.",)
    mended = replace(gone, items=(*items, Item("paid_before", 2, "points")))
    assert Speaker("en", NAMES).explained(mended) == ()


def test_a_finished_hand_keeps_its_place_until_the_next_begins() -> None:
    entries = read_record((GAMES / "riichi.jsonl").read_text("utf-8"))
    for before, after in pairwise(one.state for one in replay(entries).played):
        if after.phase is Phase.BEFORE_HAND and before.phase is Phase.SETTLED:
            table, was = public_table(after, NAMES), public_table(before, NAMES)
            for name in ("dealer", "round", "honba", "staying"):
                assert table[name] == was[name]
            assert (after.place, before.place) == (before.place, before.place)


def test_no_hand_is_next_after_the_game() -> None:
    told = hands("riichi")
    assert all(hand["next"] is not None for hand in told[:-1])
    assert told[-1]["next"] is None


ENTRIES = tuple(
    replace(entry, t=10.0 + 3.0 * number) for number, entry in enumerate(golden("riichi"))
)
HAND = tell(ENTRIES)[0].hands[0]
TIMES_S = [event.entry.t or 0.0 for event in HAND.happened]
BEGUN_S, ENDED_S = TIMES_S[0], TIMES_S[-1]
DISCARDS = [event for event in HAND.happened if isinstance(event.entry.event, Discard)]


def cut_before(number: int, discards: int) -> tuple[list[Entry], HandStory]:
    """The game if so many discards, from that one on, were found lying at once."""
    lines, at_s = list(ENTRIES), DISCARDS[number].entry.t
    for event in DISCARDS[number : number + discards]:
        lines[event.number] = replace(event.entry, t=at_s)
    return lines, tell(lines)[0].hands[0]


def test_a_scene_belongs_to_the_hands_that_it_interrupts() -> None:
    middle_s = (BEGUN_S + ENDED_S) / 2
    scene = Notice("cut", middle_s + 4.0, "", lasts=False, since_s=middle_s - 4.0)
    light = Notice("light", middle_s, "", lasts=False)
    told = told_gaps([light, scene])
    assert told == (Gap(middle_s - 4.0, middle_s + 4.0),)
    assert gaps_in(HAND, told) == told
    after = tell(ENTRIES)[0].hands[1]
    assert gaps_in(after, told) == ()
    assert gaps_in(HAND, [Gap(ENDED_S + 1.0, ENDED_S + 9.0)]) == ()


@pytest.mark.parametrize(("discards", "gaps"), [(2, 0), (3, 1), (5, 1)])
def test_plays_that_appear_at_once_show_a_cut(discards: int, gaps: int) -> None:
    _, hand = cut_before(2, discards)
    at_s = DISCARDS[2].entry.t or 0.0
    assert gaps_in(hand, ()) == (Gap(at_s, at_s),) * gaps


def test_what_was_played_behind_a_scene_is_no_second_gap() -> None:
    _, hand = cut_before(2, 3)
    at_s = DISCARDS[2].entry.t or 0.0
    told = (Gap(at_s - 20.0, at_s - 0.5),)
    assert gaps_in(hand, told) == told


def test_the_report_and_the_archive_say_so() -> None:
    lines, _ = cut_before(2, 3)
    assert "appear at once" not in to_report(ENTRIES, {}, "x.mp4")
    # Once in the data of the script, once where no script runs.
    assert to_report(lines, {}, "x.mp4").count("appear at once at 0:") == 2
    scene = [Gap(BEGUN_S + 61.0, BEGUN_S + 67.0)]
    shown = to_report(ENTRIES, {}, "x.mp4", gaps=scene)
    assert shown.count("The film does not show") == 2
    found = found_in(ENTRIES, [], {}, ENDED_S, scene)
    assert [gaps for _, gaps in found.doubts[0]][:2] == [1, 0]
