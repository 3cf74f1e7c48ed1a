"""How a phone finds this machine and trusts it: a name in the network, and a certificate.

Browsers allow the phone's camera over HTTPS only.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import os
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import zeroconf
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.errors import Refused
from vision.given_files import MIB, open_given, read_given

LOCAL: Final = "tilesight.local"
_LARGEST: Final = MIB
VALID: Final = datetime.timedelta(days=7)
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
