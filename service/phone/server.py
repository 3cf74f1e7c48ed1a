"""Serves the phone's page at an address of its own."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from service.access.connection_limit import guard
from service.errors import Refused
from service.phone.camera import PhoneCamera, phone_app
from service.phone.certificate import OwnCertificate, write_certificate
from service.phone.local_name import reached_at
from vision.camera.isolated import IsolatedPictures

MOST_CONNECTIONS: Final = 32
"""Connections: one phone, and strangers."""
START_S: Final = 10.0
STOP_S: Final = 5.0


class PhoneServer:
    """Serves one phone's page over HTTPS in a thread until it is closed."""

    def __init__(
        self,
        camera: PhoneCamera,
        host: str = "0.0.0.0",
        own: OwnCertificate | None = None,
        set_up: ASGIApp | None = None,
    ) -> None:
        """Raises ``Refused`` when nothing can be served at ``host``.

        Without a certificate of the owner's ``own``, the phone asks once whether to go on. With
        ``set_up`` the table is set up on the phone.
        """
        self.camera = camera
        self._folder = tempfile.TemporaryDirectory(prefix="tilesight-")
        self._pictures = IsolatedPictures()
        name = reached_at(host)
        self.trusted = own is not None
        if own is None:
            made = write_certificate(Path(self._folder.name), [name, "localhost"])
            own = OwnCertificate(*made, (name,))
        else:
            name = own.name_for(name)
        try:
            listening = socket.create_server((host, 0))
        except OSError as error:
            raise Refused(f"phones cannot be served at {host}: {error.strerror}") from error
        app = phone_app(camera, self._pictures, set_up)
        config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(guard(config, own.context(), MOST_CONNECTIONS))
        page = "camera" if set_up is None else "camera?setup"
        self.address = f"https://{name}:{listening.getsockname()[1]}/{page}#{camera.key}"
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listening]}, daemon=True, name="phone"
        )
        self._thread.start()
        begun_s = time.monotonic()
        while not self._server.started and time.monotonic() - begun_s < START_S:
            time.sleep(0.01)

    def close(self) -> None:
        """Stop serving, and end the frames."""
        self.camera.close()
        self._server.should_exit = True
        self._thread.join(STOP_S)
        self._pictures.close()
        with contextlib.suppress(OSError):
            self._folder.cleanup()
