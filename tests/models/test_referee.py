"""The oracle referee: what it mends, when, and what it counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import referee
from games.outcome import GameCase
from games.referee import Mend, Mended, Referee, mended_labels

from engine.events import Correct, Discard, Entry, Event, GameEnd, GameStart, HandStart
from engine.log import in_force
from engine.tiles import Tile
from vision.compare import NOT_COUNTED

TILES = ("1m", "9p", "5z", "2s", "7m")


def discard(seat: int, tile: str) -> Discard:
    return Discard(seat, Tile(tile))


TRUE = [
    Entry(GameStart("harbin-hlr"), t=0.0),
    Entry(HandStart(dealer=0), t=1.0),
    *(Entry(discard(at % 4, tile), t=10.0 + 5 * at) for at, tile in enumerate(TILES)),
]


class ScriptedDecoder:
    """Says what it is told to say when a person writes."""

    def __init__(self, says: Callable[[Entry], list[Entry]] = lambda line: []) -> None:
        self.heard: list[Entry] = []
        self._says = says

    def write(self, line: Entry) -> list[Entry]:
        self.heard.append(line)
        return self._says(line)


def watched(
    lines: Sequence[tuple[float, Entry]], decoder: ScriptedDecoder | None, until_s: float = 40.0
) -> Mended:
    watcher, left = Referee(TRUE, decoder), list(lines)
    for step in range(round(until_s * 5)):
        now_s = step / 5
        while left and left[0][0] <= now_s:
            watcher.take([left.pop(0)[1]], now_s)
        watcher.look(now_s)
    return watcher.finish((), until_s)


def told(*events: Event) -> list[tuple[float, Entry]]:
    """Each event half a second after it happened; a wrong one at the time of the true one."""
    times = [entry.t or 0.0 for entry in TRUE]
    return [(t + 0.5, Entry(e, t=t, source="camera")) for t, e in zip(times, events, strict=False)]


RIGHT = [entry.event for entry in TRUE]


def record(mended: Mended) -> list[Event]:
    events = [one.entry.event for one in in_force(mended.lines)]
    return [event for event in events if not isinstance(event, NOT_COUNTED)]


def test_a_misread_tile_is_put_right_three_seconds_after_it_was_told() -> None:
    misread = [*RIGHT]
    misread[3] = discard(1, "8p")
    decoder = ScriptedDecoder()
    mended = watched(told(*misread), decoder)
    assert [mend.time_s for mend in mended.mends] == [pytest.approx(18.6, abs=0.2)]
    said = Entry(discard(1, "9p"), t=15.0, source="person")
    assert decoder.heard == [Entry(Correct(3, (said,)), t=15.0, source="person")]
    assert record(mended) == RIGHT
    assert (mended.harmful, mended.wrong_at_end) == (0, [])


def test_an_invented_event_is_removed_and_a_missed_one_put_before_the_next() -> None:
    lines = told(*RIGHT)
    del lines[3]
    phantom = Entry(discard(3, "4z"), t=21.0, source="camera")
    lines.insert(4, (21.5, phantom))
    mended = watched(lines, ScriptedDecoder())
    assert len(mended.mends) == 2
    assert record(mended) == RIGHT


def test_a_mend_that_makes_another_event_wrong_is_harmful_and_mended_too() -> None:
    misread = [*RIGHT]
    misread[3] = discard(1, "8p")
    spoiled = Entry(Correct(2, (Entry(discard(0, "2m"), t=10.0),)), t=10.0, source="camera")
    answers = iter([[spoiled]])
    mended = watched(told(*misread), ScriptedDecoder(lambda line: next(answers, [])))
    assert (len(mended.mends), mended.harmful) == (2, 1)
    assert record(mended) == RIGHT


def test_the_program_sums_up_the_mends_of_each_grade(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mend = Mend(9.0, TRUE[2], "discard 0 1m is missing", 1, 1, 1)

    def mended(case: GameCase, told: bool) -> Mended:
        assert not told
        return Mended([mend] if case.rules == "riichi" else [], [], 1, list(TRUE))

    monkeypatch.setattr(referee, "mended_labels", mended)
    few = ["--grades", "hard", "--rules", "riichi", "wsom", "--seeds", "97301"]
    assert referee.main([*few, "--without", "--show"]) == 0
    told = capsys.readouterr().out
    assert "9.0 s  discard 0 1m is missing, HARMFUL: 1 wrong" in told
    assert "hard: 0.50 mends a hand (0.00 to 1.00), 2 hands, 1 mends harmful, 2 of 2" in told


@pytest.mark.parametrize("told", [True, False])
def test_a_whole_game_is_right_once_it_is_mended(told: bool) -> None:
    mended = mended_labels(GameCase("hard", "harbin-treasure", 97301), told)
    assert mended.mends
    assert not mended.harmful
    assert mended.hands == 1
    assert not mended.wrong_at_end
    assert any(isinstance(line.event, GameEnd) for line in mended.lines)
