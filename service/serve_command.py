"""``tilesight serve``: the live page of one table."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import time
from pathlib import Path

import typer
import uvicorn

from engine.game import replay
from engine.state import Phase
from engine.words import table_of
from service.app import LOCAL_HOSTS, create_app
from service.errors import Refused
from service.readers import MakeReader
from service.reading import Reader
from service.record_file import RecordFile
from service.score_command import refuse_unknown_rules
from service.seats import SeatKeys, control_address, keys_file, seat_address
from service.table import Table
from vision.frames import PacedFile, Source, open_live


def run(
    source: str,
    every_frame: bool,
    rules: str,
    host: str,
    port: int,
    record: Path | None,
    make_reader: MakeReader,
    lang: str = "en",
) -> int:
    """Serve until interrupted; raises ``Refused``, ``SourceError`` before anything is served."""
    refuse_unknown_rules(rules)
    table_of(lang)
    with _listen(host, port) as listening:
        live = open_live(source, every_frame)
        kept = RecordFile(record or Path(time.strftime("game-%Y%m%d-%H%M%S.jsonl")))
        try:
            _refuse_other_rules(kept, rules)
            _serve(listening, live, make_reader(), kept, rules, lang)
        finally:
            kept.close()
            if not kept.path.exists():  # nothing was recorded
                keys_file(kept.path).unlink(missing_ok=True)
    return 0


def _serve(
    listening: socket.socket,
    live: Source,
    reader: Reader,
    record: RecordFile,
    rules: str,
    lang: str,
) -> None:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    typer.echo(f"watching {live.name}; the page is at http://{shown}:{port}/")
    if record.cut:
        typer.echo(record.cut, err=True)
    if record.entries:
        typer.echo(f"the game goes on after event {len(record.entries) - 1} of {record.path}")
    typer.echo(f"the record goes to {record.path}; Ctrl+C ends")
    if ipaddress.ip_address(host).is_loopback:
        hosts = [*LOCAL_HOSTS, "["]  # what is left of "[::1]:8000" when the port is cut off
    else:
        hosts = ["*"]
        typer.echo("everybody who can reach this machine can watch the table", err=True)
    keys = SeatKeys.kept_beside(record.path)
    base = f"http://{_reached_at(host)}:{port}"
    for seat, key in enumerate(keys.seats):
        typer.echo(f"seat {seat} alone: {seat_address(base, key)}")
    typer.echo(f"the same as QR codes, for you alone: {control_address(base, keys.control)}")
    again = isinstance(live, PacedFile)
    table = Table(
        reader,
        live.frames(),
        record,
        rules,
        live.name,
        lang,
        record.path.name,
        record.entries,
        again,
    )
    config = uvicorn.Config(
        create_app(table, hosts, keys, base), log_level="warning", timeout_graceful_shutdown=2
    )
    with contextlib.suppress(KeyboardInterrupt):  # the way to end it
        uvicorn.Server(config).run(sockets=[listening])


def _reached_at(host: str) -> str:
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


def _refuse_other_rules(record: RecordFile, rules: str) -> None:
    """A game goes on by the rules that it began with."""
    state = replay(record.entries).state
    over = state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME)
    if not over and state.rules != rules:
        raise Refused(
            f"{record.path} is in the middle of a game by {state.rules}; "
            f"give --rules {state.rules}, or another file with --record"
        )


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
