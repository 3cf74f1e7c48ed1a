"""Any line of a record may be broken, missing, doubled or out of place."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.announce import Announcement, Problem
from engine.codec import BadRecord, read_lines, read_record, salvage, write_record
from engine.events import Correct, Deal, Discard, Draw, Entry
from engine.game import Game, replay
from tests.support.golden import WITH_GAME
from tests.support.paths import GAMES
from tests.support.properties import every_rule_set, seeds, some
from tests.support.random_games import played


@cache
def golden(rules: str) -> tuple[str, ...]:
    return tuple((GAMES / f"{rules}.jsonl").read_text("utf-8").splitlines())


def announced(game: Game, before: int) -> list[Announcement]:
    return [said for said in game.announcements() if said.of < before]


# --- lines that cannot be read --------------------------------------------------------------------

BREAKING: dict[str, Callable[[str], str]] = {
    "cut short": lambda line: line[:-1],
    "two events in one line": lambda line: f"{line} {line}",
    "no JSON": lambda line: line.replace('"', "'"),
    "binary": lambda line: "\x00\x07" + line,
    "a list": lambda line: f"[{line}]",
    "a number": lambda line: "7",
    "nothing": lambda line: "null",
    "no type": lambda line: line.replace('"type"', '"typ"'),
    "another type": lambda line: (
        '{"type": "tsumo"' + line[line.index(",") :] if "," in line else "{}"
    ),
    "a field twice": lambda line: '{"type": "hand_end", ' + line[1:],
    "another field": lambda line: '{"colour": 1, ' + line[1:],
    "no number": lambda line: '{"t": NaN, ' + line[1:],
    "an endless number": lambda line: '{"t": 1e999, ' + line[1:],
    "a huge number": lambda line: '{"t": 1' + "0" * 5000 + ", " + line[1:],
    "a text for a number": lambda line: '{"t": "1", ' + line[1:],
    "half a letter": lambda line: '{"evidence": "\\ud800", ' + line[1:],
    "lists without end": lambda line: '{"t": ' + "[" * 3000 + "]" * 3000 + ", " + line[1:],
    "deep lists": lambda line: '{"t": ' + "[" * 300 + "]" * 300 + ", " + line[1:],
    "a wrong seat": lambda line: '{"type": "foul", "seat": 4, "offence": "x"}',
    "a wrong tile": lambda line: '{"type": "draw", "seat": 0, "tile": "10m"}',
    "true for a number": lambda line: '{"type": "draw", "seat": true, "tile": "1m"}',
    "a game of another kind": lambda line: '{"type": "game_start", "rules": "bridge"}',
}


@pytest.mark.parametrize("way", BREAKING)
@given(rules=st.sampled_from(WITH_GAME), place=st.floats(0, 1))
@some
def test_a_line_that_cannot_be_read_is_named_and_the_others_stand(
    rules: str, way: str, place: float
) -> None:
    lines = list(golden(rules))
    at = min(int(place * len(lines)), len(lines) - 1)
    lines[at] = BREAKING[way](lines[at])
    text = "\r\n".join(lines)
    with pytest.raises(BadRecord, match=rf"^line {at + 1}: expected .*, got ") as caught:
        read_record(text)
    assert "\n" not in str(caught.value)
    saved = salvage(text)
    assert [(error.line, str(error)) for error in saved.broken] == [(at + 1, str(caught.value))]
    whole = read_record("\n".join(golden(rules)))
    assert [*saved.entries[:at], *saved.entries[at + 1 : len(whole)]] == [
        *whole[:at],
        *whole[at + 1 :],
    ]


@pytest.mark.parametrize("rules", WITH_GAME)
@given(place=st.floats(0, 1), marks=st.booleans())
@some
def test_the_game_goes_on_from_the_lines_that_stand(rules: str, place: float, marks: bool) -> None:
    lines = list(golden(rules))
    at = min(int(place * len(lines)), len(lines) - 1)
    whole = read_record("\n".join(lines))
    lines[at] = lines[at][: len(lines[at]) // 2]
    saved = salvage(("\ufeff" if marks else "") + "\n\n".join(lines))
    game = replay(saved.entries)
    corrected = any(isinstance(one.event, Correct) and one.event.of == at for one in whole)
    without = whole if corrected else [*whole, Entry(Correct(at, ()))]
    if isinstance(whole[at].event, Correct):
        assert game.state.phase  # what it corrected stands again
    else:
        assert game.announcements() == replay(without).announcements()
    assert read_record(write_record(saved.entries)) == list(saved.entries)


def test_a_line_that_was_corrected_is_not_missed_when_it_cannot_be_read() -> None:
    right = ['{"type": "game_start", "rules": "harbin-hlr"}', '{"type": "hand_start"}']
    wrong = '{"type": "discard", "seat": 0, "tile": "9z"}'
    mended = {"type": "discard", "seat": 0, "tile": "9m"}
    told = json.dumps({"type": "correct", "of": 2, "events": [mended]})
    saved = salvage("\n".join([*right, wrong, told]))
    assert [error.line for error in saved.broken] == [3]
    assert replay(saved.entries).state.last_discard is not None


def test_every_broken_line_is_told() -> None:
    told = list(read_lines('{"type": "hand_end"}\nx\n\n{"type": "hand_end"}\n[]'))
    assert [one.line if isinstance(one, BadRecord) else 0 for one in told] == [0, 2, 0, 5]
    assert len(salvage("x\ny").broken) == 2


# --- lines that are missing, doubled or out of place ----------------------------------------------


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_a_line_out_of_place_changes_nothing_that_was_said_before(
    rules: str, seed: int, data: st.DataObject
) -> None:
    record = list(played(rules, seed).entries)
    first, second = sorted(data.draw(st.tuples(*[st.integers(0, len(record) - 1)] * 2)))
    swapped = list(record)
    swapped[first], swapped[second] = record[second], record[first]
    game = replay(swapped)
    assert announced(game, first) == announced(replay(record), first)
    game.submit(Entry(Correct(first, (record[first],))))
    game.submit(Entry(Correct(second, (record[second],))))
    assert game.announcements() == replay(record).announcements()


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_a_doubled_line_is_pointed_out_and_changes_nothing(
    rules: str, seed: int, data: st.DataObject
) -> None:
    record = list(played(rules, seed).entries)
    alike = Deal, Draw, Discard
    places = [at for at, entry in enumerate(record) if isinstance(entry.event, alike)]
    place = data.draw(st.sampled_from(places))
    game = replay([*record[: place + 1], *record[place:]])
    problems = [said for said in game.announcements() if isinstance(said, Problem)]
    assert [said.of for said in problems] == [place + 1]
    assert problems[0].impossible
    right = replay(record)
    assert game.state.points == right.state.points
    assert game.state.players == right.state.players


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_a_missing_line_is_put_back_by_one_correction(
    rules: str, seed: int, data: st.DataObject
) -> None:
    record = list(played(rules, seed).entries)
    place = data.draw(st.integers(0, len(record) - 2))
    game = replay([*record[:place], *record[place + 1 :]])
    assert announced(game, place) == announced(replay(record), place)
    game.submit(Entry(Correct(place, (record[place], record[place + 1]))))
    right = replay(record)
    assert game.state.points == right.state.points
    assert game.state.players == right.state.players
    assert [type(said) for said in game.announcements()] == [
        type(said) for said in right.announcements()
    ]


@every_rule_set
@given(seed=seeds, data=st.data())
@some
def test_a_missing_discard_is_missed(rules: str, seed: int, data: st.DataObject) -> None:
    record = list(played(rules, seed).entries)
    discards = [at for at, entry in enumerate(record[:-3]) if isinstance(entry.event, Discard)]
    place = data.draw(st.sampled_from(discards))
    game = replay([*record[:place], *record[place + 1 :]])
    problems = [said for said in game.announcements() if isinstance(said, Problem)]
    assert problems
    assert problems[0].impossible
    assert problems[0].of >= place
