"""Other programs that ours sends requests to: one that answers, one that never comes to an end."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Heard = list[tuple[str, dict[str, str], bytes]]
"""Path, headers and body of each request."""


@contextmanager
def handling(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Answer requests at the address that is given."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def answering(
    status: int, body: bytes = b"", more: Mapping[str, str] | None = None
) -> Iterator[tuple[str, Heard]]:
    heard: Heard = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            heard.append((self.path, headers, self.rfile.read(int(headers["content-length"]))))
            self.send_response(status)
            for name, value in {**(more or {}), "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):  # it need not read all of it
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    with handling(Handler) as url:
        yield url, heard


@dataclass
class Dripping:
    """Sends a header line without end, as long as anybody listens."""

    url: str = ""
    came: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)
    """Set when somebody has gone away."""

    def serve(self, visitor: socket.socket, over: threading.Event) -> None:
        with visitor, contextlib.suppress(OSError):
            visitor.recv(65536)
            self.came.set()
            visitor.sendall(b"HTTP/1.1 200 OK\r\nX-More: ")
            while not over.wait(0.05):
                visitor.sendall(b"x")
            return
        self.left.set()


@contextmanager
def dripping() -> Iterator[Dripping]:
    peer, over = Dripping(), threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))
    peer.url = f"http://127.0.0.1:{listening.getsockname()[1]}/hook"

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                visitor, _ = listening.accept()
                threading.Thread(target=peer.serve, args=(visitor, over)).start()

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield peer
    finally:
        over.set()
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()
