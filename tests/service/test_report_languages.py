"""The report and the score sheet in it speak the language asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.codec import read_record
from engine.words import LANGUAGES, gaps
from service.telling.report import to_report
from service.telling.report_messages import ENGLISH, MESSAGES

GAMES = Path(__file__).parents[1] / "games"
ENTRIES = read_record((GAMES / "riichi.jsonl").read_text("utf-8"))


def shown(lang: str) -> str:
    """What people read: the page without its drawings, styles, scripts and tags."""
    page = to_report(ENTRIES, {}, "x.mp4", lang)
    page = re.sub(r"(?s)<(svg|style|script)\b.*?</\1>", " ", page)
    return re.sub(r"<[^>]*>", " ", page)


def test_the_languages_have_the_same_messages_with_the_same_gaps() -> None:
    assert MESSAGES.keys() == LANGUAGES.keys()
    for table in MESSAGES.values():
        assert table.keys() == ENGLISH.keys()
        assert all(gaps(table[key]) == gaps(text) for key, text in ENGLISH.items())


@pytest.mark.parametrize("lang", ["zh", "ja"])
def test_no_english_is_left_in_a_report_of_another_language(lang: str) -> None:
    # Names of players, rules and documents, and codes of problems, are the same everywhere.
    kept = {"x", "mp", "riichi", "Aki", "Ben", "Chiyo", "Dan", "EMA", "record", "three", "ways"}
    words = set(re.findall(r"(?<![_\w])[A-Za-z]{2,}(?![_\w])", shown(lang)))
    codes = {code.removeprefix("problem.") for code in LANGUAGES["en"] if "problem." in code}
    assert words - kept - codes == set()


def test_a_report_names_its_language() -> None:
    assert '<html lang="ja">' in to_report(ENTRIES, {}, "x.mp4", "ja")
    assert "Score sheet" in shown("en")
