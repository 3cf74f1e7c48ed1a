"""The strip of a hand and the clip of an evening: who has it made, of what, and what is offered."""

from __future__ import annotations

import errno
import json
import shutil
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from engine.codec import event_to_json
from engine.events import Draw, Win
from engine.game import replay
from engine.highlights import best_wins
from engine.stories import tell_game
from engine.tiles import UNKNOWN
from service.evening import story_pages
from service.evening.story_pages import names_written, piece_of
from service.table import clip_maker, pictures
from service.table.clip_maker import ABOUT, CAPTIONS, ClipMaker, Shows
from service.table.highlight_clip import (
    AFTER_S,
    BEFORE_S,
    FORMS,
    LONGEST_S,
    TITLE_S,
    Clip,
    kept_footage,
)
from service.table.picture_files import clips_folder
from tests.support.browsing import PHONE, choose_language, menu, opened
from tests.support.harbin_game import ENTRIES
from tests.support.highlights import NAMES, RECORD, SAMPLE, evening, pictures_at, sample_game
from tests.support.keys import BY_ROLE, KEYS, with_key
from tests.support.patience import until
from tests.support.screens import looked_at
from vision.camera.live import PacedFile
from vision.camera.video_file import VideoFile

GAME: Final = sample_game()
WIN = next(one for one in GAME if isinstance(one.event, Win))
TINY: Final = Clip(b"a film", "WEBVTT\n", FORMS[0], 10.0, 1)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encode nothing."""
    monkeypatch.setattr(story_pages, "make_clip", lambda *_: TINY)


def clips(folder: Path) -> set[str]:
    at = clips_folder(folder / RECORD)
    return {path.name for path in at.iterdir()} if at.is_dir() else set()


def test_a_hand_is_told_with_pictures_where_they_were_kept(tmp_path: Path) -> None:
    assert WIN.t is not None
    kept = pictures_at([0.0, 30.0, WIN.t + 0.2])
    with evening(tmp_path, GAME, kept) as here:
        (hand,) = here.served.json("/api/hands")["games"][0]["hands"]
        told = here.served.json(f"/api/hands/{hand['first']}/story")
        moments = told["moments"]
        assert told["lines"] == len(GAME)
        assert 3 <= len(moments) <= 6
        assert moments[-1]["picture"] == "/api/v1/pictures/2"
        assert here.served.get_bytes(moments[-1]["picture"]).startswith(b"\xff\xd8")
        assert None in {moment["picture"] for moment in moments}, "others are of other moments"
        for moment in moments:
            replayed = here.served.json(f"/api/replay/{moment['step']}")
            assert moment["table"] == replayed["table"], "it shows no more than the replay does"
            if replayed["happened"][0]["event"]["type"] != "deal":
                assert moment["told"] == replayed["happened"][0]["told"]
        assert here.served.get("/api/hands/99999/story").status == 404
        assert here.served.get(f"/api/hands/{hand['first']}/story?lang=zh").status == 200


def test_no_hidden_tile_stands_in_a_story(tmp_path: Path) -> None:
    at, drawn = next(
        (at, one.event)
        for at, one in enumerate(ENTRIES)
        if isinstance(one.event, Draw) and one.event.tile.known
    )
    told = []
    for tile in (drawn.tile, UNKNOWN):
        lines = list(ENTRIES)
        lines[at] = replace(lines[at], event=replace(drawn, tile=tile))
        with evening(tmp_path, lines) as here:
            told.append(here.served.get("/api/hands/1/story", key=KEYS.viewer).text)
    assert told[0] == told[1]


def test_only_the_host_has_a_clip_made_and_whoever_watches_sees_it(
    tmp_path: Path, quick: None
) -> None:
    with evening(tmp_path, GAME) as here:
        here.everybody_agrees()
        assert here.state() == {
            "making": False,
            "done": 0.0,
            "problem": None,
            "seconds": None,
            "kind": None,
            "may_make": False,
            "wins": 1,
        }
        assert here.ask("GET", KEYS.viewer, "/film")[0] == 404
        for role, key in BY_ROLE.items():
            if key not in (None, KEYS.control):
                refused = {here.ask(method, key or "")[0] for method in ("POST", "DELETE")}
                assert refused <= {401, 403}, role
        made = here.made()
        assert (made["seconds"], made["kind"], made["problem"]) == (10.0, "video/mp4", None)
        assert here.ask("GET", KEYS.viewer, "/film") == (200, b"a film")
        assert here.ask("GET", KEYS.seats[2], "/captions") == (200, b"WEBVTT\n")
        assert here.ask("GET", "wrong", "/film")[0] == 401
        part = here.served.get("/api/highlights/film", headers={"Range": "bytes=2-5"})
        assert (part.status, part.text) == (206, "film"), "players ask for pieces"
    with evening(tmp_path, GAME) as again:
        assert again.state()["seconds"] == 10.0, "it is there after a restart"


def test_nothing_is_made_of_people_who_did_not_agree(tmp_path: Path, quick: None) -> None:
    with evening(tmp_path, GAME) as here:
        assert "agreed" in here.made()["problem"]
        assert clips(tmp_path) == set()
        here.everybody_agrees()
        assert here.made()["problem"] is None
        assert clips(tmp_path) == {ABOUT, CAPTIONS, "highlights.mp4"}
        here.agreed.change(["Bo"], clips=False, own=True)
        assert clips(tmp_path) == set(), "a no deletes it"
        assert here.state()["kind"] is None
        assert here.ask("GET", KEYS.viewer, "/film")[0] == 404


def test_a_no_while_it_is_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with evening(tmp_path, GAME) as here:
        here.everybody_agrees()

        def refused_meanwhile(*_: object) -> Clip:
            here.agreed.change(["Bo"], clips=False, own=True)
            return TINY

        monkeypatch.setattr(story_pages, "make_clip", refused_meanwhile)
        assert "agreed" in here.made()["problem"]
        assert clips(tmp_path) == set()


def test_a_clip_of_what_was_put_right_is_not_offered(tmp_path: Path, quick: None) -> None:
    number = GAME.index(WIN)
    with evening(tmp_path, GAME) as here:
        here.everybody_agrees()
        assert here.made()["kind"] == "video/mp4"
        body = {"of": number, "do": "remove", "lines": len(GAME), "leftovers": True}
        answer = here.served.post("/api/corrections", body, with_key(KEYS.scorer))
        assert answer.status == 200, answer.text
        assert here.state()["kind"] is None
        assert here.ask("GET", KEYS.viewer, "/film")[0] == 404


def test_a_clip_that_names_others_than_the_record_is_not_offered(
    tmp_path: Path, quick: None
) -> None:
    with evening(tmp_path, GAME) as here:
        here.everybody_agrees()
        assert here.made()["kind"] == "video/mp4"
        start = event_to_json(GAME[0].event) | {"players": ["Eve", *NAMES[1:]]}
        body = {"of": 0, "do": "replace", "events": [start], "lines": len(GAME)}
        answer = here.served.post("/api/corrections", body, with_key(KEYS.scorer))
        assert answer.status == 200, answer.text
        here.everybody_agrees()
        assert here.state()["kind"] is None, "it still says Anna"
        assert here.made()["kind"] == "video/mp4"


def test_a_clip_that_could_not_be_made_anew_says_so(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with evening(tmp_path, GAME) as here:
        here.everybody_agrees()
        here.made()

        def may_not(*_: object, **__: object) -> None:
            raise PermissionError

        monkeypatch.setattr(clip_maker, "write_whole", may_not)
        monkeypatch.setattr(Path, "unlink", may_not)
        told = here.made()
        assert told["kind"] == "video/mp4", "the one before is there still"
        assert told["problem"] == "The clip cannot be written beside the record."


def test_a_kept_picture_of_before_a_moment_is_not_shown() -> None:
    shown = kept_footage(pictures_at([0.0, 30.0, 31.0]))
    assert [time_s for time_s, _ in shown(29.0, 40.0)] == [30.0, 31.0]
    assert list(shown(32.0, 40.0)) == [], "other people may have sat there"


def test_who_has_a_name_that_no_font_writes_is_called_by_the_colour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(story_pages, "can_be_written", lambda name: name != "Bo")
    (best,) = best_wins(tell_game(replay(GAME)), 1)
    assert names_written(best.game, "en") == ("Anna", "Purple", "李雷", "だいすけ")
    line = piece_of(best, "en").line
    assert ("Bo" in line.said, "Bo" in line.written) == (True, False)
    assert line.written == line.said.replace("Bo", "Purple"), "its captions have the name"


def test_a_game_without_a_win_has_no_clip(tmp_path: Path, quick: None) -> None:
    with evening(tmp_path, GAME[: GAME.index(WIN)]) as here:
        here.everybody_agrees()
        assert here.state()["wins"] == 0
        assert here.made()["problem"] == "No hand with a known time was won yet."


@pytest.mark.film
def test_the_film_is_shown_where_it_is_and_kept_pictures_where_it_is_gone(tmp_path: Path) -> None:
    film = tmp_path / "friday.mp4"
    shutil.copy(SAMPLE, film)
    assert WIN.t is not None
    with evening(tmp_path, GAME, film=film) as here:
        here.everybody_agrees()
        made = here.made()
        assert (made["problem"], made["kind"]) == (None, FORMS[0].media_type)
        assert TITLE_S < made["seconds"] <= LONGEST_S
        status, data = here.ask("GET", KEYS.viewer, "/film")
        assert status == 200
        whole = tmp_path / "seen.mp4"
        whole.write_bytes(data)
        with av.open(str(whole)) as container:
            (stream,) = container.streams.video
            shown = sum(1 for _ in container.decode(stream)) / float(stream.average_rate or 1)
            assert shown == pytest.approx(made["seconds"], abs=0.1)
            assert stream.codec_context.name == "h264"
            assert stream.codec_context.pix_fmt == "yuv420p"
        _, captions = here.ask("GET", KEYS.viewer, "/captions")
        text = captions.decode()
        assert "Anna · Bo · 李雷 · だいすけ · 2026-05-01" in text
        assert text.count("-->") == 2
        film.unlink()
        assert "film cannot be read" in here.made()["problem"]
        assert here.state()["kind"] is None, "the old one was given up"
    with evening(tmp_path, GAME, pictures_at([WIN.t - 1, WIN.t + 0.5])) as here:
        assert here.made()["problem"] is None


@pytest.mark.film
@pytest.mark.parametrize(
    ("form", "options"), [("mpegts", {}), ("matroska", {"live": "1"}), ("h264", {})]
)
def test_a_film_without_an_index_shows_the_same_moments(
    tmp_path: Path, form: str, options: dict[str, str]
) -> None:
    """As cameras write them: a stream, one that was broken off, and pictures without any times."""
    film = tmp_path / f"friday.{form}"
    with av.open(str(SAMPLE)) as whole, av.open(str(film), "w", form, options=options) as written:
        (taken,) = whole.streams.video
        given = written.add_stream_from_template(taken)
        for packet in whole.demux(taken):
            if packet.dts is not None:
                packet.stream = given
                written.mux(packet)
    video = VideoFile(film)
    middle_s = video.duration_s / 2
    shown = list(PacedFile(film).between(middle_s - BEFORE_S, middle_s + AFTER_S))
    expected = [
        frame
        for frame in video.frames()
        if middle_s - BEFORE_S <= frame.time_s <= middle_s + AFTER_S
    ]
    assert [one.time_s for one in shown] == pytest.approx([one.time_s for one in expected])
    for place in (0, len(shown) // 2, -1):
        assert np.array_equal(shown[place].image_bgr, expected[place].image_bgr)
    assert WIN.t is not None
    share = video.duration_s / VideoFile(SAMPLE).duration_s  # without times it runs otherwise
    played = [one if one.t is None else replace(one, t=one.t * share) for one in GAME]
    with evening(tmp_path, played, film=film) as here:
        here.everybody_agrees()
        made = here.made()
    assert made["problem"] is None
    assert made["seconds"] == pytest.approx(TITLE_S + BEFORE_S + AFTER_S, abs=0.2)


def test_without_film_and_pictures_one_line_says_so(tmp_path: Path) -> None:
    with evening(tmp_path, GAME, pictures_at([0.0])) as here:
        here.everybody_agrees()
        assert here.made()["problem"] == "No picture of the best wins was kept."
        assert clips(tmp_path) == set()


def test_it_is_cancelled_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits, half = threading.Event(), threading.Event()

    def slowly(*given: Any) -> Clip:
        progress: Callable[[float], None] = given[3]
        progress(0.5)
        half.set()
        while True:  # until it raises
            waits.wait(0.01)
            progress(0.5)

    monkeypatch.setattr(story_pages, "make_clip", slowly)
    with evening(tmp_path, GAME) as here:
        here.everybody_agrees()
        assert here.ask("POST")[0] == 200
        assert until(half.is_set)
        told = here.state(KEYS.control)
        assert (told["making"], told["done"], told["may_make"]) == (True, 0.5, True)
        assert here.ask("POST")[0] == 409, "one at a time"
        assert here.ask("DELETE")[0] == 200
        until(lambda: not here.maker.making)
        assert here.state()["problem"] == "It was cancelled; nothing of it was kept."
        assert clips(tmp_path) == set()
        assert here.ask("POST")[0] == 200  # and is being made while the program ends
    until(lambda: not here.maker.making)
    assert clips(tmp_path) == {ABOUT}
    with evening(tmp_path, GAME) as again:
        assert again.state()["problem"] == (
            "The program ended while it was made; nothing of it was kept."
        )


def test_a_full_disk_is_told_and_leaves_nothing(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with evening(tmp_path, GAME) as here:
        here.everybody_agrees()
        usage = shutil.disk_usage(tmp_path)
        full = usage._replace(free=pictures.LEFT_FREE)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
        assert here.made()["problem"] == "The disk is full: no clip was made."
        assert clips(tmp_path) == set()
        monkeypatch.undo()

        def no_room(path: Path, data: object) -> None:
            raise OSError(errno.ENOSPC, "no room")

        monkeypatch.setattr(clip_maker, "write_whole", no_room)
        monkeypatch.setattr(story_pages, "make_clip", lambda *_: TINY)
        assert here.made()["problem"] == "The disk is full: no clip was made."


def test_what_a_killed_program_left_is_not_offered(tmp_path: Path) -> None:
    folder = tmp_path / "clips"
    folder.mkdir()
    (folder / "highlights.mp4").write_bytes(b"half")
    (folder / CAPTIONS).write_text("WEBVTT\n")
    (folder / ABOUT).write_text(json.dumps({"making": True}))
    maker = ClipMaker(folder)
    assert (maker.kept, maker.trouble) == (None, "interrupted")
    for damaged in ("", "[]", "{", '{"kind": "video/mp4", "seconds": 3}', '{"kind": 1, "of": []}'):
        (folder / ABOUT).write_text(damaged)
        assert ClipMaker(folder).kept is None
    told = {"kind": "video/mp4", "seconds": 3, "of": [[1, 0]], "seal": "of it"}
    (folder / ABOUT).write_text(json.dumps(told))
    kept = ClipMaker(folder).kept
    assert kept is not None
    assert (kept.seconds, kept.shows) == (3.0, Shows(((1, 0),), "of it"))
    (folder / "highlights.mp4").unlink()
    assert ClipMaker(folder).kept is None


def test_a_fault_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    def fails(_: object) -> Any:
        raise ZeroDivisionError

    heard: list[type[BaseException]] = []
    before, threading.excepthook = threading.excepthook, lambda args: heard.append(args.exc_type)
    try:
        maker = ClipMaker(tmp_path / "clips")
        maker.start(fails)
        until(lambda: not maker.making)
    finally:
        threading.excepthook = before
    assert (maker.trouble, heard) == ("failed", [ZeroDivisionError])
    assert list((tmp_path / "clips").iterdir()) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_host_has_the_clip_made_on_the_page(
    browser: Browser, tmp_path: Path, quick: None, lang: str
) -> None:
    with evening(tmp_path, GAME) as here:
        page = opened(browser, f"{here.served.url}/game#{KEYS.control}", PHONE, [])
        if lang != "en":
            menu(page)
            choose_language(page, lang)
            page.keyboard.press("Escape")
        page.locator("#rooms [data-room=files]").click()
        taps = page.locator("#clip-taps")
        make, agree = taps.locator("button").first, taps.locator("button").nth(1)
        expect(agree).to_be_visible()
        make.click()
        expect(page.locator("#clip-said")).not_to_be_empty()
        looked_at(page, f"clip-refused-{lang}")
        other = "zh" if lang == "en" else "en"
        for each in (other, lang):  # all of it is said anew
            said = make.text_content() or ""
            menu(page)
            choose_language(page, each)
            expect(make).not_to_have_text(said)
            page.keyboard.press("Escape")
        agree.click()
        expect(taps.locator("button")).to_have_count(1)
        make.click()
        expect(page.locator("#clip video")).to_be_visible()
        expect(page.locator("#clip-said")).to_be_empty()
        with page.expect_download() as saved:
            taps.locator("a").click()
        assert Path(saved.value.path()).read_bytes() == b"a film"
        looked_at(page, f"clip-{lang}")
        page.close()
        watcher = opened(browser, f"{here.served.url}/game#{KEYS.viewer}", PHONE, [])
        watcher.locator("#rooms [data-room=files]").click()
        expect(watcher.locator("#clip video")).to_be_visible()
        expect(watcher.locator("#clip-taps button")).to_have_count(0)
        watcher.close()
