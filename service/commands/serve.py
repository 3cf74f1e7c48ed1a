"""``tilesight serve``: the live page of one table, or the page that sets it up."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer
import uvicorn
from fastapi import FastAPI

from engine.events import GameStart
from engine.words import table_of
from service.commands.score import refuse_unknown_rules
from service.errors import Refused
from service.live.network import reached_at
from service.live.opening import Opened, Wanted, opened
from service.live.readers import MakeReader
from service.live.roles import Role
from service.live.seats import seat_address, table_address
from service.live.set_up import Defaults, SetUp
from service.web.app import LOCAL_HOSTS, create_app
from service.web.request_log import Tell
from service.web.set_up_pages import create_set_up
from service.web.stage import Stage
from service.weights import load_detector
from vision.camera.returning import open_returning

GRACE_S: Final = 2


@dataclass(frozen=True)
class Place:
    """Where the pages are served."""

    listening: socket.socket

    @property
    def host(self) -> str:
        return str(self.listening.getsockname()[0])

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])

    @property
    def shown(self) -> str:
        """The address for whoever sits at this machine."""
        if ipaddress.ip_address(self.host).is_unspecified:
            return self._at("localhost")
        return f"http://[{self.host}]:{self.port}" if ":" in self.host else self._at(self.host)

    @property
    def base(self) -> str:
        """The address by which phones find it."""
        return self._at(reached_at(self.host))

    @property
    def hosts(self) -> list[str]:
        """Names by which browsers may ask for it."""
        # "[" is what is left of "[::1]:8000" when the port is cut off.
        return [*LOCAL_HOSTS, "["] if self._is_local else ["*"]

    @property
    def without_key(self) -> Role | None:
        """What may be done without a key: at this machine itself, to watch and to mend."""
        return Role.SCORER if self._is_local else None

    def _at(self, name: str) -> str:
        return f"http://{name}:{self.port}"

    @property
    def _is_local(self) -> bool:
        return ipaddress.ip_address(self.host).is_loopback


def run(
    source: str,
    every_frame: bool,
    rules: str,
    host: str,
    port: int,
    record: Path | None,
    make_reader: MakeReader,
    lang: str = "en",
    own_set: Path | None = None,
    tell: Tell | None = None,
) -> int:
    """Serve until interrupted; raises ``Refused``, ``SourceError`` before anything is served."""
    refuse_unknown_rules(rules)
    table_of(lang)
    with _listen(host, port) as listening:
        place = Place(listening)
        live = open_returning(source, every_frame)
        path = record or Path(time.strftime("game-%Y%m%d-%H%M%S.jsonl"))
        wanted = Wanted(
            live, make_reader, GameStart(rules), path, lang, lambda: load_detector(own_set)
        )
        with opened(wanted) as open_table:
            typer.echo(f"watching {live.name}; the page is at {place.shown}/")
            _tell(place, open_table, tell)
            app = create_app(
                open_table.table,
                place.hosts,
                open_table.keys,
                place.base,
                dispute=open_table.dispute,
                records=open_table.record.path.resolve().parent,
                without_key=place.without_key,
                tell=tell,
            )
            _serve(uvicorn.Config(app, log_level="warning"), listening)
    return 0


def set_up(
    rules: str,
    host: str,
    port: int,
    record: Path | None,
    own_set: Path | None,
    lang: str = "en",
    tell: Tell | None = None,
) -> int:
    """Serve the set-up page, then the table that it opens, until interrupted."""
    refuse_unknown_rules(rules)
    table_of(lang)
    with _listen(host, port) as listening:
        place = Place(listening)
        setting = SetUp(
            lambda: load_detector(own_set),
            Path.cwd(),
            Defaults(rules, lang, record, own_set),
        )

        async def show(wanted: Wanted) -> str:
            shown: list[Opened] = []
            await stage.show(lambda: _table_app(place, wanted, shown, tell), wanted.let_go)
            return table_address("", shown[0].keys.control)

        stage = Stage(create_set_up(setting, show, place.hosts))
        typer.echo(f"set the table up at {place.shown}/ ; Ctrl+C ends")
        try:
            _serve(uvicorn.Config(stage, log_level="warning", lifespan="on"), listening)
        finally:
            setting.close()
    return 0


@contextlib.contextmanager
def _table_app(
    place: Place, wanted: Wanted, shown: list[Opened], tell: Tell | None
) -> Iterator[FastAPI]:
    with opened(wanted) as open_table:
        typer.echo(f"watching {wanted.source.name}")
        _tell(place, open_table, tell)
        shown.append(open_table)
        table, keys = open_table.table, open_table.keys
        folder = open_table.record.path.resolve().parent
        dispute, without_key = open_table.dispute, place.without_key
        yield create_app(
            table, place.hosts, keys, place.base, True, dispute, folder, without_key, tell
        )


def _tell(place: Place, shown: Opened, tell: Tell | None) -> None:
    """Say what whoever started the program needs to know."""
    if tell is not None:
        shown.table.on_notice = lambda notice: tell(
            "notice", {"about": notice.kind, "text": notice.text, "t": notice.time_s}
        )
    record = shown.record
    if record.cut:
        typer.echo(record.cut, err=True)
    if record.entries:
        typer.echo(f"the game goes on after event {len(record.entries) - 1} of {record.path}")
    typer.echo(f"the record goes to {record.path}; Ctrl+C ends")
    if place.without_key is None:
        typer.echo(f"to watch: {table_address(place.base, shown.keys.viewer)}")
        typer.echo(f"to put the record right: {table_address(place.base, shown.keys.scorer)}")
    for seat, key in enumerate(shown.keys.seats):
        typer.echo(f"seat {seat} alone: {seat_address(place.base, key)}")
    control = table_address(place.base, shown.keys.control)
    typer.echo(f"the seats as QR codes, for you alone: {control}")


def _serve(config: uvicorn.Config, listening: socket.socket) -> None:
    config.timeout_graceful_shutdown = GRACE_S
    with contextlib.suppress(KeyboardInterrupt):  # the way to end it
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=_family(host))
    except OSError as error:
        raise Refused(
            f"cannot serve at {host} port {port}: {os.strerror(error.errno or 0)}; "
            "name another with --host or --port"
        ) from error


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
