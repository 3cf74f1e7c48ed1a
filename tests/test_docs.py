"""What the documentation says of commands, events, announcements and files is so."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from engine import announce_codec, codec
from engine.rules import RULE_SETS
from service import command_line
from service.commands.moved import typed_now
from service.commands.options import every_command
from service.texts.catalogue import texts_of
from tests.support.documentation import named, read, rows
from tests.support.paths import ROOT
from vision.table.quality import CLEAR_PX, READABLE_PX

README = read("README.md")
COMMANDS = read("docs/commands.md")
RECORD = read("docs/record.md")
PAGES = (
    *sorted(ROOT.glob("*.md")),
    *(
        page
        for folder in ("docs", "models", "datasets")
        for page in sorted((ROOT / folder).rglob("*.md"))
    ),
)


@cache
def commands() -> dict[str, set[str]]:
    """Every command with its options, a group with those of its commands."""
    found: dict[str, set[str]] = {}
    for words, command in every_command(command_line.program()).items():
        found.setdefault(words.split()[0], set()).update(options(command))
    return found


def options(command: object) -> Iterator[str]:
    for param in getattr(command, "params", ()):
        yield from (*param.opts, *param.secondary_opts)


def test_the_engine_lines_are_true() -> None:
    result = doctest.testfile(str(ROOT / "docs/engine.md"), module_relative=False)
    assert result.attempted >= 10
    assert result.failed == 0


def test_every_command_is_listed_and_no_other() -> None:
    listed = [shlex.split(named(row[0])[0])[1] for row in rows(COMMANDS, "command")]
    assert sorted(listed) == sorted(command_line.COMMANDS)
    assert len(listed) <= 10
    tools = [shlex.split(named(row[0])[0])[2] for row in rows(COMMANDS, "tool")]
    assert sorted(tools) == sorted(command_line.TOOLS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_are_told_with_options_that_they_take(page: Path) -> None:
    text = page.read_text("utf-8").replace("\\\n", " ")
    shell = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S))
    told = re.findall(r"`(tilesight [a-z]+[^`]*)`", text)
    for line in (*told, *re.findall(r"(?m)^(tilesight [a-z]+.*)", shell)):
        _, command, *words = shlex.split(line, comments=True)
        if page.name == "CHANGELOG.md" and typed_now([command, *words]):
            continue  # what was new then is answered with today's words
        named = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert named <= commands()[command] | {"--help"}, line


def test_the_options_that_are_explained_exist() -> None:
    known = set().union(*commands().values())
    assert set(re.findall(r"--[a-z0-9][a-z0-9-]*", COMMANDS)) <= known | {"--help"}


def test_the_readme_lists_every_rule_set_and_no_other() -> None:
    listed = [id for row in rows(README, "rule set") for id in named(row[0])]
    assert listed == list(RULE_SETS)


def test_every_event_is_told_with_its_fields() -> None:
    told = {named(row[0])[0]: named(row[1]) for row in rows(RECORD, "`type`")}
    assert told == {
        name: [
            codec._KEYS.get(field.name, field.name) + ("" if codec._required(field) else "?")
            for field in fields(event)
        ]
        for name, event in codec._EVENTS.items()
    }


def test_every_announcement_is_told_with_its_fields() -> None:
    told = {named(row[0])[0]: set(named(row[1])) for row in rows(RECORD, "`kind`")}
    assert list(told) == list(announce_codec.KINDS.values())
    for announcement, name in announce_codec.KINDS.items():
        known = {field.name for field in fields(announcement)} - {
            "of",
            "audience",
            "not_to",
            "values",
        }
        assert known <= told[name]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    text = page.read_text("utf-8")
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_programs_that_are_named_are_there_and_take_these_options(page: Path) -> None:
    for program, rest in re.findall(
        r"((?:datasets|models)/\w+\.py)([^`\n]*)", page.read_text("utf-8")
    ):
        source = (ROOT / program).read_text("utf-8")
        if program.startswith("models/train"):  # both trainings have these options
            source += (ROOT / "models" / "training.py").read_text("utf-8")
        folder = program.replace(".py", "s")
        if (ROOT / folder).is_dir() and (task := re.match(r" ([a-z]+)", rest)):
            source += (ROOT / folder / f"{task[1]}.py").read_text("utf-8")
            source += "".join(
                path.read_text("utf-8") for path in (ROOT / folder).glob("labelled.py")
            )
        for option in set(re.findall(r"--[a-z][a-z-]*", rest)) - {"--help"}:
            assert f'"{option}"' in source, f"{program} has no {option}"


def test_the_just_file_calls_programs_that_are_there() -> None:
    for line in (ROOT / "Justfile").read_text("utf-8").splitlines():
        for program in re.findall(r"(?:datasets|models)/\w+\.py", line):
            source = (ROOT / program).read_text("utf-8")
            for option in re.findall(r"--[a-z][a-z-]*", line):
                assert f'"{option}"' in source, f"{program} has no {option}"


def test_one_least_width_of_a_tile_is_told_everywhere() -> None:
    wide = rf"\b{CLEAR_PX:.0f} ?(?:pixels|像素|ピクセル)"
    documents = ("docs/evening.md", "docs/enroll.md", "docs/film-a-game.md", "models/README.md")
    for name in documents:
        assert re.search(rf"\b{CLEAR_PX:.0f} pixels\s+wide", (ROOT / name).read_text("utf-8")), name
    for lang in ("en", "zh", "ja"):
        said = texts_of(lang)
        assert re.search(wide, said["page.setup.tile_px.poor"]), lang
        assert f"{READABLE_PX:.0f}" in said["page.setup.tile_px.bad"], lang
