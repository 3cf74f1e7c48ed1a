"""Batches prepared beside a training."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from streams import ahead  # noqa: E402


def numbered(worker: int) -> Iterator[tuple[Any, ...]]:
    for number in itertools.count():
        yield (torch.tensor([worker, number]),)


@pytest.mark.parametrize("workers", [1, 3])
def test_each_worker_has_a_stream_of_its_own_and_loses_nothing(workers: int) -> None:
    batches = itertools.islice(ahead(numbered, workers), 4 * workers)
    found = [batch[0].tolist() for batch in batches]
    for worker in range(workers):
        assert [number for who, number in found if who == worker] == [0, 1, 2, 3]
