"""A phone as the camera: its page sends pictures, which become frames."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from io import BytesIO
from typing import Annotated, Final

import cv2
import numpy as np
from fastapi import FastAPI, Header, HTTPException, Request, Response
from PIL import Image

from service.access.grants import note_key
from service.pages.headers import add_headers
from service.pages.static_pages import PageFiles, html_page
from vision.camera.frames import Frame, Frames
from vision.camera.isolated import IsolatedPictures
from vision.camera.native_stderr import native_stderr_dropped
from vision.camera.pictures import Picture, SourceError

LARGEST: Final = 6 * 1024 * 1024
"""Bytes of one picture: twice what a phone makes of four million pixels."""
MOST_PX: Final = 4096
KEY_BYTES: Final = 18
_JPEG: Final = b"\xff\xd8\xff"
_UNREADABLE: Final = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)
"""What the library raises for a broken header."""
_NO_PICTURE: Final = f"expected a whole JPEG picture of at most {MOST_PX} pixels each way"


class PhoneCamera:
    """A source whose frames are put in; only the newest one waits."""

    def __init__(self) -> None:
        self.name = "phone"
        self.key = secrets.token_urlsafe(KEY_BYTES)
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


def decoded(data: bytes) -> Picture:
    """Decode a JPEG file that we wrote ourselves; raises ``SourceError``."""
    refuse_claims(data)
    with native_stderr_dropped():
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
    if image is None:
        raise SourceError(_NO_PICTURE)
    return np.asarray(image, np.uint8)


def refuse_claims(data: bytes) -> None:
    """Raise ``SourceError`` unless the header is that of a JPEG picture of a usual size."""
    if not data.startswith(_JPEG):
        raise SourceError("expected a JPEG picture")
    # A few bytes can decode to gigabytes of pixels, so the claimed size is checked first.
    if not 0 < max(_claimed_px(data)) <= MOST_PX:
        raise SourceError(_NO_PICTURE)


def _claimed_px(data: bytes) -> tuple[int, int]:
    """Width and height in the header; zeros where it has none."""
    try:
        with Image.open(BytesIO(data), formats=["JPEG"]) as picture:
            return picture.width, picture.height
    except _UNREADABLE:
        return 0, 0


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
    ) -> dict[str, int]:
        """Receive one JPEG picture; ``Authorization: Bearer KEY``."""
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
            raise HTTPException(422, _NO_PICTURE) from None
        camera.put(image)
        return {"width": image.shape[1], "height": image.shape[0]}

    app.mount("/static", PageFiles(), name="static")
    return app
