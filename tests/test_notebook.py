"""The notebook runs from its first cell to its last with what ships."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.codec import read_record
from engine.events import Discard, Entry, GameStart, HandStart, Pung
from engine.tiles import Tile
from tests.support.paths import SAMPLES

NOTEBOOK = SAMPLES / "picture_to_record.ipynb"


def code() -> list[str]:
    """The code of every cell, as notebooks of version 4 hold it."""
    notebook = json.loads(NOTEBOOK.read_text())
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    # Outputs would be of another day's program.
    assert all(cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code")
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_the_notebook_goes_from_a_picture_to_what_the_rules_say(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(SAMPLES)
    names: dict[str, Any] = {}
    said = []
    for number, cell in enumerate(code()):
        exec(compile(cell, f"{NOTEBOOK.name}, cell {number}", "exec"), names)
        said.append(capsys.readouterr().out)
    picture, tiles, events, record, announced = said
    assert picture == ""
    assert "9m" in tiles, "the set that was claimed"
    lines: list[Entry] = names["lines"]
    assert [type(line.event) for line in lines[:2]] == [GameStart, HandStart]
    nine = Tile("9m")
    happened = [line.event for line in lines]
    assert Pung(1, 3, nine, (nine, nine)) in happened
    assert Discard(3, nine) in happened
    assert "Bo claims" in events
    assert [line.event for line in read_record(record)] == happened
    assert "wins" in announced
    assert isinstance(names["frame"].image_bgr, np.ndarray)


def test_the_readme_leads_to_the_notebook() -> None:
    assert NOTEBOOK.name in (Path(__file__).parents[1] / "README.md").read_text()
