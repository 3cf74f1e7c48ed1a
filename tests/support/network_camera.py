"""Network cameras of the tests: one that sends RTP over UDP alone, and an HTTP stream."""

from __future__ import annotations

import contextlib
import itertools
import re
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import av

from tests.support.films import shown

SIZE: Final = (64, 48)
CLOCK_HZ: Final = 90_000


def _units(folder: Path) -> list[bytes]:
    """The NAL units of a small film whose every picture fits into a packet."""
    path = folder / "camera.h264"
    with av.open(str(path), "w") as container:
        options = {"g": "5", "bf": "0", "preset": "ultrafast", "crf": "40", "threads": "1"}
        stream = container.add_stream("libx264", rate=10, options=options)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(20):
            array = shown(number, *SIZE) // 32 * 32
            container.mux(stream.encode(av.VideoFrame.from_ndarray(array, format="bgr24")))
        container.mux(stream.encode())
    return [unit for unit in re.split(rb"\x00\x00\x00?\x01", path.read_bytes()) if unit]


class UdpCamera:
    """Speaks RTSP, and refuses TCP with 461 as cheap cameras do.

    ``takes``: the transports that it takes. ``password`` is asked for where it is true.
    """

    def __init__(self, folder: Path, takes: tuple[str, ...] = ("udp",), password: bool = False):
        self._units = _units(folder)
        self._takes, self._password = takes, password
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ended = threading.Event()
        self.refused = 0
        """How often TCP was asked for."""
        self.address = f"rtsp://127.0.0.1:{self._listening.getsockname()[1]}/table"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._ended.set()
        self._listening.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        port = 0
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as lines:
            while first := lines.readline().decode():
                fields = {}
                while line := lines.readline().decode().strip():
                    name, _, value = line.partition(":")
                    fields[name.lower()] = value.strip()
                status, more, body = self._answer(first.split()[0], fields)
                if found := re.search(r"client_port=(\d+)", fields.get("transport", "")):
                    port = int(found[1])
                head = [f"RTSP/1.0 {status}", f"CSeq: {fields.get('cseq', 0)}", *more]
                if body:
                    head += ["Content-Type: application/sdp", f"Content-Length: {len(body)}"]
                connection.sendall(("\r\n".join([*head, "", ""]) + body).encode())
                if first.startswith("PLAY"):
                    threading.Thread(target=self._send, args=(port,), daemon=True).start()

    def _answer(self, method: str, fields: dict[str, str]) -> tuple[str, list[str], str]:
        if self._password and method != "OPTIONS":
            return "401 Unauthorized", ['WWW-Authenticate: Basic realm="camera"'], ""
        match method:
            case "OPTIONS":
                return "200 OK", ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"], ""
            case "DESCRIBE":
                sdp = [
                    "v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=table", "c=IN IP4 0.0.0.0", "t=0 0",
                    "m=video 0 RTP/AVP 96", "a=rtpmap:96 H264/90000",
                    "a=fmtp:96 packetization-mode=1", "a=control:track1", "",
                ]  # fmt: skip
                return "200 OK", [], "\r\n".join(sdp)
            case "SETUP":
                asked = fields.get("transport", "")
                over = "tcp" if "TCP" in asked else "udp"
                self.refused += over == "tcp"
                if over not in self._takes:
                    return "461 Unsupported Transport", [], ""
                return "200 OK", [f"Transport: {asked};server_port=9000-9001", "Session: 1"], ""
        return "200 OK", ["Session: 1"], ""

    def _send(self, port: int) -> None:
        sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        time = 0
        with sending:
            for number, unit in enumerate(itertools.cycle(self._units)):
                picture = unit[0] & 31 in (1, 5)
                head = struct.pack(">BBHII", 0x80, 96 | picture << 7, number & 0xFFFF, time, 7)
                with contextlib.suppress(OSError):
                    sending.sendto(head + unit, ("127.0.0.1", port))
                if picture:
                    time += CLOCK_HZ // 10
                    if self._ended.wait(0.01):
                        return


@contextlib.contextmanager
def http_stream(data: bytes) -> Iterator[str]:
    """The address at which these bytes come, as a camera sends them."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listening.accept()
                with connection, contextlib.suppress(OSError):
                    connection.recv(4096)
                    head = "HTTP/1.0 200 OK\r\nContent-Type: video/mp2t\r\n\r\n"
                    connection.sendall(head.encode() + data)

    threading.Thread(target=serve, daemon=True).start()
    with listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/table.ts"
