"""A hand says which pieces of it the film does not show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import Discard, Entry
from service.archive.found import found_in
from service.report.gaps import Gap, gaps_in, told_gaps
from service.report.report import to_report
from service.report.story import HandStory, tell
from tests.support.golden import golden
from vision.notice import Notice

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
    assert to_report(lines, {}, "x.mp4").count("appear at once at 0:") == 1
    scene = [Gap(BEGUN_S + 61.0, BEGUN_S + 67.0)]
    shown = to_report(ENTRIES, {}, "x.mp4", gaps=scene)
    assert shown.count("The film does not show") == 1
    found = found_in(ENTRIES, [], {}, ENDED_S, scene)
    assert [hand["gaps"] for hand in found.hands][:2] == [1, 0]
