"""The report and the score sheet in it speak the language asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.events import Entry, GameStart
from service.report.report import to_report
from service.words.catalogue import words_of
from tests.support.golden import golden

ENTRIES = golden("riichi")


def shown(lang: str, entries: Sequence[Entry] = ENTRIES) -> str:
    """What people read: the page without its drawings, styles, scripts and tags."""
    page = to_report(entries, {}, "x.mp4", lang)
    page = re.sub(r"(?s)<(svg|style|script)\b.*?</\1>", " ", page)
    return re.sub(r"<[^>]*>", " ", page)


@pytest.mark.parametrize("lang", ["zh", "ja"])
def test_no_english_is_left_in_a_report_of_another_language(lang: str) -> None:
    # Names of players, rules and documents, and codes of problems, are the same everywhere.
    kept = {"x", "mp", "Riichi", "Aki", "Ben", "Chiyo", "Dan", "EMA", "record", "three", "ways"}
    words = set(re.findall(r"(?<![_\w])[A-Za-z]{2,}(?![_\w])", shown(lang)))
    codes = {code.removeprefix("problem.") for code in words_of("en") if "problem." in code}
    assert words - kept - codes == set()


@pytest.mark.parametrize(("lang", "seat"), [("en", "Seat 1"), ("zh", "1号位"), ("ja", "席1")])
def test_who_gave_no_name_is_called_by_the_seat_in_the_language(lang: str, seat: str) -> None:
    start = ENTRIES[0].event
    assert isinstance(start, GameStart)
    unnamed = [replace(ENTRIES[0], event=replace(start, players=("",) * 4)), *ENTRIES[1:]]
    page = shown(lang, unnamed)
    assert seat in page
    assert lang == "en" or "Seat" not in page
