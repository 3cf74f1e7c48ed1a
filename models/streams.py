"""Training batches that are prepared beside the training."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import cast

import cv2
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

Tensors = tuple[Tensor, ...]
"""One batch, before it goes to the device."""


def ahead(make: Callable[[int], Iterator[Tensors]], workers: int) -> Iterator[Tensors]:
    """Yield endless batches: those of ``make(0)``, prepared in a thread.

    With more than one worker the batches of ``make(0)``, ``make(1)``, ... come in turn, each stream
    from a process of its own. What is loaded before is shared with them.
    """
    if workers > 1:
        loader = DataLoader(
            _Streams(make),
            batch_size=None,
            num_workers=workers,
            prefetch_factor=4,
            pin_memory=torch.cuda.is_available(),
        )
        yield from cast(Iterator[Tensors], loader)
        return
    ready: queue.Queue[Tensors] = queue.Queue(maxsize=4)

    def fill() -> None:
        for batch in make(0):
            ready.put(batch)

    threading.Thread(target=fill, daemon=True).start()
    while True:
        yield ready.get()


class _Streams(IterableDataset[Tensors]):
    def __init__(self, make: Callable[[int], Iterator[Tensors]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Tensors]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        return self._make(worker.id if worker is not None else 0)
