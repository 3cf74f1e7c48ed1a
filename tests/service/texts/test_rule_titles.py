"""Rule sets, the terminal and the report speak every language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.events import Entry, GameStart
from engine.rules import RULE_SETS
from engine.texts.files import LANGUAGES
from service.main import run
from service.report.report import to_report
from service.texts.catalogue import rules_title, rules_titles, terminal_language, texts_of
from service.texts.pages import terms_of
from tests.support.golden import golden
from tests.support.paths import GAMES


def test_each_rule_set_has_a_title_of_its_own_in_every_language() -> None:
    titles = [rules_titles(rules) for rules in RULE_SETS]
    for lang in LANGUAGES:
        assert len({title[lang] for title in titles} - set(RULE_SETS)) == len(RULE_SETS)


def test_rules_that_nobody_knows_are_called_what_their_record_calls_them() -> None:
    assert rules_titles("house") == dict.fromkeys(LANGUAGES, "house")
    assert rules_title("riichi", "ja") == "リーチ麻雀（EMA 2008）"


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_set_has_terms_of_its_own_and_none_twice(rules: str, lang: str) -> None:
    words, terms = texts_of(lang), terms_of(RULE_SETS[rules])
    names = [words[f"glossary.{term}.name"] for term in terms]
    assert len(set(names)) == len(names)
    assert RULE_SETS[rules].glossary
    for term, name in zip(terms, names, strict=True):
        assert len(words[f"glossary.{term}.text"]) > len(name)


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": ""}, "ja"),
        ({"LC_ALL": "fr_FR.UTF-8"}, "en"),
    ],
    ids=str,
)
def test_the_environment_names_the_language(environment: dict[str, str], lang: str) -> None:
    assert terminal_language(environment) == lang


@pytest.mark.parametrize("command", [[], ["score"], ["replay"]], ids=str)
@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_help_is_written_in_the_language_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    lang: str,
    command: list[str],
) -> None:
    monkeypatch.setenv("LC_ALL", lang)
    assert run([*command, "--help"]) == 0
    said = capsys.readouterr().out
    assert not re.search(r"\b(?:help|command|cli)\.\w", said)
    assert bool(re.search("[\u3040-\u30ff\u4e00-\u9fff]", said)) is (lang != "en")
    assert "…" not in said


def test_the_help_names_every_language_and_variant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "en")
    assert run(["replay", "--help"]) == 0
    said = " ".join(re.sub("[│|]", " ", capsys.readouterr().out).split())
    assert [lang for lang in LANGUAGES if not re.search(rf"[ :,]{lang}[ ,:]", said)] == []


def test_without_a_language_it_is_that_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    run(["replay", str(GAMES / "harbin-hlr.jsonl")])
    assert "[仅0号位] " in capsys.readouterr().out


def test_messages_are_printed_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    run(["replay", str(GAMES / "harbin-hlr.jsonl"), "--lang", "ja"])
    assert "[席0宛] " in capsys.readouterr().out


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
    codes = {code.removeprefix("problem.") for code in texts_of("en") if "problem." in code}
    assert words - kept - codes == set()


@pytest.mark.parametrize(("lang", "seat"), [("en", "Purple"), ("zh", "紫家"), ("ja", "紫さん")])
def test_who_gave_no_name_is_called_by_the_colour_of_the_seat(lang: str, seat: str) -> None:
    start = ENTRIES[0].event
    assert isinstance(start, GameStart)
    unnamed = [replace(ENTRIES[0], event=replace(start, players=("",) * 4)), *ENTRIES[1:]]
    page = shown(lang, unnamed)
    assert seat in page
    assert not re.search(r"\bSeat \d|\d号位|席\d", page)
