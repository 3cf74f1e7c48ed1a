"""The password in a camera's address reaches nobody, wherever in the address it stands."""

from __future__ import annotations

import contextlib
import http.server
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.main import run
from tests.support.folders import files
from tests.support.halls import hall_at
from tests.support.patience import PATIENCE_S, until
from tests.support.program import running
from tests.support.served import Served
from vision.camera import live

SECRET = "s3cret"


@contextlib.contextmanager
def camera() -> Iterator[tuple[str, threading.Event]]:
    """A network camera that goes away once the event is set; answers its host and port."""
    gone = threading.Event()
    picture = cv2.imencode(".jpg", np.zeros((90, 160, 3), np.uint8))[1].tobytes()

    class Pictures(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if gone.is_set():
                self.send_error(503)
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
            self.end_headers()
            with contextlib.suppress(OSError):
                while not gone.is_set():
                    self.wfile.write(b"--next\r\nContent-Type: image/jpeg\r\n")
                    self.wfile.write(b"Content-Length: %d\r\n\r\n" % len(picture))
                    self.wfile.write(picture + b"\r\n")
                    time.sleep(0.05)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pictures) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}", gone
        gone.set()
        server.shutdown()


def test_no_page_line_or_hall_is_told_the_password(tmp_path: Path) -> None:
    said: list[str] = []
    with camera() as (place, gone), hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        (tmp_path / "hall.key").write_text(hall.add("north"))
        source = f"http://{SECRET}:{SECRET}@{place}/{SECRET}?user=admin&password={SECRET}"
        words = ["serve", source, "--port", "0", "--json-log"]
        words += ["--hall-url", f"{hall.server.url}/tables/north"]
        words += ["--hall-key-file", str(tmp_path / "hall.key")]
        with running(*words, "--record", str(tmp_path / "game.jsonl")) as program:
            try:
                line = program.line()
                assert "watching 127.0.0.1;" in line
                said.append(line)
                server = Served(re.findall(r"http://(\S+:\d+)", line)[0])
                until(lambda: server.json("/health")["time_s"])
                gone.set()
                with server.socket("/ws") as page:
                    while "sends no pictures" not in said[-1]:
                        said.append(str(page.recv(PATIENCE_S)))
                until(lambda: "sends no pictures" in hall.server.get("/api/v1/tables").text)
                for path in ("/health", "/api/table", "/api/events", "/metrics", "/"):
                    said.append(server.get(path).text)
                said.append(hall.server.get("/api/v1/tables").text)
            finally:
                program.stop()
                said += program.process.communicate(timeout=PATIENCE_S)
    written = files(tmp_path).values()
    assert [text for text in said if SECRET in text] == []
    assert not any(SECRET.encode() in data for data in written)


@pytest.mark.parametrize(
    "words",
    [
        ["serve", "--port", "0", "ADDRESS"],
        ["serve", "--port", "0", "0", "--seat-camera", "ADDRESS"],
        ["check", "ADDRESS", "--save", "table.toml", "--corners", "0,0 9,0 9,9 0,9"],
        ["enroll", "ADDRESS"],
        ["score", "ADDRESS", "--rules", "harbin-hlr"],
        ["score", "a.mp4", "--rules", "harbin-hlr", "--seat-camera", "east=a", "--seat-camera",
         "east=ADDRESS"],
        ["dev", "detect", "ADDRESS"],
    ],
)  # fmt: skip
def test_no_refusal_repeats_the_password(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(live, "OPEN_TIMEOUT_S", 0.1)
    address = f"rtsp://{SECRET}:{SECRET}@127.0.0.1:9/{SECRET}?password={SECRET}"
    assert run([word.replace("ADDRESS", address) for word in words]) == 2
    said = capfd.readouterr()
    assert said.err.startswith("tilesight: ")
    assert SECRET not in said.out + said.err
