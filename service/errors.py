"""Failures that are told to the person at the keyboard, in one line."""

from __future__ import annotations


class Refused(ValueError):
    """What was asked for cannot be done; the message says what is wrong and what to do."""


class Malformed(Refused):
    """The request itself cannot be read."""


class Forbidden(Refused):
    """Whoever asks may not do this."""
