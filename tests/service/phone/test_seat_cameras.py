"""Cameras of single seats: what they see reaches that seat and nothing else, from the outside."""

from __future__ import annotations

import json
import logging
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from engine.announce import Hint, Ready, seen_by
from engine.codec import read_record
from engine.errors import Refused
from engine.events import Deal, Draw, Entry, Flower, GameStart, HandStart
from engine.game import Game, replay
from engine.play import with_player
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile, parse
from service.film.seat_recordings import recorded, write_hands
from service.main import run
from service.phone import seat_cameras
from service.phone.seat_cameras import (
    SeatCameras,
    SeatFilm,
    private_game,
    private_lines,
    seat_films,
    tiles_left,
    views_agree,
)
from service.phone.server import PhoneCamera
from service.web.keys import TableKeys
from tests.support.keys import KEYS
from tests.support.live_table import KeptLines
from tests.support.paths import FILM
from tests.support.patience import PATIENCE_S, until
from tests.support.phones import serving_phones
from tests.support.rows import watched
from tests.support.seat_camera_game import (
    RECORD,
    SEAT,
    SeesNothing,
    game,
    known,
    no_tiles,
    with_camera,
)
from tests.support.served import Served, served
from tests.support.told_reader import bare
from vision.seat_camera.standing_hand import HandWatch


def heard(server: Served, path: str, first: object) -> list[str]:
    """What a page that opens after the end of the game is told, and again when it asks."""
    texts = []
    with server.socket(path) as socket:
        if first is not None:
            socket.send(json.dumps(first))
        texts.append(str(socket.recv(PATIENCE_S)))
        if first is not None:
            socket.send(json.dumps({"teach": "now"}))
            texts.append(str(socket.recv(PATIENCE_S)))
    return texts


def everything(server: Served) -> dict[str, list[str]]:
    """All that everybody is told: four seats, the table's page, the stream, the interface."""
    found = {
        f"seat {seat}": heard(server, "/ws/seat", {"key": key})
        for seat, key in enumerate(KEYS.seats)
    }
    found["table"] = heard(server, "/ws", None)
    for path in ("/api/table", "/api/v1/table", "/health", "/api/record", "/metrics"):
        text = server.get(path).text
        # How long something took is another each time.
        found[path] = [line for line in text.splitlines() if "_seconds" not in line]
    return found


@pytest.fixture
def without() -> Iterator[dict[str, list[str]]]:
    with served(with_camera(KeptLines(), seen=False), KEYS) as server:
        server.wait_for_end()
        yield everything(server)


def test_only_the_seat_s_own_socket_brings_what_its_camera_sees(
    without: dict[str, list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    lines = KeptLines()
    with served(with_camera(lines), KEYS, "info") as server:
        server.wait_for_end()
        now = everything(server)
        mine = json.loads(now[f"seat {SEAT}"][0])["mine"]
    assert sorted(mine["hand"]) == sorted(map(str, _tiles()))
    assert [wait["tile"] for wait in mine["said"][-1]["waits"]] == ["6s", "9s"]
    assert mine["said"][-1]["for"] == SEAT
    del without[f"seat {SEAT}"], now[f"seat {SEAT}"]
    without.pop("/metrics"), now.pop("/metrics")
    assert now == without, "nobody else is told anything else than without the camera"
    assert bare(lines.entries) == read_record(RECORD), "the public record stays as it is"
    assert "999p" not in caplog.text
    assert "11z" not in caplog.text


def _tiles() -> tuple[str, ...]:
    return tuple(
        f"{rank}{suit}"
        for suit, ranks in (("m", "123"), ("p", "456999"), ("s", "78"), ("z", "11"))
        for rank in ranks
    )


def test_a_phone_is_let_in_by_its_own_seat_s_key_alone() -> None:
    with serving_phones() as listeners:
        cameras = SeatCameras(no_tiles, "127.0.0.1", listeners=listeners)
        addresses = [cameras.phone(seat) for seat in (0, 1)]
        keys = [address.partition("#")[2] for address in addresses]
        frame_at = addresses[0].partition("/camera")[0] + "/frame"
        trusting = ssl._create_unverified_context()
        for key, status in ((keys[1], 401), ("", 401), (keys[0], 422)):
            request = urllib.request.Request(
                frame_at, b"no picture", {"Authorization": f"Bearer {key}"}
            )
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=PATIENCE_S, context=trusting)
            with refused.value as answer:
                assert answer.code == status
        cameras.close()


def test_phones_that_are_asked_for_at_once_leave_one_open() -> None:
    with serving_phones() as listeners, ThreadPoolExecutor(6) as pool:
        cameras = SeatCameras(no_tiles, "127.0.0.1", listeners=listeners)
        list(pool.map(cameras.phone, [2] * 6))
        assert listeners.count == 1
        cameras.close()
        assert listeners.count == 0


def test_a_camera_that_takes_long_to_end_holds_up_no_other_seat() -> None:
    class Slow(PhoneCamera):
        asked, ends = threading.Event(), threading.Event()

        def end(self) -> None:
            self.asked.set()
            assert self.ends.wait(PATIENCE_S)
            self.close()

    slow, cameras = Slow(), SeatCameras(no_tiles)
    with ThreadPoolExecutor(1) as pool:
        try:
            cameras._open(1, slow, slow.end, 0.0, False)
            stopping = pool.submit(cameras.stop, 1)
            assert slow.asked.wait(PATIENCE_S)
            other = PhoneCamera()
            opening = threading.Thread(target=cameras.open, args=(SeatFilm(2, "phone"), other))
            opening.daemon = True
            opening.start()
            until(lambda: cameras.status(2)["watching"])
            assert not stopping.done()
        finally:
            slow.ends.set()
        other.close()
    cameras.close()


def test_a_table_that_is_closed_opens_no_further_camera() -> None:
    with serving_phones() as listeners:
        cameras = SeatCameras(no_tiles, "127.0.0.1", listeners=listeners)
        cameras.close()
        with pytest.raises(Refused, match="closed"):
            cameras.phone(1)
        assert listeners.count == 0


def test_a_camera_that_shows_no_hand_is_told_of_to_its_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seat_cameras, "UNSEEN_S", 0.05)
    finder, phone = SeesNothing(), PhoneCamera()
    cameras = SeatCameras(lambda: no_tiles(finder))
    cameras.open(SeatFilm(2, "phone"), phone)
    phone.put(np.zeros((90, 160, 3), np.uint8))
    assert finder.looked.wait(PATIENCE_S)
    until(lambda: cameras.status(2)["problem"])
    status = cameras.status(2)
    phone.close()
    cameras.close()
    assert status == {"watching": True, "sees": 0, "problem": "no_hand"}
    assert cameras.status(2) == {"watching": False, "sees": 0, "problem": None}


def test_a_page_can_ask_for_its_camera_and_end_it() -> None:
    table = with_camera(KeptLines(), seen=False)
    assert table.seat_cameras is not None
    with served(table, KEYS) as server:
        server.wait_for_end()
        with server.socket("/ws/seat") as own, server.socket("/ws/seat") as other:
            for socket, seat in ((own, 1), (other, 2)):
                socket.send(json.dumps({"key": KEYS.seats[seat]}))
                assert json.loads(socket.recv(PATIENCE_S))["mine"]["camera"]["watching"] is False
            own.send(json.dumps({"camera": "phone"}))
            told = json.loads(own.recv(PATIENCE_S))
            while "camera_at" not in told:
                told = json.loads(own.recv(PATIENCE_S))
            assert told["camera_at"]["address"].startswith("https://")
            assert told["mine"]["camera"]["watching"] is True
            other.send(json.dumps({"teach": "now"}))
            assert json.loads(other.recv(PATIENCE_S))["mine"]["camera"]["watching"] is False
            own.send(json.dumps({"camera": "stop"}))
            while told["mine"]["camera"]["watching"]:
                told = json.loads(own.recv(PATIENCE_S))
    table.seat_cameras.close()


def test_the_phone_of_a_player_who_has_left_films_nothing_more_and_other_cameras_stay() -> None:
    table, keys = with_camera(KeptLines(), seen=False), TableKeys.new()
    cameras = table.seat_cameras
    assert cameras is not None
    with served(table, keys) as server:
        server.wait_for_end()
        cameras.phone(1)
        cameras.open(SeatFilm(2, "phone"), PhoneCamera())  # that of whoever runs the table
        control = {"Authorization": f"Bearer {keys.control}"}
        for seat in (1, 2):
            wish = {"renew": True, "seat": seat}
            assert server.post("/api/keys", wish, control).status == 200
        until(lambda: not cameras.status(1)["watching"])
        assert cameras.status(2)["watching"]
        phone = cameras.phone(1)  # of who sits there now
        assert phone.startswith("https://")
        assert cameras.status(1)["watching"]
    cameras.close()


@pytest.mark.parametrize(
    ("cameras", "shifts", "says"),
    [
        (["hand.mp4"], [], "such as east=hand.mp4"),
        (["middle=hand.mp4"], [], "seats are 0 to 3, or east, south, west, north"),
        (["east="], [], "such as east=hand.mp4"),
        (["east=a.mp4", "0=b.mp4"], [], "seat 0 has a camera already"),
        (["east=a.mp4"], ["east=soon"], "expected seconds"),
        (["east=a.mp4"], ["west=2"], "that seat has no --seat-camera"),
        ([], ["west=2"], "that seat has no --seat-camera"),
        (["east=a.mp4"], ["east=nan"], "that seat has no --seat-camera"),
    ],
)
def test_what_cannot_be_meant_is_told_in_one_line(
    cameras: list[str], shifts: list[str], says: str
) -> None:
    with pytest.raises(Refused) as refused:
        seat_films(cameras, shifts)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_seats_are_named_by_number_or_by_wind() -> None:
    assert seat_films(["north=0", "1=rtsp://host/x"], ["3=-2.5"]) == (
        SeatFilm(3, "0", -2.5),
        SeatFilm(1, "rtsp://host/x"),
    )
    # A wind is the one that a seat has while the first dealer deals.
    assert seat_films(["north=0", "2=1"], first_dealer=2) == (SeatFilm(1, "0"), SeatFilm(2, "1"))


def test_a_film_without_a_hand_is_refused() -> None:
    film = FILM
    with pytest.raises(Refused, match="no standing hand was seen"):
        recorded([SeatFilm(0, str(film))], no_tiles)


def test_a_file_that_is_no_video_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = FILM
    text = tmp_path / "hand.mp4"
    text.write_text("no video")
    said = ["score", str(film), "--rules", "harbin-hlr", "--out", str(tmp_path / "out")]
    assert run([*said, "--seat-camera", f"east={text}"]) == 2
    assert "cannot be read as a video" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_what_a_seat_knows_is_written_for_its_owner_only(tmp_path: Path) -> None:
    write_hands(tmp_path, game().entries, known())
    (path,) = tmp_path.iterdir()
    assert path.name == "seat-1-private.jsonl"
    assert path.stat().st_mode & 0o077 == 0
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert [event["seat"] for event in events if event["type"] == "deal"] == [SEAT]


DEALT = "123m 456p 78s 55p 134z"
SECOND = "1123m 456p 78s 55p 14z"
"""A 1m came, the west went."""


def stood(*hands: tuple[float, float, str]) -> HandWatch:
    return watched(*hands)


def test_the_hand_that_is_seen_is_the_seat_s_own() -> None:
    seen = stood((3, 12, DEALT), (15, 28, SECOND), (31, 40, "1123m 456p 789s 55p 1z"))
    mine = private_game(game(), SEAT, seen.stood)
    assert mine.state.players[SEAT].hand == tuple(sorted_hand("1123m 456p 789s 55p 1z"))
    assert all(tile == UNKNOWN for tile in game().state.players[SEAT].hand)


def sorted_hand(tiles: str) -> list[str]:
    return sorted(map(str, parse(tiles)), key=lambda tile: (tile[1], tile[0]))


def test_draws_are_told_by_what_is_new_in_the_hand() -> None:
    seen = stood((3, 12, DEALT), (15, 28, SECOND), (31, 40, "1123m 456p 789s 55p 1z"))
    mine = private_game(game(), SEAT, seen.stood)
    drawn = [
        str(entry.event.tile)
        for _, entry in mine.state.history.entries
        if isinstance(entry.event, Draw) and entry.event.seat == SEAT
    ]
    assert drawn == ["1m", "9s"]


def test_a_hand_that_is_ready_is_told_to_its_seat_and_to_nobody_else() -> None:
    seen = stood((31, 40, "123m 456p 78s 999p 11z"))
    mine = private_game(game(), SEAT, seen.stood)
    ready = [said for said in mine.announcements() if isinstance(said, Ready)]
    assert [str(wait.tile) for said in ready[-1:] for wait in said.waits] == ["6s", "9s"]
    assert [seen_by(said, SEAT) is not None for said in ready[-1:]] == [True]
    assert [seen_by(said, other) for said in ready for other in (None, 0, 2, 3)] == [None] * (
        4 * len(ready)
    )
    assert not [said for said in game().announcements() if isinstance(said, Ready)]


def test_a_tile_that_is_drawn_and_not_yet_put_down_can_be_advised_on() -> None:
    more = (
        '\n{"type":"discard","seat":2,"tile":"8s","t":34}'
        '\n{"type":"discard","seat":3,"tile":"8s","t":38}'
        '\n{"type":"discard","seat":0,"tile":"8s","t":42}'
    )
    seen = stood((31, 42, "123m 456p 78s 999p 11z"), (43, 50, "123m 456p 78s 999p 11z 2s"))
    mine = private_game(game(more), SEAT, seen.stood)
    assert mine.state.phase is Phase.TO_DISCARD
    hint = mine.hint(SEAT)
    assert isinstance(hint, Hint)
    assert str(hint.discards[0].tile) == "2s"
    assert game(more).state.phase is Phase.TO_DRAW


def test_claimed_sets_leave_the_hand() -> None:
    more = (
        '\n{"type":"discard","seat":2,"tile":"8p","t":34}'
        '\n{"type":"pung","seat":1,"from":2,"tile":"8p","own":["8p","8p"],"t":36}'
        '\n{"type":"discard","seat":1,"tile":"1z","t":40}'
    )
    seen = stood((31, 35, "1123m 456p 78s 88p 11z"), (42, 50, "1123m 456p 78s 1z"))
    mine = private_game(game(more), SEAT, seen.stood)
    assert [str(tile) for tile in mine.state.players[SEAT].hand] == sorted_hand("1123m 456p 78s 1z")


@pytest.mark.parametrize(
    ("tiles", "why"),
    [
        ("123m 456p 78s 55p 1z", "two tiles are missing"),
        ("123m 456p 789s 5555p 111z 2z", "three too many"),
    ],
)
def test_a_hand_of_another_size_adds_nothing(tiles: str, why: str) -> None:
    seen = stood((31, 40, tiles))
    assert private_lines(game(), SEAT, seen.stood) == [], why


def test_a_fifth_copy_is_never_in_a_hand() -> None:
    # All four 9m would lie on the table or stand here.
    seen = stood((31, 40, "9999m 456p 78s 55p 11z"))
    mine = private_game(game(), SEAT, seen.stood)
    hand = [str(tile) for tile in mine.state.players[SEAT].hand]
    assert hand.count("9m") <= 2
    assert mine.state.players[SEAT].river == game().state.players[SEAT].river


def test_lines_of_the_public_record_stay_as_they_are() -> None:
    public = game()
    seen = stood((3, 12, DEALT), (31, 40, "1123m 456p 789s 55p 1z"))
    before: tuple[Entry, ...] = tuple(public.entries)
    private_game(public, SEAT, seen.stood)
    assert tuple(public.entries) == before


def test_a_hand_that_lies_open_needs_no_camera() -> None:
    opened = RECORD.strip().splitlines()
    opened.insert(
        2,
        '{"type":"deal","seat":1,"tiles":["1m","2m","3m","4p","5p","6p","7s","8s",'
        '"5p","5p","1z","3z","4z"],"t":2}',
    )
    known = replay(read_record("\n".join(opened)))
    assert private_lines(known, SEAT, stood((31, 40, DEALT)).stood) == []


def test_what_another_seat_holds_limits_nothing_that_this_one_may_hold() -> None:
    left = []
    for hand in ("1112223334445m", "1112223334446m"):
        game = replay([Entry(GameStart("riichi")), Entry(HandStart()), Entry(Deal(1, parse(hand)))])
        left.append([tiles_left(game, 0, over=False), tiles_left(game, 1, over=False)])
    assert left[0] == left[1]


def with_flower(at: int, time_s: int) -> Game:
    """The game by Hong Kong rules, with a flower of the watched seat before one of its lines."""
    lines = RECORD.strip().replace("riichi", "hong-kong").splitlines()
    lines[0] = lines[0].replace('"t":0', '"options":{"flowers":true},"t":0')
    lines.insert(at, f'{{"type":"flower","seat":{SEAT},"tile":"?","t":{time_s}}}')
    return replay(read_record("\n".join(lines)))


def test_the_tile_for_a_flower_is_told_by_what_is_new_in_the_hand() -> None:
    seen = stood((3, 12, DEALT), (15, 28, SECOND), (31, 40, "1123m 456p 789s 55p 1z"))
    mine = private_game(with_flower(3, 13), SEAT, seen.stood)
    entries = [entry.event for _, entry in mine.state.history.entries]
    assert [one.drawn for one in entries if isinstance(one, Flower)] == [Tile("1m")]
    assert mine.state.players[SEAT].flowers == (UNKNOWN,)
    assert mine.state.players[SEAT].hand == tuple(sorted_hand("1123m 456p 789s 55p 1z"))


def test_the_tile_for_a_flower_is_known_before_anything_is_discarded() -> None:
    seen = stood((3, 12, DEALT), (14, 20, "1123m 456p 78s 55p 134z"))
    mine = private_game(replay(with_flower(3, 13).entries[:4]), SEAT, seen.stood)
    assert mine.state.players[SEAT].flowers == (UNKNOWN,)
    assert mine.state.players[SEAT].hand == tuple(sorted_hand("1123m 456p 78s 55p 134z"))


@pytest.mark.parametrize(
    ("stands", "known"), [((1.5, 4.5, "123m 456p 78s 55p 13z 1f"), 12), ((6, 9, DEALT), 13)]
)
def test_a_flower_of_the_deal_gets_no_name_and_leaves_the_other_tiles_known(
    stands: tuple[float, float, str], known: int
) -> None:
    mine = private_game(with_flower(2, 5), SEAT, stood(stands).stood)
    dealt = [entry.event for _, entry in mine.state.history.entries]
    (deal,) = [event for event in dealt if isinstance(event, Deal)]
    assert not [tile for tile in deal.tiles if tile.suit == "f"]
    assert sum(tile.known for tile in deal.tiles) == known
    assert mine.state.players[SEAT].flowers == (UNKNOWN,)


def test_a_seat_s_game_with_other_flowers_is_not_the_public_one() -> None:
    public = with_flower(2, 5).state
    named = with_player(public, SEAT, flowers=(Tile("3f"),))
    assert views_agree(public, public, SEAT)
    assert not views_agree(public, named, SEAT)
