"""The process of one worker: ``python -m service.archive.worker_program``, started by a pool."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Event

from service.archive.ledger import Ledger
from service.archive.process_worker import DATABASE
from service.archive.worker import ReaderOf, Worker
from service.files import keep_new_files_private
from service.hall.database import engine_of


def main(arguments: Sequence[str] | None = None, reader_of: ReaderOf | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--lease-s", type=float, required=True)
    parser.add_argument("--cache-bytes", type=int, required=True)
    given = parser.parse_args(arguments)
    # Ended from outside, it gives its film back.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    keep_new_files_private()
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    engine = engine_of(os.environ[DATABASE])
    try:
        ledger = Ledger(engine)
        Worker(ledger, given.name, given.work, given.lease_s, given.cache_bytes, reader_of).run(
            Event()
        )
    finally:
        engine.dispose()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
