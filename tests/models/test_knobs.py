"""The audit of constants changes one of them, and all that is computed from it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from games.store.audit_page import AuditPage
from games.store.knobs import Knob, knobs, scaled

from tests.support.patience import PATIENCE_S
from vision.decoder.kept import KEPT, SAVED
from vision.decoder.likelihood import COSTS

PRINT = """
import sys
from games.store.knobs import Knob, turn
turn(Knob(sys.argv[1], sys.argv[2], float(sys.argv[3])), float(sys.argv[4]))
from vision.decoder import kept, propose
print(kept.KEPT, kept.SAVED)
"""


def turned(knob: Knob, factor: float) -> tuple[int, float]:
    """What the beam keeps, and what a win may save, in a process that has changed a constant."""
    given = [knob.module, knob.name, str(knob.value), str(factor)]
    ran = subprocess.run(
        [sys.executable, "-c", PRINT, *given],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    kept, saved = ran.stdout.split()
    return int(kept), float(saved)


def test_every_constant_of_the_decoder_and_every_price_is_found() -> None:
    found = {str(knob): knob.value for knob in knobs(["vision.decoder", "vision.tracking"])}
    assert found["decoder.kept:KEPT"] == KEPT
    assert {f"decoder.likelihood:COSTS.{name}" for name in COSTS} <= found.keys()
    assert any(name.startswith("tracking.") for name in found)


def test_what_is_computed_from_a_constant_changes_with_it() -> None:
    name = "vision.decoder.kept"
    assert turned(Knob(name, "KEPT", KEPT), 2.0) == (2 * KEPT, SAVED)
    price = Knob("vision.decoder.likelihood", "COSTS.copies", COSTS["copies"])
    assert turned(price, 0.5) == (KEPT, SAVED / 2)


@pytest.mark.parametrize(
    ("value", "factor", "changed"), [(3.0, 0.5, 1.5), (12, 2.0, 24), (1, 0.5, 0), (0, 2.0, 1)]
)
def test_a_whole_number_stays_one_and_changes(value: float, factor: float, changed: float) -> None:
    assert scaled(value, factor) == changed


def test_an_audit_goes_on_with_its_page_but_for_constants_of_another_value(tmp_path: Path) -> None:
    near, far = Knob("vision.tracking.track", "NEAR", 0.5), Knob("vision.decoder.kept", "KEPT", 6)
    page = AuditPage.of(tmp_path / "page.md", [near, far])
    assert not page.known
    page.add(near, ["0 of 2, +0", "1 of 2, -3"], ["cases/one", "labels/two"])
    page.add(far, ["-", "2 of 2, +9"], ["cases/one"])
    path = tmp_path / "page.md"
    path.write_text(page.text(), "utf-8")
    again = AuditPage.of(path, [near, far])
    assert again == page
    assert again.text() == page.text()
    assert AuditPage.of(path, [near, replace(far, value=8)]).known.keys() == {str(near)}
