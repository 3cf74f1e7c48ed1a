"""A disputed event is looked at again: its pictures, and what is read in them now."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from engine.codec import read_record
from engine.events import Correct, Entry, HandStart, Pung
from engine.tiles import Tile
from service.app import create_app
from service.pages.settings import PageSettings
from service.table.dispute import Agreed, Dispute
from service.table.live_table import LiveTable, TableSettings
from service.table.pictures import OF_FILM, Pictures
from service.table.record_file import RecordFile
from tests.support.axe import faults
from tests.support.browsing import LAPTOP, PHONE, choose_language, events, menu, opened
from tests.support.discard_film import Looker, filmed
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.highlights import pictures_at
from tests.support.live_table import frames, resumed
from tests.support.placed_tiles import PlainLookResult, at
from tests.support.screens import WIDTHS, looked_at
from tests.support.served import Served, serving
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame

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
    pictures = Pictures.kept_in(tmp_path / "pictures")
    reader = ToldReader(read_record(slowed()))
    table = LiveTable(reader, filmed(), record, TableSettings("harbin-hlr", "x", pictures=pictures))
    with serving(
        create_app(
            table,
            PageSettings(
                dispute=Dispute(pictures, lambda: looker), agreed=Agreed(tmp_path / "game.jsonl")
            ),
        )
    ) as server:
        server.wait_for_end()
        yield server
    record.close()


def test_an_event_is_shown_before_and_after_it_and_read_again(
    server: Served, looker: Looker
) -> None:
    clip = server.json(f"/api/events/{DISCARD}/pictures")
    times = [shot["t"] for shot in clip["pictures"]]
    assert clip["t"] == 2.0
    assert (times[0], times[-1]) == (0.0, 6.0)
    assert 2.0 in times
    data = server.get_bytes(f"/api/pictures/{clip['pictures'][0]['number']}")
    assert data.startswith(b"\xff\xd8")
    assert server.get("/api/pictures/999").status == 404
    assert server.get("/api/events/999/pictures").status == 404
    step = server.json(f"/api/replay/{DISCARD}")
    assert step["picture"] in [shot["number"] for shot in clip["pictures"]]
    answer = json.loads(server.post("/api/reread", {"of": DISCARD}).text)
    (tile,) = answer["tiles"]
    assert [one["tile"] for one in tile["likely"][:2]] == ["9m", "8m"]
    assert sum(one["share"] for one in tile["likely"]) == pytest.approx(1)
    assert tile["likely"][0]["share"] == pytest.approx(0.844)
    place = {"x": 315 / 640, "y": 220 / 360, "radius": 1.35 * 25 / 640}
    assert tile["ring"] == pytest.approx(place, abs=1e-3)
    assert tile["part"].startswith("data:image/jpeg;base64,")
    assert answer["part"].startswith("data:image/jpeg;base64,")
    assert looker.reads >= 1
    reads = looker.reads
    for _ in range(2):
        assert server.get_bytes(f"/api/events/{DISCARD}/crop").startswith(b"\xff\xd8")
    assert looker.reads <= 2 * reads
    assert server.get("/api/events/9/crop").status == 204
    assert server.post("/api/reread", {"of": 999}).status == 404
    looker.doubts = "4z"  # Harbin has no winds
    (tile,) = json.loads(server.post("/api/reread", {"of": DISCARD}).text)["tiles"]
    assert tile["likely"][0] == {"tile": "9m", "share": 1.0}
    assert "4z" not in [one["tile"] for one in tile["likely"]]


def test_a_picture_that_cannot_be_read_hides_no_other(server: Served, tmp_path: Path) -> None:
    shown = server.json(f"/api/events/{DISCARD}/pictures")["pictures"]
    kept = tmp_path / "pictures"
    *others, last = (next(kept.glob(f"{one['number']:06}-*")) for one in shown)
    for path in others:
        path.write_bytes(b"")
    answer = server.post("/api/reread", {"of": DISCARD})
    assert answer.status == 200, answer.text
    assert len(json.loads(answer.text)["tiles"]) == 1
    last.write_bytes(b"")
    assert "are gone" in server.post("/api/reread", {"of": DISCARD}).text


def test_a_clip_shows_nobody_who_sat_there_before() -> None:
    dispute = Dispute(pictures_at([0.0, 30.0]), Looker)
    entry = Entry(HandStart(0), 33.0)
    shown = dispute.animated(entry)
    assert shown is not None
    with Image.open(BytesIO(shown)) as animated:
        assert getattr(animated, "n_frames", 1) == 1, "without the picture of half a minute before"
    assert dispute.animated(Entry(HandStart(0), 60.0)) is None


def test_clips_are_kept_once_everybody_agreed_until_somebody_does_not(
    server: Served, tmp_path: Path
) -> None:
    clip, folder = f"/api/events/{DISCARD}/clip", tmp_path / "game-clips"
    assert server.get(clip).status == 422
    assert not server.json("/api/agreed")["clips"]
    assert server.post("/api/agreed", {"clips": True}).status == 200
    with Image.open(BytesIO(server.get_bytes(clip))) as animated:
        assert (animated.format, animated.width) == ("WEBP", 640)
        assert getattr(animated, "n_frames", 1) > 1
    (kept,) = folder.iterdir()
    kept.write_bytes(b"kept")
    assert server.get_bytes(clip) == b"kept", "it is not made again"
    after_a_restart = Agreed(tmp_path / "game.jsonl")
    people = server.json("/api/table")["names"]
    assert after_a_restart.to_clips(people)
    assert not after_a_restart.to_clips([*people[:3], "Eve"]), "she was not asked"
    assert server.post("/api/agreed", {"clips": False}).status == 200
    assert (server.get(clip).status, folder.exists()) == (422, False)


def test_without_pictures_it_is_said_so(tmp_path: Path, looker: Looker) -> None:
    entries = [replace(entry, t=None) for entry in ENTRIES]
    record = RecordFile(tmp_path / "game.jsonl")
    table = LiveTable(ToldReader(entries), frames(2), record, TableSettings("harbin-hlr", "x"))
    for dispute in (None, Dispute(Pictures.kept_in(tmp_path / "none"), lambda: looker)):
        with serving(create_app(table, PageSettings(dispute=dispute))) as server:
            assert server.wait_for_end()
            assert server.json(f"/api/events/{DISCARD}/pictures")["pictures"] == []
            assert server.get(f"/api/events/{DISCARD}/crop").status == 204
            answer = server.post("/api/reread", {"of": DISCARD})
            assert answer.status == 422
            assert "picture" in json.loads(answer.text)["detail"]
        table = resumed(entries, record=record)
    record.close()


def test_a_like_tile_that_came_later_is_not_taken_for_that_of_the_event(looker: Looker) -> None:
    pictures = Pictures(OF_FILM)
    nine = ENTRIES[DISCARD]
    for second in (0, 10, 20):
        image = next(filmed()).image_bgr
        tiles = tuple(at(40 * tile, "9m") for tile in range(second // 10))
        pictures.see(PlainLookResult(Frame(image, float(second), second), tiles))
    dispute = Dispute(pictures, lambda: looker)
    assert dispute.crop(replace(nine, t=10.0)) is not None
    assert looker.reads == 0
    assert dispute.crop(replace(nine, t=3.0)) is None
    assert dispute.crop(replace(nine, t=17.0)) is not None, "3 s are no other moment"
    reads, tile = looker.reads, Tile("9m")
    dispute.crop(Entry(Pung(2, 0, tile, (tile, tile)), t=10.0))
    assert looker.reads > reads, "the outlines of a set may be of a moment before"


@pytest.mark.parametrize("hidden", [(), (10,)])
def test_after_a_restart_a_tile_that_may_have_lain_there_before_is_not_taken_for_that_of_the_event(
    tmp_path: Path, looker: Looker, hidden: Sequence[int]
) -> None:
    image = next(filmed()).image_bgr
    for seconds in ((0,), (10, 12)):
        pictures = Pictures.kept_in(tmp_path)  # nobody knows what was read in those before
        for second in seconds:
            tiles = () if second in hidden else (at(40, "9m"),)
            pictures.see(PlainLookResult(Frame(image, float(second), second), tiles))
    dispute = Dispute(pictures, lambda: looker)
    assert dispute.crop(replace(ENTRIES[DISCARD], t=10.0)) is None
    assert looker.reads > 0, "the pictures are read again"


def test_a_ruling_is_a_line_of_the_record_with_who_ruled(server: Served, tmp_path: Path) -> None:
    def last() -> Entry:
        return read_record((tmp_path / "game.jsonl").read_text())[-1]

    def rulings() -> list[str]:
        found: list[str] = server.json(f"/api/events/{DISCARD}/pictures")["ruled_by"]
        return found

    lines = len(ENTRIES)
    body = {"of": DISCARD, "do": "confirm", "lines": lines, "ruled_by": " Chen "}
    assert server.post("/api/corrections", body).status == 200
    assert last().evidence == "ruled by Chen"
    line = last().event
    assert isinstance(line, Correct)
    (stands,) = line.events
    assert (stands.event, stands.source) == (ENTRIES[DISCARD].event, "person")
    assert rulings() == ["Chen"]
    assert server.post("/api/undo", {"lines": lines + 1}).status == 200
    assert rulings() == []
    assert server.post("/api/redo", {"lines": lines + 2}).status == 200
    assert rulings() == ["Chen"]
    body |= {"do": "remove", "lines": lines + 3, "ruled_by": ""}
    assert server.post("/api/corrections", body).status == 200
    assert last().evidence is None
    for name in ("x" * 61, "two\nlines"):
        assert server.post("/api/corrections", body | {"ruled_by": name}).status == 400


def test_the_replay_shows_the_picture_of_a_moment_with_its_time(
    browser: Browser, server: Served
) -> None:
    complaints: list[str] = []
    page = opened(browser, f"{server.url}/game?at={DISCARD}", PHONE, complaints)
    expect(page.locator("#moment-time")).to_have_text("0:02")
    picture = server.json(f"/api/replay/{DISCARD}")["picture"]
    expect(page.locator("#moment-picture")).to_have_attribute("src", f"/api/pictures/{picture}")
    page.close()
    assert complaints == []


def test_a_doubted_event_is_settled_on_the_page(browser: Browser, server: Served) -> None:
    complaints: list[str] = []
    page = opened(browser, server.url, PHONE, complaints)
    events(page)
    page.locator(f'.event[data-number="{DISCARD}"]').click()
    page.get_by_role("button", name="Show the pictures").click()
    expect(page.locator("#mend-title")).to_contain_text("Anna discards")
    clip = page.locator("#mend .clip").first
    expect(clip).to_be_visible()
    slider = page.get_by_role("slider", name="Show the pictures")
    slider.press("Home")
    first = clip.get_attribute("src") or ""
    page.get_by_role("button", name="Slowly").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(clip).not_to_have_attribute("src", first)
    slider.press("End")  # who looks for a picture stops the clip
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    # The disputed tile is ringed in the pictures, and has a picture of its own.
    expect(page.locator("#mend .ring")).to_have_count(1)
    expect(page.locator("#mend .ring")).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("img", name="Tile 1, ringed")).to_be_visible()
    expect(page.locator("#mend .read")).to_contain_text("84 %")
    page.get_by_role("button", name="Clips: everybody at the table agrees").click()
    expect(page.get_by_role("link", name="The moment as a clip")).to_be_visible()
    assert faults(page, ("light",)) == []
    looked_at(page, "dispute", widths=(1920, *WIDTHS))
    for size in (LAPTOP, {"width": 1920, "height": 1080}, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        # All of the screen; most of it is the moment.
        assert page.locator("#mend").bounding_box() == {"x": 0, "y": 0, **size}
        still = page.locator("#mend .still").bounding_box()
        assert still is not None
        assert still["height"] >= 0.6 * size["height"] - 1
        for name in ("It stands as it is", "It was…"):
            box = page.get_by_role("button", name=name).bounding_box()
            assert box is not None
            assert box["height"] >= 64
            assert box["y"] + box["height"] <= size["height"]
    page.get_by_role("button", name="It was…").click()
    expect(page.locator("#mend .way").first).to_be_visible()
    page.get_by_role("button", name="Show the pictures").click()
    # Who ruled is asked once it is written.
    page.get_by_role("button", name="It stands as it is").click()
    expect(page.locator("#mend")).to_be_hidden()
    page.get_by_label("Who decides").fill("Chen")
    # In another language it is asked in its words, and what was typed stays.
    menu(page)
    choose_language(page, "ja")
    saved = page.locator("#saved")
    assert re.findall("[A-Za-z]+", saved.inner_text()) == []
    expect(saved.locator("input")).to_have_value("Chen")
    choose_language(page, "en")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(f'.event[data-number="{DISCARD}"]')).to_contain_text("Decided by Chen")
    page.locator(f'.event[data-number="{DISCARD}"]').click()
    page.get_by_role("button", name="Show the pictures").click()
    expect(page.locator("#mend")).to_contain_text("Decided by Chen")
    page.get_by_role("button", name="It stands as it is").click()
    expect(page.get_by_label("Who decides")).to_have_value("Chen")
    assert complaints == []
    page.close()
