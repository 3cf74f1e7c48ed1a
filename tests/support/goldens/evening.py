"""What the set-up page and the phone above the table are answered."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.errors import Refused
from service.app import create_app, create_set_up
from service.evening.open_table import TableRequest
from service.evening.session import SetUpSession
from service.pages.settings import LOCAL_HOSTS
from service.phone.server import PhoneCamera, PhoneListener
from service.table.options import Options
from service.web.listeners import Listeners
from tests.support.detectors import Blind
from tests.support.goldens.asking import Asking, running
from tests.support.goldens.kept import Goldens
from tests.support.live_table import table_of_a_game
from tests.support.paths import FILM, GAMES
from tests.support.patience import until

_LEARNING: Final = (
    *("/learn", "/lessons", "/practice", "/teacher", "/tiles.svg"),
    *("/api/learn", "/api/lessons", "/nothing"),
)
_TRIED: Final = ("", "/picture", "/cameras/0/picture", "/set")


async def set_up(kept: Goldens, folder: Path) -> set[str]:
    """Keep the way from the empty page to a game that begins."""
    shutil.copy(FILM, folder / "friday.mp4")
    began: list[TableRequest] = []

    async def show(request: TableRequest) -> str:
        began.append(request)
        return "/#control-key"

    session = SetUpSession(Blind, folder, Options(), load_fitted=lambda _: _no_net())
    app = create_set_up(session, show, LOCAL_HOSTS).app
    here: dict[str, str | None] = {"here": None}
    try:
        async with running(app):
            asking = Asking(app, kept, "setup")
            for path in (
                "/",
                "/health",
                "/metrics",
                "/setup",
                "/static/setup/setup.js",
                *_LEARNING,
            ):
                await asking.read(path, here)
            await asking.change("POST", "/api/lessons", {"topics": ["waits"]}, None)
            await asking.change("POST", "/api/practice", {"rules": "wsom"}, None)
            for path in _TRIED:
                await asking.read(f"/api/setup{path}", here)
            for method, path, body in _requests():
                await asking.change(method, f"/api/setup/{path}", body, None)
                if path == "source":
                    await _looked_at(asking, session)
                    asking.number += 1
                    told = await asking.answer("GET", "/api/setup", None)
                    kept.keep(f"setup/{asking.number:03}-GET-offered", told)
            kept.keep("setup/began", "\n".join(map(_told, began)))
            return asking.missing()
    finally:
        session.close()


def _no_net() -> Any:
    raise Refused("no net is loaded here")


async def _looked_at(asking: Asking, session: SetUpSession) -> None:
    """Wait until the source shows a picture that was looked at, and keep what was found in it."""
    preview = session.preview
    if preview is not None:
        until(lambda: preview.check() is not None)
    asking.number += 1
    told = await asking.answer("GET", "/api/setup/check", None)
    # Which picture of a film that plays is looked at depends on how busy the machine is.
    asking.kept.keep(f"setup/{asking.number:03}-GET-check", re.sub(r"-?\d+(\.\d+)?", "N", told))


def _requests() -> list[tuple[str, str, object]]:
    record = (GAMES / "riichi-tenhou.jsonl").read_bytes()
    names = ["Anna", "Bo", "", "Dana"]
    return [
        ("POST", "start", {"rules": "harbin-hlr"}),
        ("POST", "source", {"kind": "recording", "name": "none.mp4"}),
        ("POST", "source", {"kind": "camera", "number": 7}),
        ("POST", "source", {"kind": "recording", "name": "friday.mp4"}),
        ("POST", "corners", {"corners": [[351, 52], [945, 84], [905, 660], [334, 635]]}),
        ("POST", "corners", {"corners": [[1, 2]]}),
        ("POST", "mirrored", {"mirrored": False}),
        ("POST", "set/pictures", None),
        ("POST", "set", {"names": []}),
        ("DELETE", "set/pictures", None),
        ("POST", "network", {"serve": True}),
        ("PUT", "recordings/sent.mp4", b"no film"),
        ("PUT", "records/sent.jsonl", record),
        ("PUT", "records/broken.jsonl", b"{"),
        ("POST", "start", {"rules": "harbin-hlr", "names": names, "seat0": "right", "lang": "zh"}),
        ("POST", "start", {"open": "study/sent.jsonl"}),
        ("POST", "start", {"lessons": "riichi"}),
        ("POST", "start", {"sample": True}),
    ]


def _told(request: TableRequest) -> str:
    name = request.record.name if "study" in request.record.parts else "a record of its own"
    lang = request.options.lang
    return f"{request.source.name}, {request.start}, {lang}, {request.has_next}, {name}"


class _AtPhone:
    """Lets every request come in where the phone asks."""

    def __init__(self, app: ASGIApp, phone: PhoneListener) -> None:
        self._app, self._phone = app, phone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._phone.mark(scope)
        await self._app(scope, receive, send)


async def phone(kept: Goldens) -> set[str]:
    """Keep what the phone that films is answered."""
    camera = PhoneCamera()
    link = PhoneListener(camera, Listeners(), "127.0.0.1")
    app = create_app(table_of_a_game())
    app.add_middleware(_AtPhone, phone=link)
    camera.told = lambda: {"names": ["Anna", "Bo", "Chen", "Dana"], "points": [0, 0, 0, 0]}
    try:
        async with running(app):
            asking = Asking(app, kept, "phone")
            await asking.read("/camera", {"anybody": None})
            await asking.read("/static/phone/camera.js", {"anybody": None})
            _, jpeg = cv2.imencode(".jpg", np.full((36, 64, 3), 99, np.uint8))
            for key in ("wrong", camera.key):
                await asking.change("POST", "/enter", None, key)
                await asking.change("POST", "/frame", jpeg.tobytes(), key)
                await asking.change("POST", "/frame", b"no picture", key)
            return asking.missing()
    finally:
        link.close()
