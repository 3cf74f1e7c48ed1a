"""Requests that the program itself makes: each has one time limit, and can be broken off."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore

CONNECT_S: Final = 2.0
"""Time limit for one of the numbers of a host: others may answer."""
LARGEST: Final = 64 * 1024
"""Most bytes of an answer; the rest is left unread."""
_FAILED: Final = (
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    OSError,  # the name of the host, the certificate
    ValueError,  # what is no address
)

T = TypeVar("T")


class NotAnswered(Exception):
    """A request has no answer; the message says why."""


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    body: bytes


async def ask(
    url: str, body: bytes | None, headers: Mapping[str, str], within_s: float
) -> HttpAnswer:
    """Post a body, or get without one; raise ``NotAnswered``.

    ``within_s`` is the time for all of it: a peer that goes on sending gets no more. No redirect is
    followed: keys and messages are for this address alone.
    """
    try:
        async with asyncio.timeout(within_s):
            return await _asked(url, body, headers)
    except TimeoutError:
        raise NotAnswered(f"no answer within {within_s:g} s") from None
    except _FAILED as error:
        raise NotAnswered(" ".join(str(error).split()) or type(error).__name__) from None


async def unawaited(call: Callable[[], T]) -> T:
    """Call in a thread that the end of the program does not wait for."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, daemon=True, name="unawaited").start()
    return await asyncio.wrap_future(future)


async def _asked(url: str, body: bytes | None, headers: Mapping[str, str]) -> HttpAnswer:
    pool = httpcore.AsyncConnectionPool(
        _trusted(), proxy=_proxy(url), network_backend=_NoWaitForNames()
    )
    method = "GET" if body is None else "POST"
    async with pool, pool.stream(method, url, headers=[*headers.items()], content=body) as answer:
        read = b""
        async for part in answer.aiter_stream():
            read += part
            if len(read) > LARGEST:
                break
        return HttpAnswer(answer.status, read[:LARGEST])


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that this machine trusts."""
    return ssl.create_default_context()


def _proxy(url: str) -> httpcore.Proxy | None:
    """What the environment says is between this machine and others."""
    parts = urlsplit(url)
    address = None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
    if address is None:
        return None
    user = urlsplit(address)
    name, password = unquote(user.username or ""), unquote(user.password or "")
    return httpcore.Proxy(address, auth=(name, password) if name else None)


class _NoWaitForNames(httpcore.AnyIOBackend):
    """Looks names up in a thread of their own: nothing can break a look-up off."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        failed = f"{host} has no number"
        look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        for *_, number in await unawaited(look_up):
            try:
                return await super().connect_tcp(str(number[0]), port, CONNECT_S)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = _first_cause(error)
        raise httpcore.ConnectError(failed)


def _first_cause(error: BaseException) -> str:
    """What the system said, below what the libraries made of it."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error) or type(error).__name__
