"""A live table for an hour: the real server watches a film in a loop, and its memory is noted.

``python -m tests.support.long_watch --minutes 60 --out runs/long-watch``. The film goes to the
server as a camera in the network sends it, and is broken off now and then; pages stay open
meanwhile. Exit status 1: the memory went on growing.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, TextIO
from urllib.request import Request, urlopen

import numpy as np
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.support.paths import FILM, ROOT
from vision.camera.video_file import VideoFile
from vision.draw import jpeg

PROGRAM: Final = "from service.main import main; main()"
BOUNDARY: Final = "picture"
WARM_UP_SHARE: Final = 0.25
"""Of the run: buffers and weights find their size first."""
MOST_GROWTH_MB_H: Final = 40.0
"""More in an hour is a leak: a long evening would fill a small machine."""


@dataclass(frozen=True)
class Sample:
    """What the server was like at one moment."""

    minute: float
    rss_mb: float
    threads: int
    files: int
    """Open files and sockets."""
    cpu_s: float
    lines: int
    """Of the record."""
    record_kb: float
    pictures: int
    """Kept beside the record."""


class Film:
    """A film as pictures, sent round and round to whoever asks, until told to break off."""

    def __init__(self, path: Path, fps: float) -> None:
        self._fps = fps
        frames = VideoFile(path).frames(1.0 / fps)
        self._pictures = [jpeg(frame.image_bgr, quality=90) for frame in frames]
        self._cut = threading.Event()
        film = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # the name that the library calls
                self.send_response(200)
                kind = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
                self.send_header("Content-Type", kind)
                self.end_headers()
                with contextlib.suppress(OSError):
                    film.play(self.wfile.write)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/table"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def play(self, write: Callable[[bytes], object]) -> None:
        """Every picture when it is due, the first again after the last."""
        self._cut.clear()
        begun_s, count = time.monotonic(), 0
        while not self._cut.is_set():
            data = self._pictures[count % len(self._pictures)]
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n"
            write(f"{head}\r\n".encode() + data + b"\r\n")
            count += 1
            time.sleep(max(0.0, begun_s + count / self._fps - time.monotonic()))

    def cut(self) -> None:
        """Break off, as a camera does whose plug is loose."""
        self._cut.set()


class Pages:
    """What people have open: the table, its picture, a seat with hints, a stream, the game."""

    def __init__(self, host: str, control: str, seat: str) -> None:
        self._host = host
        self._control = control
        looking: tuple[tuple[str, str | None, str | None], ...] = (
            ("/ws", None, None),
            ("/ws/picture", None, "next"),
            ("/ws/seat", json.dumps({"key": seat}), json.dumps({"teach": "always"})),
            ("/ws", "{}", None),
        )
        for path, first, again in looking:
            threading.Thread(target=self._listen, args=(path, first, again), daemon=True).start()
        threading.Thread(target=self._ask, daemon=True).start()

    def _listen(self, path: str, first: str | None, again: str | None) -> None:
        """Listen for ever; a page that is sent away comes back, as browsers do."""
        while True:
            with contextlib.suppress(OSError, WebSocketException):
                self._hear(path, first, again)
            time.sleep(1)

    def _hear(self, path: str, first: str | None, again: str | None) -> None:
        with connect(f"ws://{self._host}{path}") as socket:
            if first is not None:
                socket.send(first)
            while True:
                if again is not None:
                    socket.send(again)
                with contextlib.suppress(TimeoutError):
                    socket.recv(5)
                time.sleep(0.2)

    def _ask(self) -> None:
        paths = ("/api/hands", "/api/replay", "/api/standings", "/metrics", "/health", "/api/seats")
        while True:
            for path in paths:
                with contextlib.suppress(OSError):
                    headers = {"Authorization": f"Bearer {self._control}"}
                    urlopen(Request(f"http://{self._host}{path}", headers=headers)).read()
                time.sleep(5)


def looked_at(process: subprocess.Popen[str], record: Path, since_s: float) -> Sample:
    """The server as the system sees it now."""
    place = Path(f"/proc/{process.pid}")
    status = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
    times = (place / "stat").read_text().rsplit(")", 1)[1].split()
    cpu_s = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
    written = record.read_bytes() if record.exists() else b""
    kept = record.with_name(f"{record.stem}-pictures")
    return Sample(
        round((time.monotonic() - since_s) / 60, 2),
        round(int(status["VmRSS"].split()[0]) / 1024, 1),
        int(status["Threads"]),
        len(list((place / "fd").iterdir())),
        round(cpu_s, 1),
        written.count(b"\n"),
        round(len(written) / 1024, 1),
        len(list(kept.iterdir())) if kept.is_dir() else 0,
    )


def growth_mb_h(samples: Sequence[Sample]) -> float:
    """How fast the memory grew once the program was warm: the slope of a line through it."""
    last = samples[-1].minute
    warm = [sample for sample in samples if sample.minute >= WARM_UP_SHARE * last]
    if len(warm) < 2:
        return 0.0
    slope = np.polyfit([one.minute for one in warm], [one.rss_mb for one in warm], 1)[0]
    return float(slope) * 60


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every-s", type=float, default=60, help="between two looks")
    parser.add_argument("--fps", type=float, default=5, help="pictures a second")
    parser.add_argument("--cut-minutes", type=float, default=10, help="the camera is lost so often")
    parser.add_argument("--out", type=Path, required=True, help="a new folder")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True)
    film = Film(FILM, asked.fps)
    record = asked.out.resolve() / "game.jsonl"
    options = ["serve", film.address, "--port", "0", "--record", str(record)]
    with (
        (asked.out / "said.txt").open("w") as said,
        (asked.out / "samples.jsonl").open("w") as kept,
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *options, "--json-log"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as process,
    ):
        try:
            host, control, seat = told(process)
            Pages(host, control, seat)
            samples = watched(process, record, film, asked, kept)
        finally:
            process.terminate()
    grown = growth_mb_h(samples)
    print(f"{samples[-1].minute:.0f} minutes, {samples[-1].lines} lines of the record")
    print(f"memory: {samples[0].rss_mb} MB at first, {samples[-1].rss_mb} MB at the end")
    print(f"once warm it grows by {grown:.1f} MB an hour (at most {MOST_GROWTH_MB_H:.0f})")
    return int(grown > MOST_GROWTH_MB_H)


def told(process: subprocess.Popen[str]) -> tuple[str, str, str]:
    """Where the page is, the key of the admin page and a seat's."""
    text = ""
    assert process.stdout is not None
    while "for you alone" not in text:
        line = process.stdout.readline()
        if not line:
            raise SystemExit("the server does not start; said.txt says why")
        text += line
    threading.Thread(target=process.stdout.read, daemon=True).start()
    keys = dict(re.findall(r"(seat 0|for you) alone: \S+#(\S+)", text))
    (port,) = re.findall(r"the page is at http://\S+:(\d+)/", text)
    return f"127.0.0.1:{port}", keys["for you"], keys["seat 0"]


def watched(
    process: subprocess.Popen[str],
    record: Path,
    film: Film,
    asked: argparse.Namespace,
    kept: TextIO,
) -> list[Sample]:
    """Look until the time is over; each look is on the disk at once."""
    begun_s, cuts = time.monotonic(), 1
    samples: list[Sample] = []
    while not samples or samples[-1].minute < asked.minutes:
        time.sleep(asked.every_s)
        if process.poll() is not None:
            raise SystemExit("the server ended; said.txt says why")
        samples.append(looked_at(process, record, begun_s))
        print(json.dumps(asdict(samples[-1])), file=kept, flush=True)
        if samples[-1].minute >= cuts * asked.cut_minutes:
            cuts += 1
            film.cut()
    return samples


if __name__ == "__main__":
    sys.exit(main())
