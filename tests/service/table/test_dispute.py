"""A disputed event is looked at again: its pictures, and what is read in them now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.codec import read_record
from service.pages.api_examples import EXAMPLES
from service.pages.app import create_app
from service.pages.settings import PageSettings
from service.table.dispute import Dispute
from service.table.gallery import Gallery
from service.table.live_table import LiveTable, TableSettings
from service.table.record_file import RecordFile
from tests.support.browsing import LAPTOP, PHONE, fits, opened
from tests.support.discard_film import Looker, filmed
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.live_table import frames, resumed
from tests.support.served import Served, serving
from tests.support.told_reader import ToldReader

DISCARD = 3
"""Anna's 9m, at 0.2 s of the record; here everything happens ten times as slowly."""


def slowed() -> str:
    lines = [json.loads(line) for line in RECORD.splitlines()]
    return "".join(json.dumps(line | {"t": 10 * line["t"]}) + "\n" for line in lines)


@pytest.fixture
def looker() -> Looker:
    return Looker()


@pytest.fixture
def server(tmp_path: Path, looker: Looker) -> Iterator[Served]:
    record = RecordFile(tmp_path / "game.jsonl")
    gallery = Gallery(tmp_path / "pictures")
    reader = ToldReader(read_record(slowed()))
    table = LiveTable(reader, filmed(), record, TableSettings("harbin-hlr", "x", gallery=gallery))
    with serving(
        create_app(table, PageSettings(dispute=Dispute(gallery, lambda: looker)))
    ) as server:
        server.wait_for_end()
        yield server
    record.close()


def test_the_pictures_of_an_event_show_it_before_and_after(server: Served) -> None:
    clip = server.json(f"/api/events/{DISCARD}/pictures")
    times = [shot["t"] for shot in clip["pictures"]]
    assert clip["t"] == 2.0
    assert (times[0], times[-1]) == (0.0, 4.0)
    assert 2.0 in times
    data = server.get_bytes(f"/api/pictures/{clip['pictures'][0]['number']}")
    assert data.startswith(b"\xff\xd8")
    assert server.get("/api/pictures/999").status == 404
    assert server.get("/api/events/999/pictures").status == 404
    step = server.json(f"/api/replay/{DISCARD}")
    assert step["picture"] in [shot["number"] for shot in clip["pictures"]]


def test_an_event_is_read_again(server: Served, looker: Looker) -> None:
    answer = json.loads(server.post("/api/reread", {"of": DISCARD}).text)
    example = EXAMPLES["POST", "reread"].answer
    assert answer.keys() == example.keys()
    (tile,) = answer["tiles"]
    assert [one["tile"] for one in tile["likely"][:2]] == ["9m", "8m"]
    assert tile["likely"][0]["share"] == pytest.approx(0.81)
    assert answer["part"].startswith("data:image/jpeg;base64,")
    assert looker.reads >= 1
    assert server.post("/api/reread", {"of": 999}).status == 404
    foreign = {"Origin": "http://evil.example"}
    assert server.post("/api/reread", {"of": DISCARD}, foreign).status == 403


def test_without_pictures_it_is_said_so(tmp_path: Path, looker: Looker) -> None:
    entries = [replace(entry, t=None) for entry in ENTRIES]
    record = RecordFile(tmp_path / "game.jsonl")
    table = LiveTable(ToldReader(entries), frames(2), record, TableSettings("harbin-hlr", "x"))
    for dispute in (None, Dispute(Gallery(tmp_path / "none"), lambda: looker)):
        with serving(create_app(table, PageSettings(dispute=dispute))) as server:
            assert server.wait_for_end()
            assert server.json(f"/api/events/{DISCARD}/pictures")["pictures"] == []
            answer = server.post("/api/reread", {"of": DISCARD})
            assert answer.status == 422
            assert "picture" in json.loads(answer.text)["detail"]
        table = resumed(entries, record=record)
    record.close()


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_doubted_event_is_settled_on_the_page(
    browser: Browser, server: Served, size: dict[str, int], tmp_path: Path
) -> None:
    complaints: list[str] = []
    page = opened(browser, server.url, size, complaints)
    page.locator(f'.event[data-number="{DISCARD}"]').click()
    page.get_by_role("button", name="Show the pictures").click()
    clip = page.locator("#mend .clip").first
    expect(clip).to_be_visible()
    before = clip.get_attribute("src")
    page.get_by_role("slider", name="Show the pictures").press("Home")
    expect(clip).not_to_have_attribute("src", before or "")
    page.get_by_role("button", name="Read it again").click()
    expect(page.locator("#mend")).to_contain_text("Read now:")
    expect(page.locator("#mend")).to_contain_text("81 %")
    page.screenshot(path=tmp_path / "dispute.png")
    assert fits(page)
    assert complaints == []
    page.close()
