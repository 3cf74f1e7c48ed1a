"""The program itself serves a recorded game that it reads with the shipped weights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.codec import read_record
from engine.log import in_force
from tests.support.browsing import GREEN_PIXELS, chromium
from tests.support.films import cut
from tests.support.paths import FILM
from tests.support.patience import until
from tests.support.program import running
from tests.support.served import Served

DEALT_S, PLAYED_S = 11.5, 26.0
"""Of the recorded hand: while it is dealt, and after some discards."""
PATIENCE_MS = 300_000  # busy cores may read at a tenth of their speed


@contextmanager
def serving(video: Path, record: Path) -> Iterator[str]:
    """Run ``tilesight serve`` as a person would; answers the address of the page."""
    source = ["--source", str(video), "--every-frame"]
    arguments = ["serve", *source, "--port", "0", "--record", str(record)]
    with running(*arguments) as program:
        try:
            found = re.search(r"http://\S+", program.line())
            assert found
            yield found.group()
        finally:
            program.stop()
            program.stdout.read()
            assert program.stderr.read() == ""
        assert program.process.wait(PATIENCE_MS / 1000) == 0


@pytest.mark.slow
def test_the_sample_is_watched_live(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    video = cut(FILM, tmp_path / "begins.mp4", DEALT_S, PLAYED_S)
    with chromium() as browser, serving(video, record) as url:
        page = browser.new_page()
        page.goto(url)
        expect(page.locator("#waiting")).to_be_hidden(timeout=PATIENCE_MS)
        # The hand has begun with three discards; a claimed one is drawn in its set.
        three = page.get_by_role("group", name=re.compile("(1 discards.*){3}"))
        expect(three).to_be_attached(timeout=PATIENCE_MS)
        expect(page.locator(".river .piece").nth(1)).to_be_attached()
        expect(page.locator("#status")).to_have_text(re.compile("watching|the recording is over"))
        assert page.evaluate(GREEN_PIXELS) > 20
        page.close()
        # Who ends the program while pages listen may be told that they were sent away.
        shown = Served(url.removeprefix("http://").rstrip("/"))
        until(lambda: "tilesight_sockets 0.0" in shown.get("/metrics").text)
    told = in_force(read_record(record.read_text()))
    kinds = [type(one.entry.event).__name__ for one in told]
    assert kinds[:2] == ["GameStart", "HandStart"]
    assert kinds.count("Discard") >= 3
