"""Words of earlier versions, and what is typed now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

_COMMANDS: Final[Mapping[str, str]] = {
    "open": "serve FOLDER",
    "calibrate": "check SOURCE --save table.toml",
    "detect": "dev detect",
    "explain": "dev explain",
    "dataset": "dev dataset",
    "benchmark": "dev benchmark",
}
_OPTIONS: Final[Mapping[tuple[str, str], str]] = {
    ("serve", "--source"): "serve SOURCE",
    ("serve", "--study"): "serve RECORD",
}


def typed_now(words: Sequence[str]) -> str | None:
    """One line that names the new words for what was typed; None where nothing has moved."""
    command, *rest = words or [""]
    if command in _COMMANDS:
        return f"tilesight {command} is now: tilesight {_COMMANDS[command]}"
    for word in rest:
        option = word.partition("=")[0]
        if (command, option) in _OPTIONS:
            return f"{command} {option} is now: tilesight {_OPTIONS[command, option]}"
    return None
