"""A table that nobody looks at, served by a process of its own that may be killed.

Run with the file of the record, and of a record that the camera tells; says the port on standard
output.
"""

from __future__ import annotations

import socket
import sys
import time
from pathlib import Path

import numpy as np
import uvicorn

from engine.codec import read_record
from service.live.record_file import RecordFile
from service.live.table import Table
from service.web.app import create_app
from tests.service.told_reader import ToldReader
from vision.camera.frames import Frame, Frames


def endless() -> Frames:
    index = 0
    while True:
        yield Frame(np.zeros((36, 64, 3), np.uint8), index / 10, index)
        index += 1
        time.sleep(0.1)


def main() -> None:
    record = RecordFile(Path(sys.argv[1]))
    told = read_record(Path(sys.argv[2]).read_text()) if len(sys.argv) > 2 else []
    table = Table(ToldReader(told), endless(), record, "harbin-hlr", "table", before=record.entries)
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], record.cut or "", flush=True)
    uvicorn.Server(uvicorn.Config(create_app(table), log_level="warning")).run([listening])


if __name__ == "__main__":
    main()
