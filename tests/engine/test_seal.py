"""Seals show where a record was changed, and nothing but what was changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256

import pytest

from engine.codec import entry_to_json, read_record
from engine.seal import check_seals, last_seal, sealed, seals_of
from tests.support.harbin_game import ENTRIES, RECORD

Lines = list[str]


def sealed_after(lines: Lines, more: Lines) -> Lines:
    """Some lines of a record as they stand, and more that are written after them."""
    before, written = "", list(lines)
    for line in lines:
        before = sha256((before + line).encode()).hexdigest()[:32]
    for line in more:
        text, before = sealed(before, json.loads(line))
        written.append(text)
    return written


PLAIN: Lines = [json.dumps(entry_to_json(entry), ensure_ascii=False) for entry in ENTRIES]
SEALED = sealed_after([], PLAIN)


def text_of(lines: Lines) -> str:
    return "".join(line + "\n" for line in lines)


def test_a_seal_is_the_hash_of_the_seal_before_and_the_line_without_its_own() -> None:
    first = sha256(PLAIN[0].encode()).hexdigest()[:32]
    second = sha256((first + PLAIN[1]).encode()).hexdigest()[:32]
    assert [json.loads(line)["seal"] for line in SEALED[:2]] == [first, second]
    assert seals_of(text_of(SEALED))[:2] == [first, second]


def test_a_sealed_record_is_the_same_game() -> None:
    assert read_record(text_of(SEALED)) == read_record(RECORD) == ENTRIES


def test_what_was_not_changed_is_whole() -> None:
    report = check_seals(text_of(SEALED))
    assert (report.first, report.changed, report.unsealed) == (0, (), ())
    assert report.whole
    assert report.last == json.loads(SEALED[-1])["seal"]
    assert last_seal(text_of(SEALED)).replace(" ", "") == report.last  # type: ignore[union-attr]


def edited(lines: Lines) -> Lines:
    return [*lines[:5], lines[5].replace('"seat": ', '"seat":  '), *lines[6:]]


def another_tile(lines: Lines) -> Lines:
    line = json.loads(lines[7].rpartition(', "seal"')[0] + "}")
    text = json.dumps(line | {"t": 99.5}, ensure_ascii=False)
    return [*lines[:7], text[:-1] + lines[7][lines[7].rindex(', "seal"') :], *lines[8:]]


def taken_out(lines: Lines) -> Lines:
    return lines[:4] + lines[5:]


def put_in(lines: Lines) -> Lines:
    return [*lines[:4], lines[3], *lines[4:]]


def swapped(lines: Lines) -> Lines:
    return [*lines[:4], lines[5], lines[4], *lines[6:]]


def another_seal(lines: Lines) -> Lines:
    seal = json.loads(lines[3])["seal"]
    return [*lines[:3], lines[3].replace(seal, seal[::-1]), *lines[4:]]


def made_anew_in_the_middle(lines: Lines) -> Lines:
    """Somebody who knows the rule changes a line and seals it, and not those after it."""
    before = json.loads(lines[3])["seal"]
    text, _ = sealed(before, json.loads(PLAIN[4]) | {"t": 99.5})
    return [*lines[:4], text, *lines[5:]]


def first_taken_out(lines: Lines) -> Lines:
    return lines[1:]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (edited, (5,)),
        (another_tile, (7,)),
        (taken_out, (4,)),
        (put_in, (4,)),
        (swapped, (4, 5, 6)),
        (another_seal, (3, 4)),
        (made_anew_in_the_middle, (5,)),
        (first_taken_out, (0,)),
    ],
)
def test_a_change_is_found_where_it_was_made(
    change: Callable[[Lines], Lines], found: tuple[int, ...]
) -> None:
    report = check_seals(text_of(change(SEALED)))
    assert report.changed == found
    assert not report.whole


def test_every_character_counts() -> None:
    for number, line in enumerate(SEALED):
        for at, sign in enumerate(line):
            if sign.isdigit():
                other = line[:at] + str((int(sign) + 1) % 10) + line[at + 1 :]
                report = check_seals(text_of([*SEALED[:number], other, *SEALED[number + 1 :]]))
                assert number in report.changed, (number, at)


def test_a_seal_that_was_taken_away_is_missed() -> None:
    without = [*SEALED[:6], PLAIN[6], *SEALED[7:]]
    report = check_seals(text_of(without))
    assert (report.changed, report.unsealed, report.whole) == ((), (6,), False)
    report = check_seals(text_of(PLAIN))
    assert (report.first, report.whole) == (None, False)
    assert last_seal(text_of(PLAIN)) is None


def test_the_first_seal_covers_the_lines_before_it() -> None:
    written = sealed_after(PLAIN[:6], PLAIN[6:])
    assert check_seals(text_of(written)).whole
    assert check_seals(text_of(written)).first == 6
    changed = [PLAIN[0], PLAIN[1].replace("}", ', "t": 1.0}'), *written[2:]]
    assert check_seals(text_of(changed)).changed == (6,)


def test_a_record_that_was_sealed_anew_has_another_last_seal() -> None:
    other = sealed_after(
        [], [*PLAIN[:3], PLAIN[3].replace("}", ', "confidence": 0.5}'), *PLAIN[4:]]
    )
    assert check_seals(text_of(other)).whole, "seals alone do not show it"
    assert last_seal(text_of(other)) != last_seal(text_of(SEALED))
    cut = SEALED[:-2]
    assert check_seals(text_of(cut)).whole, "nor that the end is missing"
    assert last_seal(text_of(cut)) != last_seal(text_of(SEALED))
    assert check_seals(text_of(SEALED)).last not in seals_of(text_of(cut))


def test_blank_lines_and_a_mark_at_the_beginning_change_nothing() -> None:
    assert check_seals("\ufeff" + "\n\n".join(SEALED)).whole
