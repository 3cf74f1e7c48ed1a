"""Whatever a page can be refused has words in every language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from engine.texts.files import LANGUAGES, base_of, gaps
from service.texts.catalogue import texts_of
from service.texts.refusals import FAMILIES, pattern_of, refusal_in
from tests.support.paths import ROOT

COMPLETE: Final = [lang for lang in LANGUAGES if base_of(lang) is None]
KINDS: Final = {
    "Conflict",
    "Forbidden",
    "NotThere",
    "ProfileError",
    "Refused",
    "SourceError",
}
"""What requests are refused by. One that cannot be read at all comes from a program."""
ANSWERING: Final = (
    "engine/corrections.py",
    "service/archive/archive_pages.py",
    "service/archive/ledger.py",
    "service/evening",
    "service/hall/access.py",
    "service/hall/hall.py",
    "service/hall/league.py",
    "service/hall/names.py",
    "service/hall/people.py",
    "service/hall/records.py",
    "service/pages",
    "service/seat",
    "service/table",
    "service/web",
    "vision/camera",
    "vision/tile_set/enroll.py",
)
"""What is done behind the pages of tables, halls and archives."""
FROM_COMMANDS: Final = (
    "a file of ",
    "the database has no file",
    " is given twice; give each part of the game once",
    " does not say when cards were done: ",
    ": expected the cards ",
    ": read_twice is a number of points above 0",
    "; this program reads version ",
)
"""What only a command is refused."""
FILLED: Final = "7"
"""Stands in every gap of a sentence that code puts together."""


@cache
def raised() -> tuple[tuple[str, str], ...]:
    """Where each refusal is raised, and what it says."""
    return tuple(
        (f"{path.relative_to(ROOT)}:{node.lineno}", said)
        for path in files()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in KINDS
        and node.args
        for said in said_by(node.args[0], path)
        if not any(part in said for part in FROM_COMMANDS)
    )


def files() -> Iterator[Path]:
    for each in (ROOT / one for one in ANSWERING):
        yield from sorted(each.rglob("*.py")) or [each]


def said_by(node: ast.expr, path: Path) -> Iterator[str]:
    """The sentences that an expression may be; none of one that another error says."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            sentences = [""]
            for part in parts:
                ends = [*said_in_gap(part, path)]
                sentences = [begun + end for begun in sentences for end in ends]
            yield from sentences
        case ast.Name(id=name) if name.isupper():
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            yield str(getattr(module, name))
        case ast.IfExp(body=one, orelse=other):
            yield from said_by(one, path)
            yield from said_by(other, path)
        case ast.Call(func=ast.Name(id=name)):
            yield from returned(name, path)
        case ast.BoolOp(values=values):
            for value in values:
                yield from said_by(value, path)


def returned(function: str, path: Path) -> Iterator[str]:
    """The sentences that a function of the same file returns."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            for inside in ast.walk(node):
                if isinstance(inside, ast.Return) and isinstance(inside.value, ast.Constant):
                    yield str(inside.value.value)


def said_in_gap(part: ast.expr, path: Path) -> Iterator[str]:
    match part:
        case ast.FormattedValue(value=value):
            yield from [*said_by(value, path)] or [FILLED]
        case ast.Constant(value=str(text)):
            yield text


def test_many_refusals_are_found() -> None:
    assert len(raised()) > 80
    assert any("choose a camera first" in said for _, said in raised())


@pytest.mark.parametrize("lang", COMPLETE)
def test_every_refusal_has_its_own_words(lang: str) -> None:
    left = {where: said for where, said in raised() if not own_words(said, lang)}
    assert left == {}


def own_words(said: str, lang: str) -> bool:
    if lang == "en":
        return any(re.fullmatch(pattern_of(text), said) for text in english().values())
    general = {text for key, text in texts_of(lang).items() if re.fullmatch(r"refused\.\d+", key)}
    return refusal_in(said, lang) not in {said, *general}


@cache
def english() -> dict[str, str]:
    return {key: text for key, text in texts_of("en").items() if key.startswith(FAMILIES)}


def test_no_refusal_is_spare() -> None:
    own = {key for key in english() if key.startswith("refused.")}
    said = [sentence for _, sentence in raised()]
    patterns = {key: re.compile(pattern_of(english()[key])) for key in own}
    spare = {
        key.removeprefix("refused.")
        for key, pattern in patterns.items()
        if not any(pattern.fullmatch(one) for one in said)
    }
    assert spare == SAID_ELSEWHERE


SAID_ELSEWHERE: Final = {
    *("400", "401", "403", "404", "409", "422", "option"),
    # What a system says of a file, and what is said where no record can be written.
    *("no_space", "not_permitted", "read_only", "no_such_file", "unwritten"),
    # Sentences that are put together apart from where they are raised.
    *("code_too_many", "film_end", "other_at", "running"),
    # Of a table's corners and a phone, in files that refuse commands, too.
    *("corners_near", "corners_order", "four_corners", "sizes_above_0", "no_pictures"),
    *("no_phone_let_in", "table_closed"),
}


@pytest.mark.parametrize(
    ("said", "lang", "told"),
    [
        ("choose a camera first", "zh", "请先选择摄像头"),
        ("choose a camera first", "en", "choose a camera first"),
        ("choose a camera first", "en-native", "choose a camera first"),
        (
            "nothing was changed: the record cannot be written: No space left on device",
            "ja",
            "何も変更されていません。記録を書き込めません：ディスクに空きがありません",
        ),
        (
            "expected a whole number, got 'x' in options.most_each",
            "zh",
            "请检查自定规则“每家最多付（封顶）”。",
        ),
        (
            "something that nobody foresaw",
            "zh",
            "无法采用，请检查所填的内容。",
        ),
    ],
)
def test_a_refusal_is_told_in_the_language_of_the_page(said: str, lang: str, told: str) -> None:
    assert refusal_in(said, lang) == told


@pytest.mark.parametrize("lang", COMPLETE)
def test_general_refusals_have_no_gaps(lang: str) -> None:
    general = [text for key, text in texts_of(lang).items() if re.fullmatch(r"refused\.\d+", key)]
    assert general
    assert not [text for text in general if gaps(text)]
