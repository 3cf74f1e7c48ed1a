"""``tilesight export`` and ``import``: records in the form of other programs, and the way back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from engine.codec import write_record
from engine.errors import Refused
from engine.logs.formats import MOST_BYTES, READERS, form_of, unpacked
from engine.logs.payments import remarks_on
from engine.logs.record_writer import BadLog
from service.commands.options import ExportFormat, Lang, LogFormat, add_to
from service.machine.records import load_record, name_of, read_bytes
from service.report.downloads import DOWNLOAD_FORMATS
from service.table.certificate import certificate_file, rehearsed_beside, rehearsed_text
from service.texts.catalogue import terminal_language


def run(record: str, form: str, lang: str) -> int:
    """Write the record in another form to standard output; raises ``Refused``."""
    entries = load_record(record)
    try:
        rehearsed = rehearsed_text(rehearsed_beside(certificate_file(Path(record))), lang)
        written = DOWNLOAD_FORMATS[form].write(entries, lang, rehearsed)
    except Refused as error:
        raise Refused(f"{name_of(record)}: {error}") from None
    sys.stdout.write(written)
    return 0


def import_log(path_or_dash: str, form: str | None) -> int:
    """Write the record of a log to standard output; raises ``Refused``.

    One line on standard error tells each hand that the log paid otherwise than its rules do.
    """
    try:
        text = unpacked(read_bytes(path_or_dash, MOST_BYTES))
        scribe = READERS[form or form_of(text)](text)
    except BadLog as error:
        raise Refused(f"{name_of(path_or_dash)}: {error}") from None
    sys.stdout.write(write_record(scribe.entries))
    for remark in remarks_on(scribe):
        print(f"tilesight: {name_of(path_or_dash)}: {remark}", file=sys.stderr)
    return 0


app = typer.Typer(add_completion=False)


@add_to(app, "import")
def import_command(
    file: Annotated[str, typer.Argument(help="help.import.file")],
    form: Annotated[LogFormat | None, typer.Option("--format", help="help.import.format")] = None,
) -> int:
    return import_log(file, form)


@add_to(app, "export")
def export_command(
    record: Annotated[str, typer.Argument(help="help.record")],
    form: Annotated[ExportFormat, typer.Option("--format", help="help.export.format")],
    lang: Lang = None,
) -> int:
    return run(record, form, lang or terminal_language())
