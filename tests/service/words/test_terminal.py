"""The terminal speaks the language of the environment, where there is a catalogue in it."""

from __future__ import annotations

import re

import pytest

from service.main import run
from service.words.catalogue import terminal_language
from service.words.files import LANGUAGES
from tests.support.paths import GAMES


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
