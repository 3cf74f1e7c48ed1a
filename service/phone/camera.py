"""A phone as the camera: its page sends pictures, which become frames."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable
from typing import Annotated, Final

from fastapi import FastAPI, Header, HTTPException, Request, Response

from service.access.grants import note_key
from service.jpeg import NO_PICTURE, refuse_claims
from service.static_pages import PageFiles, add_headers, html_page
from vision.camera.frames import Frame, Frames
from vision.camera.isolated import IsolatedPictures
from vision.camera.pictures import Picture, SourceError

LARGEST: Final = 6 * 1024 * 1024
"""Bytes of one picture: twice what a phone makes of four million pixels."""
KEY_BYTES: Final = 18


class PhoneCamera:
    """A source whose frames are put in; only the newest one waits."""

    def __init__(self) -> None:
        self.name = "phone"
        self.key = secrets.token_urlsafe(KEY_BYTES)
        self.told: Callable[[], dict[str, object]] = dict
        """What the phone itself shows: how the table is found, or how the players stand."""
        self._changed = threading.Condition()
        self._begun_s = time.monotonic()
        self._newest: Frame | None = None
        self._closed = False

    def put(self, image_bgr: Picture) -> None:
        with self._changed:
            index = 0 if self._newest is None else self._newest.index + 1
            self._newest = Frame(image_bgr, time.monotonic() - self._begun_s, index)
            self._changed.notify_all()

    def close(self) -> None:
        """End the frames: nobody waits for a phone that sends nothing."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def frames(self, step_s: float = 0.0) -> Frames:
        shown, last_s = -1, float("-inf")
        while True:
            with self._changed:
                while not (self._closed or self._is_newer(shown)):
                    self._changed.wait()
                if self._closed:
                    return
                frame = self._newest
            if frame is not None and frame.time_s - last_s >= step_s:
                last_s = frame.time_s
                yield frame
            shown = -1 if frame is None else frame.index

    def _is_newer(self, shown: int) -> bool:
        return self._newest is not None and self._newest.index > shown


def phone_app(camera: PhoneCamera, pictures: IsolatedPictures) -> FastAPI:
    """The page that a phone opens, and the address for its pictures.

    ``pictures`` decodes them: the page is open to the whole network.
    """
    app = FastAPI(title="tilesight camera", docs_url=None, redoc_url=None, openapi_url=None)
    add_headers(app)

    @app.get("/camera")
    def page() -> Response:
        return html_page("camera.html")

    @app.post("/frame")
    async def frame(
        request: Request, authorization: Annotated[str, Header()] = ""
    ) -> dict[str, object]:
        """Receive one JPEG picture; ``Authorization: Bearer KEY``. Return what the phone shows."""
        key = authorization.removeprefix("Bearer ")
        if not secrets.compare_digest(key.encode(), camera.key.encode()):
            raise HTTPException(401, "scan the code of the set-up page again")
        note_key(request, key)
        data = b""
        async for part in request.stream():
            data += part
            if len(data) > LARGEST:
                raise HTTPException(413, f"the picture is larger than {LARGEST} bytes")
        try:
            refuse_claims(data)
            image = await asyncio.to_thread(pictures.picture, data)
        except SourceError:
            raise HTTPException(422, NO_PICTURE) from None
        camera.put(image)
        return {"width": image.shape[1], "height": image.shape[0]} | camera.told()

    app.mount("/static", PageFiles(), name="static")
    return app
