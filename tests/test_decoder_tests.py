"""Tests of the decoder show it tables and hear what it tells; tests of its parts lie elsewhere."""

from __future__ import annotations

import ast

import pytest

from tests.support.paths import ROOT

INTERFACE = {
    "vision.decoder.decoder.Decoder",
    "vision.decoder.decoder.SUPPLIED",
    "vision.decoder.decoding.Decoding",
    "vision.decoder.pin.Pin",
    "vision.decoder.pin.Pins",
    "vision.decoder.question.Answer",
    "vision.decoder.question.AnswerChoice",
    "vision.decoder.question.EventPlace",
    "vision.decoder.question.Question",
    "vision.decoder.question.QuestionTile",
}
"""What decodes a table, what people say to it, and what it tells and asks."""
PARTS = {"search", "segmenter", "evidence()"}
"""Attributes of a decoder by which it looks for explanations; an entry has an ``evidence``, too."""


def looks_inside(path: str, source: str) -> list[str]:
    """What of a test file knows more of the decoder than its interface."""
    tree = ast.parse(source, path)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found += [name.name for name in names if _is_inside(name.name)]
            case ast.ImportFrom(module=module, names=names):
                imported = [f"{module}.{name.name}" for name in names]
                found += [name for name in imported if _is_inside(name)]
            case ast.Attribute(attr=attr, value=value):
                own = isinstance(value, ast.Name) and value.id in ("self", "cls")
                private = attr.startswith("_") and not attr.startswith("__") and not own
                name = f"{attr}()" if id(node) in called else attr
                found += [f".{name}"] if private or {attr, name} & PARTS else []
    return [f"{path}: {what}" for what in found]


def _is_inside(module: str) -> bool:
    inside = f"{module}.".startswith(("vision.decoder.", "tests.support.seen_inside."))
    return inside and module not in INTERFACE


def test_tests_of_the_decoder_know_its_interface_only() -> None:
    files = [
        *sorted((ROOT / "tests" / "vision" / "decoder").rglob("*.py")),
        *(ROOT / "tests" / "support" / name for name in ("seen.py", "recorded.py", "tables.py")),
    ]
    assert len(files) > 30
    found = [
        line
        for path in files
        for line in looks_inside(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "from vision.decoder.hypothesis import Hypothesis",
        "from vision.decoder.decoder import BeamSearch",
        "from vision.decoder import search",
        "from vision import decoder",
        "import vision.decoder.layout as layout",
        "def test():\n    from vision.decoder.emission import charges_now",
        "from tests.support.seen_inside import SeenInside",
        "table.decoder.decoder.search.best",
        "seen.decoder.segmenter",
        "seen.decoder.evidence()",
        "seen.decoder._places",
        "Decoder._tell(seen.decoder, ())",
    ],
)
def test_a_look_inside_is_found(source: str) -> None:
    assert len(looks_inside("test_x.py", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from vision.decoder.decoder import Decoder\nfrom vision.decoder.question import Answer",
        "from vision.tracking.zones import Zones",
        "from vision import session",
        "assert line.evidence == 'supplied'",
        "class Open:\n    def rows(self):\n        return self._rows",
        "table.decoder.decoder.questions()",
    ],
)
def test_what_everybody_sees_may_be_looked_at(source: str) -> None:
    assert looks_inside("test_x.py", source) == []
