"""A table that nobody looks at, served by a process of its own that may be killed."""

from __future__ import annotations

import socket
import threading
import time
from multiprocessing.connection import Connection
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


def telling(told: Path, line: Connection) -> ToldReader:
    """A camera that tells a record, all of it at once when it is allowed to."""
    go = threading.Event()

    def listen() -> None:
        line.recv()
        go.set()

    threading.Thread(target=listen, daemon=True).start()
    return ToldReader(read_record(told.read_text()), go=go)


def endless(begins_s: float) -> Frames:
    index = 0
    while True:
        yield Frame(np.zeros((36, 64, 3), np.uint8), begins_s + index / 10, index)
        index += 1
        time.sleep(0.1)


def serve_table(line: Connection, path: Path, told: Path | None = None) -> None:
    """Serve a table with the record ``path``; the port is the first thing that is said.

    The camera tells the record ``told`` once anything is said to the program; without it, some
    dice, and asks what they were.
    """
    record = RecordFile(path)
    begins_s = LATER_S + len(record.entries)  # after a restart all changes are others
    reader = asking(begins_s) if told is None else telling(told, line)
    table = LiveTable(
        reader,
        endless(begins_s),
        record,
        TableSettings("harbin-hlr", "table", before=record.entries),
    )
    listening = socket.create_server(("127.0.0.1", 0))
    line.send(listening.getsockname()[1])
    uvicorn.Server(uvicorn.Config(create_app(table), log_level="warning")).run([listening])
