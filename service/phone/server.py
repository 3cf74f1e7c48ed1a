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

import zeroconf
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from fastapi import APIRouter, Depends, Header, HTTPException, Request, Response
from fastapi.requests import HTTPConnection
from starlette.types import Scope

from engine.errors import Refused
from service.machine.files import to_stderr
from service.machine.jpeg import NO_PICTURE, refuse_claims
from service.web.connection_limit import set_up_connections
from service.web.gate import keep_key, key_of
from service.web.grants import Grant, Role, mark_as_phone, phone_of
from service.web.language import Language
from service.web.listeners import Listener, Listeners
from service.web.rights import PAGES, Serves
from service.web.static_pages import html_page
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


MOST_CONNECTIONS: Final = 32
"""Connections: one phone, and strangers."""


class PhoneListener:
    """One phone's page, over HTTPS at a port of its own until it is closed."""

    def __init__(
        self,
        camera: PhoneCamera,
        listeners: Listeners,
        host: str = "0.0.0.0",
        own: OwnCertificate | None = None,
        sets_up: bool = False,
    ) -> None:
        """Raises ``Refused`` when nothing can be served at ``host``.

        Without a certificate of the owner's ``own``, the phone asks once whether to go on.
        ``sets_up``: whether the table is set up on the phone.
        """
        self.camera = camera
        self.sets_up = sets_up
        self.pictures = IsolatedPictures()
        """Decodes what is sent: the page is open to the whole network."""
        self._listeners = listeners
        name = reached_at(host)
        self.trusted = own is not None
        if own is None:
            with tempfile.TemporaryDirectory(prefix="tilesight-") as folder:
                made = write_certificate(Path(folder), [name, "localhost"])
                context = OwnCertificate(*made, (name,)).context()
        else:
            name, context = own.name_for(name), own.context()
        try:
            listening = socket.create_server((host, 0))
        except OSError as error:
            raise Refused(f"phones cannot be served at {host}: {error.strerror}") from error
        set_up_connections(listening)
        page = "camera?setup" if sets_up else "camera"
        self.address = f"https://{name}:{listening.getsockname()[1]}/{page}#{camera.key}"
        self._listener = Listener(listening, self.mark, context, MOST_CONNECTIONS, grace_s=1)
        listeners.add(self._listener)

    def mark(self, scope: Scope) -> None:
        mark_as_phone(scope, self)

    def grant_of(self, key: str) -> Grant | None:
        own = self.camera.key
        if not secrets.compare_digest(key.encode("utf-8", "surrogatepass"), own.encode()):
            return None
        return Grant(Role.PUBLIC, films=True, sets_up=self.sets_up)

    def close(self) -> None:
        """Stop serving, and end the frames."""
        self.camera.close()
        self._listeners.close(self._listener)
        self.pictures.close()


async def _phone(connection: HTTPConnection) -> PhoneListener:
    phone = phone_of(connection)
    assert isinstance(phone, PhoneListener), "the table of rights serves it at its listener alone"
    return phone


Phone = Annotated[PhoneListener, Depends(_phone)]
pages = APIRouter(include_in_schema=False)


@pages.get("/camera")
def page(lang: Language) -> Response:
    return html_page(PAGES[Serves.PHONE]["/camera"], lang)


@pages.post("/enter")
async def enter(request: Request) -> Response:
    """Let the browser bring the key to the set-up pages, too."""
    answer = Response(status_code=204)
    keep_key(answer, request, key_of(request))
    return answer


@pages.post("/frame")
async def frame(
    request: Request, sender: Phone, phone: Annotated[str, Header()] = ""
) -> dict[str, object]:
    """Receive one JPEG picture; ``Authorization: Bearer KEY``. Return what the phone shows.

    ``Phone: battery warm`` tells of low battery and warmth.
    """
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > LARGEST:
            raise HTTPException(413, f"the picture is larger than {LARGEST} bytes")
    try:
        refuse_claims(data)
        image = await asyncio.to_thread(sender.pictures.picture, data)
    except SourceError:
        raise HTTPException(422, NO_PICTURE) from None
    camera = sender.camera
    camera.put(image)
    camera.feels(frozenset(phone.split()))
    return {"width": image.shape[1], "height": image.shape[0]} | camera.told()
