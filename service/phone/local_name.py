"""Announces a name of this machine in its network (mDNS): easier to type than its address."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from dataclasses import dataclass
from typing import Final

import zeroconf

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
