"""Errors of an archive that a person reads in one line."""

from __future__ import annotations

from service.errors import Refused


class StorageError(Refused):
    """Films or results cannot be reached: a bucket is gone, rights are missing."""


class StorageAway(StorageError):
    """A storage does not answer or is full, which is not the film's fault and may pass."""
