"""What every answer tells a browser: load nothing from elsewhere, guess nothing, keep no game."""

from __future__ import annotations

import pytest

from service.app import create_app
from tests.support.in_process import asked
from tests.support.live_table import in_loop
from tests.support.riichi_sample import ENTRIES, table_of


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/", "no-cache"),
        ("/static/shared/style.css", "no-cache"),
        ("/api/table", "no-store"),
        ("/health", "no-store"),
        ("/learn", "no-cache"),
        ("/tiles.svg", "no-cache"),
        ("/metrics", "no-store"),
        ("/nothing", "no-store"),
    ],
)
@in_loop
async def test_every_answer_guards_the_browser_that_gets_it(path: str, kept: str) -> None:
    _, answer = await asked(create_app(table_of(ENTRIES[:3])), "GET", path, None)
    head = answer.decode(errors="replace").lower()
    assert f"cache-control: {kept}" in head
    assert "x-content-type-options: nosniff" in head
    assert "referrer-policy: no-referrer" in head
    policy = next(line for line in head.splitlines() if line.startswith("content-security-policy"))
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "http" not in policy, "nothing of another host"
