"""Errors of an archive that a person reads in one line."""

from __future__ import annotations

from service.errors import Refused


class StorageError(Refused):
    """Films or results cannot be reached: a bucket is gone, rights are missing."""
