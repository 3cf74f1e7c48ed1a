"""The numbers of ``docs/safety.md`` are those of the program."""

from __future__ import annotations

from engine import codec
from service.evening import sent_records as sent
from service.evening import uploads
from service.hall import wire as hall
from service.machine import records
from service.pages import bodies, requests
from service.phone import server as phone
from service.web import connection_limit as visitors
from tests.support.documentation import read
from vision.camera import decoder_process as decoding
from vision.camera import reconnecting as returning

KIB, MIB, GIB = 1024, 1024**2, 1024**3
SAFETY = " ".join(read("docs/safety.md").split())
IN_WORDS = {2.0: "two", 30.0: "half a minute", 3600.0: "one hour"}


def test_the_limits_are_those_of_the_program() -> None:
    told = (
        f"{visitors.LARGEST_HEAD // KIB} KiB, a little more",
        f"whole within {visitors.SILENT_S:g} s",
        f"{requests.LARGEST // KIB} KiB at a table, {hall.LARGEST // MIB} MiB of lines at a hall",
        f"not silent for more than {visitors.BODY_SILENT_S:g} s, and after that at least "
        f"{visitors.BODY_RATE // KIB} KiB a second",
        f"{visitors.MOST} without a key and {visitors.MOST} with one",
        f"{visitors.MOST_SOCKETS} sockets",
        f"{bodies.LONGEST_TEXT} letters in a text, {bodies.MOST_DICE} dice, "
        f"{bodies.MOST_PARTS} values",
        f"{visitors.LARGEST_MESSAGE // KIB} KiB each, {visitors.MOST_HEARD // KIB} KiB a second",
        f"{uploads.LARGEST // GIB} GiB, {IN_WORDS[uploads.LONGEST_S]}, one at a time",
        f"{uploads.ROOM_LEFT // MIB} MiB of the disk stay free",
        f"{sent.MOST_SENT // MIB} MiB and {codec.MOST_LINES:,} lines, one at a time",
        f"{records.MOST_BYTES // MIB} MiB and {codec.MOST_LINES:,} lines for a record",
        f"{decoding.MOST_BYTES // GIB} GiB of memory",
        f"at most {phone.LARGEST // MIB} MiB",
        f"opened again every {IN_WORDS[returning.AGAIN_S]} seconds",
        f"closed after {IN_WORDS[visitors.GIVEN_UP_S]}",
    )
    assert [each for each in told if each not in SAFETY] == []
