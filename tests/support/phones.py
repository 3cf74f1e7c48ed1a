"""A phone that films, served beside a table."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Iterator
from typing import Final

from service.app import create_app
from service.pages.network_door import NetworkDoor
from service.phone.server import OwnCertificate, PhoneCamera, PhoneListener
from service.web.listeners import Listeners
from tests.support.live_table import table_of_a_game
from tests.support.served import serving

UNTRUSTED: Final = ssl.create_default_context()
"""Takes the certificate of a program, for which nobody vouches."""
UNTRUSTED.check_hostname, UNTRUSTED.verify_mode = False, ssl.CERT_NONE


@contextlib.contextmanager
def serving_phones() -> Iterator[Listeners]:
    """A program that lets phones in."""
    door = NetworkDoor(0, named=False)
    with serving(create_app(table_of_a_game()), door=door):
        yield door.listeners


@contextlib.contextmanager
def phone_link(own: OwnCertificate | None = None) -> Iterator[PhoneListener]:
    """The page of one phone at this machine, until it is closed."""
    with serving_phones() as listeners:
        link = PhoneListener(PhoneCamera(), listeners, "127.0.0.1", own)
        try:
            yield link
        finally:
            link.close()
