"""A hall answers what its description allows, and most that it forbids, without a 5xx."""

from __future__ import annotations

import json
from pathlib import Path

from service.hall.app import create_hall
from service.hall.database import opened
from service.hall.hall import Hall
from tests.service.fuzz_api import fuzz


def test_no_request_makes_a_hall_fail(tmp_path: Path) -> None:
    engine = opened(str(tmp_path / "hall.sqlite3"))
    hall = Hall(engine)
    app = create_hall(hall)
    described = sum(len(methods) for methods in app.openapi()["paths"].values())
    done = fuzz(app, 1)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    assert f"Selected: {described}/{described}" in done.stdout
    assert json.dumps(hall.rows())
    engine.dispose()
    engine = opened(str(tmp_path / "hall.sqlite3"))
    assert len(Hall(engine).rows()) == len(hall.rows())
    engine.dispose()
