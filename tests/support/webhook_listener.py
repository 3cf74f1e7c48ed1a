"""A program that takes what a hall posts to it, and a game that the hall is told of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from service.hall.webhooks import WebhookSettings
from tests.support.halls import LINES, HallServed
from tests.support.peers import handling


class Listener:
    """Takes what is posted to it; after ``before`` messages it refuses the next ``refused``."""

    def __init__(self) -> None:
        self.before = 0
        self.refused = 0
        self.refuses_with = 503
        self.asked = 0
        self.taken: list[tuple[dict[str, str], str]] = []

    def kinds(self) -> list[str]:
        return [json.loads(body)["type"] for _, body in self.taken]

    def data(self, kind: str) -> list[dict[str, Any]]:
        told = [json.loads(body) for _, body in self.taken]
        return [one["data"] for one in told if one["type"] == kind]

    def came_to(self, line: int) -> bool:
        """Whether the newest message about a line is about this one."""
        lines = [json.loads(body)["data"].get("line", -1) for _, body in self.taken]
        return max(lines, default=-1) == line

    def by_id(self) -> dict[str, str]:
        """Messages about lines; that somebody is needed is no line."""
        return {
            headers["webhook-id"]: body
            for headers, body in self.taken
            if not headers["webhook-id"].endswith("-needs")
        }


@contextmanager
def listening() -> Iterator[tuple[Listener, str]]:
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            listener.asked += 1
            refuses = 0 < listener.asked - listener.before <= listener.refused
            if not refuses:
                listener.taken.append(
                    ({name.lower(): value for name, value in self.headers.items()}, body)
                )
            self.send_response(listener.refuses_with if refuses else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with handling(Handler) as url:
        yield listener, url


def settings(folder: Path, *urls: str, every: bool = False) -> WebhookSettings:
    return WebhookSettings.read(urls, folder / "webhook.secret", every)


def post_game(hall: HallServed, record: str = "a.jsonl") -> None:
    for first in range(0, len(LINES), 100):
        assert hall.post("north", LINES[first : first + 100], first, record=record).status == 200


TROUBLE = {"trouble": "no picture comes", "trouble_kind": "gone"}
