"""``tilesight hall``: collects and shows the records of several tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from service.archive.archive_pages import add_archive
from service.archive.stored_names import StoredNames
from service.commands.options import Host, JsonLog, add_to
from service.commands.serving import ServerAddress, listen, serve
from service.hall.access import KeyStore
from service.hall.app import create_hall
from service.hall.database import display_name, open_database, refuse_missing
from service.hall.hall import Hall
from service.hall.webhooks import Webhooks, WebhookSettings
from service.machine.files import to_stderr
from service.pages.request_log import LogSink, json_lines
from service.texts.catalogue import terminal_texts
from service.web.grants import Role
from service.web.keys import table_address


def renew_key(database: str, table: str) -> int:
    """Renew a table's keys, even while a hall runs; raises ``Refused``."""
    refuse_missing(database)
    engine = open_database(database)
    try:
        key = KeyStore(engine).renew(table)
    finally:
        engine.dispose()
    typer.echo(terminal_texts()["cli.hall.revoked"].format(table=table, key=key))
    return 0


def run(
    database: str,
    host: str,
    port: int,
    new_admin_key: bool,
    tell: LogSink | None,
    webhooks: WebhookSettings | None = None,
) -> int:
    """Serve until interrupted; raises ``Refused`` before anything is served."""
    texts = terminal_texts()
    with listen(host, port) as listening:
        place = ServerAddress(listening)
        engine = open_database(database)
        try:
            told = None if webhooks is None else Webhooks(engine, webhooks, to_stderr)
            hall = Hall(engine, webhooks=told, jobs=[StoredNames(engine).job()])
            where = {"address": place.shown, "database": display_name(database)}
            typer.echo(texts["cli.hall.address"].format(**where))
            if new_admin_key or not (place.is_local or hall.keys.any_admin()):
                address = table_address(place.base, hall.keys.make("admin", label="printed"))
                typer.echo(texts["cli.hall.admin"].format(address=address))
            elif not place.is_local:
                typer.echo(texts["cli.hall.admin.before"])
            typer.echo(texts["cli.hall.ends"])
            without_key = Role.ADMIN if place.is_local else None
            app = create_hall(hall, place.hosts, without_key, tell)
            add_archive(app, engine)
            serve(uvicorn.Config(app, log_level="warning"), listening)
        finally:
            engine.dispose()
    return 0


app = typer.Typer(add_completion=False)


@add_to(app, "hall")
def command(
    database: Annotated[
        str, typer.Option(envvar="TILESIGHT_DATABASE", help="help.hall.database")
    ] = "tilesight-hall.sqlite3",
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="help.port")] = 8100,
    new_admin_key: Annotated[
        bool, typer.Option("--new-admin-key", help="help.hall.new_admin_key")
    ] = False,
    revoke: Annotated[str | None, typer.Option(metavar="TABLE", help="help.hall.revoke")] = None,
    webhook: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="help.hall.webhook")
    ] = None,
    webhook_secret_file: Annotated[Path, typer.Option(help="help.hall.webhook_secret_file")] = Path(
        "webhook.secret"
    ),
    webhook_every_event: Annotated[
        bool, typer.Option("--webhook-every-event", help="help.hall.webhook_every_event")
    ] = False,
    json_log: JsonLog = False,
) -> int:
    if revoke is not None:
        return renew_key(database, revoke)
    webhooks = None
    if webhook:
        webhooks = WebhookSettings.read(webhook, webhook_secret_file, webhook_every_event)
    tell = json_lines if json_log else None
    return run(database, host, port, new_admin_key, tell, webhooks)
