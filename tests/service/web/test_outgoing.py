"""Requests that the program makes end in time, whatever the other side does."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from service.web.outgoing import HttpAnswer, NotAnswered, ask
from tests.support.patience import PATIENCE_S
from tests.support.peers import Dripping, answering, dripping


@pytest.fixture
def peer() -> Iterator[Dripping]:
    with dripping() as peer:
        yield peer


def asked(url: str, within_s: float = PATIENCE_S) -> HttpAnswer:
    return asyncio.run(ask(url, b"{}", {"Content-Type": "application/json"}, within_s))


def test_a_peer_that_goes_on_sending_gets_no_more_time(peer: Dripping) -> None:
    with pytest.raises(NotAnswered, match=r"no answer within 0\.2 s"):
        asked(peer.url, within_s=0.2)
    peer.left.wait(PATIENCE_S)
    assert peer.left.is_set(), "the connection stays open"


def test_a_request_can_be_broken_off(peer: Dripping) -> None:
    async def broken_off() -> None:
        task = asyncio.create_task(ask(peer.url, b"{}", {}, 10 * PATIENCE_S))
        await asyncio.to_thread(peer.came.wait, PATIENCE_S)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(broken_off())
    peer.left.wait(PATIENCE_S)
    assert peer.left.is_set()


def test_nobody_waits_for_a_server_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    answered, real = threading.Event(), socket.getaddrinfo

    def slow(host: Any, *given: Any, **named: Any) -> Any:
        if host == "hall.example":
            answered.wait()
        return real("127.0.0.1", *given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    try:
        with pytest.raises(NotAnswered):
            asked("http://hall.example/", within_s=0.1)
    finally:
        answered.set()


def test_an_answer_is_taken_up_to_its_limit_and_no_redirect_is_followed() -> None:
    with answering(302, b"x" * 100_000, {"Location": "http://elsewhere.example/"}) as (url, heard):
        assert asked(url) == HttpAnswer(302, b"x" * 65536)
    ((path, headers, body),) = heard
    assert (path, body, headers["content-type"]) == ("/hook", b"{}", "application/json")
    assert headers["host"] == url.split("/")[2]


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(204) as (url, heard):
        monkeypatch.setenv("http_proxy", url.replace("http://", "http://me:secret@"))
        assert asked("http://hall.example/there").status == 204
    ((path, headers, _),) = heard
    assert path == "http://hall.example/there"
    assert headers["proxy-authorization"].startswith("Basic ")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:1/", "refused|Connect call failed"),
        ("ftp://127.0.0.1/", "protocol"),
        ("http://127.0.0.1:port/", "Port"),
    ],
)
def test_what_cannot_be_asked_says_why(url: str, why: str) -> None:
    with pytest.raises(NotAnswered, match=why):
        asked(url)
