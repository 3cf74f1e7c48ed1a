"""Plain words for what other libraries say of a value."""

from __future__ import annotations

import re
from typing import Final

_PLAIN: Final = (
    (r"Value error, ", ""),
    (r", unable to parse .*? as an? \w+", ""),
    (r"Input should be less than or equal to ", "expected at most "),
    (r"Input should be greater than or equal to ", "expected at least "),
    (r"Input should be a valid integer", "expected a whole number"),
    (r"Input should be a valid number", "expected a number"),
    (r"Input should be (a valid )?", "expected "),
    (r"List should have at most (\d+) items after validation, not", r"expected at most \1, got"),
    (r"List should have at least (\d+) items? after validation, not", r"expected at least \1, got"),
    (r"Input tag .* found using '(\w+)' does not match any of the expected tags:", r"expected \1"),
    (r"Unable to extract tag using discriminator '(\w+)'", r'expected "\1"'),
    (r"Field required", "expected a value"),
)
"""Messages of the validation library, and plain words for them."""


def plainly(said: str) -> str:
    """Put a library's message about a value into plain words."""
    for theirs, ours in _PLAIN:
        said = re.sub(theirs, ours, said)
    return said
