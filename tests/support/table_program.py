"""A table that nobody looks at, served by a process of its own that may be killed.

Run with the file of the record, and of a record that the camera tells once a line has come on
standard input; without that one, the camera tells some dice and asks what they were. Says the port
on standard output.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
from pathlib import Path

import numpy as np
import uvicorn

from engine.codec import read_record
from engine.events import Dice, Entry
from service.app import create_app
from service.table.live_table import LiveTable, TableSettings
from service.table.record_file import RecordFile
from tests.support.told_reader import AskingTold, ToldReader
from vision.camera.frames import Frame, Frames
from vision.decoder.question import AnswerChoice, EventPlace, Question

LATER_S = 100.0
"""Where the film begins: what is told at once after a restart counts as told before."""
TOLD = (Dice((1, 1)), Dice((1, 2)), Dice((1, 3)), Dice((1, 4)))
ANSWERED = (Dice((6, 1)), Dice((6, 2)), Dice((6, 3)), Dice((6, 4)))
"""What each of them was if a person says so."""


def asking(begins_s: float) -> AskingTold:
    """A camera that tells dice, and is not sure of them."""
    others = [AnswerChoice((other,), 0.4) for other in ANSWERED]
    questions = [
        Question(
            EventPlace("rolled", begins_s, 100.0 * place), (AnswerChoice((told,), 0.6), other), 3
        )
        for place, (told, other) in enumerate(zip(TOLD, others, strict=True))
    ]
    return AskingTold([Entry(told, t=begins_s) for told in TOLD], questions)


def telling(told: Path) -> ToldReader:
    """A camera that tells a record, all of it at once when it is allowed to."""
    go = threading.Event()

    def listen() -> None:
        sys.stdin.readline()
        go.set()

    threading.Thread(target=listen, daemon=True).start()
    return ToldReader(read_record(told.read_text()), go=go)


def endless(begins_s: float) -> Frames:
    index = 0
    while True:
        yield Frame(np.zeros((36, 64, 3), np.uint8), begins_s + index / 10, index)
        index += 1
        time.sleep(0.1)


def main() -> None:
    record = RecordFile(Path(sys.argv[1]))
    begins_s = LATER_S + len(record.entries)  # after a restart all changes are others
    reader = telling(Path(sys.argv[2])) if len(sys.argv) > 2 else asking(begins_s)
    table = LiveTable(
        reader,
        endless(begins_s),
        record,
        TableSettings("harbin-hlr", "table", before=record.entries),
    )
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], record.cut or "", flush=True)
    uvicorn.Server(uvicorn.Config(create_app(table), log_level="warning")).run([listening])


if __name__ == "__main__":
    main()
