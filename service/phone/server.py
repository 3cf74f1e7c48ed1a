"""A phone as the camera: how it finds and trusts this machine, how pictures become frames."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import ipaddress
import os
import secrets
import socket
import ssl
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import uvicorn
import zeroconf
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from fastapi import FastAPI, Header, HTTPException, Request, Response
from fastapi.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.errors import Refused
from service.machine.files import to_stderr
from service.machine.jpeg import NO_PICTURE, refuse_claims
from service.web.connection_limit import guard
from service.web.gate import keep_key, key_of
from service.web.grants import mark_as_phone, note_key
from service.web.static_pages import PageFiles, add_headers, html_page
from vision.camera.frames import Frame, Frames
from vision.camera.isolated import IsolatedPictures
from vision.camera.pictures import Picture, SourceError
from vision.given_files import MIB, open_given, read_given
from vision.notice import Notice, NoticeKind

LOCAL: Final = "tilesight.local"
_LARGEST: Final = MIB
VALID: Final = datetime.timedelta(days=7)
LONGEST_VALID: Final = datetime.timedelta(days=825)
VALID_BEFORE_NOW: Final = datetime.timedelta(days=1)
"""The certificate is valid from this long ago, because a phone's clock may be slow."""


@dataclass(frozen=True)
class OwnCertificate:
    """A certificate of the owner's, which the phones trust."""

    file: Path
    key: Path
    names: tuple[str, ...]
    """Names and numbers for which it was made."""

    @classmethod
    def load(cls, file: Path, key: Path) -> OwnCertificate:
        """Raises ``Refused`` for files that cannot be used."""
        try:
            certificate = x509.load_pem_x509_certificate(read_given(file, _LARGEST))
            open_given(key, _LARGEST).close()  # it is read by OpenSSL, from its path alone
            made_for = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
            own = cls(file, key, tuple(str(name.value) for name in made_for.value))
            own.context()
        except (OSError, ValueError, x509.ExtensionNotFound) as error:
            told = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
            raise Refused(f"{file} and {key} are no certificate with its key: {told}") from error
        for line in _untrusted(file, certificate):
            to_stderr(line)
        return own

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.file, self.key)
        return context

    def name_for(self, number: str) -> str:
        """The name at which a phone trusts it, of a machine with this number."""
        plain = [name for name in self.names if "*" not in name]
        others = [name for name in plain if name not in ("localhost", "127.0.0.1", "::1")]
        for name in (LOCAL, number, *others):
            if name in plain:
                return name
        return number


def _untrusted(file: Path, certificate: x509.Certificate) -> Iterator[str]:
    """Why iPhones refuse an owner's certificate (support.apple.com/103769)."""
    try:
        usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
        serves = ExtendedKeyUsageOID.SERVER_AUTH in usage
    except x509.ExtensionNotFound:
        serves = False
    if not serves:
        yield f"{file} lacks the usage serverAuth, without which iPhones refuse it: make a new one"
    if certificate.not_valid_after_utc - certificate.not_valid_before_utc > LONGEST_VALID:
        days = LONGEST_VALID.days
        yield f"{file} is valid for more than {days} days, which iPhones refuse: make a new one"


def write_certificate(folder: Path, hosts: Sequence[str]) -> tuple[Path, Path]:
    """Write a new certificate for these hosts and its key, which only the owner may read.

    Nobody vouches for it: the phone asks its owner once.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tilesight")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - VALID_BEFORE_NOW)
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName([_named(host) for host in hosts]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        # iPhones trust no other (support.apple.com/103769).
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(pem))
    handle = os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        plain = serialization.NoEncryption()
        file.write(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return certificate_file, key_file


def _named(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


NAMES: Final = ("tilesight", *(f"tilesight-{number}" for number in range(2, 10)))
"""The first that no other machine of the network has."""
ASKED_MS: Final = 400
"""How long another machine may take to say that a name is its own."""


@dataclass(frozen=True)
class LocalName:
    """A name that is announced until it is closed."""

    address: str
    _announcer: zeroconf.Zeroconf

    @classmethod
    def announced(cls, number: str, port: int, secure: bool) -> LocalName | None:
        """Announce a name for this number; None where the network takes none.

        Blocks for about a second.
        """
        scheme = "https" if secure else "http"
        with contextlib.suppress(OSError, zeroconf.Error):
            packed = socket.inet_aton(number)
            announcer = zeroconf.Zeroconf(interfaces=[number])
            try:
                name = _free(announcer, number)
                service = zeroconf.ServiceInfo(
                    f"_{scheme}._tcp.local.",
                    f"{name}._{scheme}._tcp.local.",
                    port=port,
                    server=f"{name}.local.",
                    addresses=[packed],
                )
                announcer.register_service(service, allow_name_change=True)
            except BaseException:
                announcer.close()
                raise
            return cls(f"{scheme}://{name}.local:{port}", announcer)
        return None

    def close(self) -> None:
        self._announcer.close()


def _free(announcer: zeroconf.Zeroconf, number: str) -> str:
    for name in NAMES:
        asked = zeroconf.AddressResolverIPv4(f"{name}.local.")  # type: ignore[attr-defined]
        found = asked.request(announcer, ASKED_MS)
        if not found or set(asked.parsed_addresses()) <= {number}:
            return name
    raise OSError("every name is taken")


def reached_at(host: str) -> str:
    """The name by which phones in the same network reach what is served at ``host``."""
    address = ipaddress.ip_address(host)
    if not address.is_unspecified:
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way out
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


LARGEST: Final = 6 * 1024 * 1024
"""Bytes of one picture: twice what a phone makes of four million pixels."""
KEY_BYTES: Final = 18
TROUBLES: Final[Mapping[NoticeKind, tuple[str, str]]] = {
    "battery": (
        "the camera phone's battery is low: plug it in",
        "the camera phone is charging again",
    ),
    "warm": (
        "the camera phone gets warm: take it out of its case and out of the light",
        "the camera phone has cooled down",
    ),
}
"""What a phone tells of itself, and that it is over."""


class PhoneCamera:
    """A source whose frames are put in; only the newest one waits."""

    def __init__(self) -> None:
        self.name = "phone"
        self.key = secrets.token_urlsafe(KEY_BYTES)
        self.told: Callable[[], dict[str, object]] = dict
        """What the phone itself shows: how the table is found, or how the players stand."""
        self.say: Callable[[Notice], None] = lambda notice: None
        """Hears of the phone's battery and warmth."""
        self._troubles: frozenset[str] = frozenset()
        self._changed = threading.Condition()
        self._begun_s = time.monotonic()
        self._newest: Frame | None = None
        self._closed = False

    def put(self, image_bgr: Picture) -> None:
        with self._changed:
            index = 0 if self._newest is None else self._newest.index + 1
            self._newest = Frame(image_bgr, time.monotonic() - self._begun_s, index)
            self._changed.notify_all()

    def feels(self, troubles: frozenset[str]) -> None:
        """Take what the phone tells of itself with each picture."""
        now_s = time.monotonic() - self._begun_s
        for kind, (begins, ends) in TROUBLES.items():
            if (kind in troubles) is not (kind in self._troubles):
                lasts = kind in troubles
                self.say(Notice(kind, now_s, begins if lasts else ends, lasts))
        self._troubles = troubles

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


def phone_app(
    camera: PhoneCamera,
    pictures: IsolatedPictures,
    set_up: ASGIApp | None = None,
    lang: str = "en",
) -> FastAPI:
    """The page that a phone opens, and the address for its pictures.

    ``pictures`` decodes them: the page is open to the whole network. ``set_up`` are the set-up
    pages, for a phone that sets the table up by itself.
    """
    app = FastAPI(title="tilesight camera", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.lang = lang
    add_headers(app)

    @app.get("/camera")
    def page() -> Response:
        return html_page("phone/camera.html")

    def check_key(request: HTTPConnection) -> str:
        key = key_of(request)
        if not _same(key, camera):
            raise HTTPException(401, "scan the code of the set-up page again")
        note_key(request, key)
        return key

    @app.post("/enter")
    async def enter(request: Request) -> Response:
        """Let the browser bring the key to the set-up pages, too."""
        answer = Response(status_code=204)
        keep_key(answer, request, check_key(request))
        return answer

    @app.post("/frame")
    async def frame(request: Request, phone: Annotated[str, Header()] = "") -> dict[str, object]:
        """Receive one JPEG picture; ``Authorization: Bearer KEY``. Return what the phone shows.

        ``Phone: battery warm`` tells of low battery and warmth.
        """
        check_key(request)
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
        camera.feels(frozenset(phone.split()))
        return {"width": image.shape[1], "height": image.shape[0]} | camera.told()

    app.mount("/static", PageFiles(), name="static")
    if set_up is not None:
        app.add_middleware(_SetUpBeside, camera=camera, set_up=set_up)
    return app


def _same(key: str, camera: PhoneCamera) -> bool:
    return secrets.compare_digest(key.encode("utf-8", "surrogatepass"), camera.key.encode())


class _SetUpBeside:
    """Passes requests of the phone itself on to the set-up pages."""

    def __init__(self, app: ASGIApp, camera: PhoneCamera, set_up: ASGIApp) -> None:
        self._app, self._camera, self._set_up = app, camera, set_up

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        asked = scope["type"] == "http" and scope["path"].startswith(("/setup", "/api/setup"))
        if asked and _same(key_of(HTTPConnection(scope)), self._camera):
            mark_as_phone(scope)
            app = self._set_up
        await app(scope, receive, send)


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
        lang: str = "en",
    ) -> None:
        """Raises ``Refused`` when nothing can be served at ``host``.

        Without a certificate of the owner's ``own``, the phone asks once whether to go on. With
        ``set_up`` the table is set up on the phone. ``lang``: of phones that ask for none.
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
        app = phone_app(camera, self._pictures, set_up, lang)
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
