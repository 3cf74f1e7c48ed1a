"""Nothing outside ``engine/rules`` knows a rule set by its id: a new one is one folder."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine.rules import BUILT_IN
from tests.support.paths import ROOT

IDS = "|".join(sorted((re.escape(rules.id) for rules in BUILT_IN), key=len, reverse=True))
NAMED = re.compile(rf"""["'`]({IDS})["'`]""")
CASES = "datasets/studio/play/cases/"
MAY_NAME = ("engine/rules/", "docs/", "tests/", "engine/logs/", CASES)
"""Documentation, tests and scripted games name rule sets; the logs are those of
riichi programs."""
TEXTS = {"riichi": (".po", "service/texts/answers.py")}
"""Where a word that is also an id stands for what people say."""
PROSE = (".md", ".jsonl")
TOP = ("engine", "vision", "service", "models", "datasets")


def named(path: str, text: str) -> Iterator[str]:
    """Each place where this file names a rule set and should not."""
    if path.startswith(MAY_NAME) or path.endswith(PROSE):
        return
    for number, line in enumerate(text.splitlines(), 1):
        for rules in NAMED.findall(line):
            if not path.endswith(TEXTS.get(rules, ("\n",))):
                yield f"{path}:{number} names {rules}"


def files() -> Iterator[tuple[str, str]]:
    """The files of the tree that are text, by their paths; not what tools leave beside them."""
    for top in TOP:
        for path in sorted((ROOT / top).rglob("*")):
            if not path.is_file() or "__pycache__" in path.parts:
                continue
            data = path.read_bytes()
            if b"\0" not in data[:8000]:
                yield path.relative_to(ROOT).as_posix(), data.decode("utf-8", "replace")


def test_no_file_outside_the_rules_names_a_rule_set() -> None:
    looked_at = dict(files())
    assert {"service/main.py", "vision/decoder/decoder.py"} <= looked_at.keys()
    assert [place for path, text in looked_at.items() for place in named(path, text)] == []


@pytest.mark.parametrize(
    ("path", "line", "wrong"),
    [
        ("vision/decoder/decoder.py", 'if rules.id == "hangzhou":', True),
        ("service/hall/static/hall.js", "row.rules === 'wsom'", True),
        ("service/texts/en.po", 'msgstr "riichi"', False),
        ("service/texts/en.po", 'msgstr "wsom"', True),
        ("engine/rules/wsom/play.py", 'id="wsom"', False),
        ("vision/decoder/decoder.py", "the fortune of Hangzhou", False),
    ],
)
def test_a_planted_id_is_found(path: str, line: str, wrong: bool) -> None:
    assert bool(list(named(path, line))) is wrong
