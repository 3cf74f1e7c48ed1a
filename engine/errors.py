"""Errors that a person reads in one line."""

from __future__ import annotations


class Refused(ValueError):
    """A request that cannot be done; the message says why, and what to do."""


class Malformed(Refused):
    """A request that cannot be read."""


class Forbidden(Refused):
    """A request that the sender may not make."""


class Conflict(Refused):
    """Somebody else corrected the record meanwhile; the request may no longer be meant."""


class NotThere(Refused):
    """What the request names is not in the record."""
