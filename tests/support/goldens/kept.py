"""The files of goldens: how they are written, and what differs between two folders of them."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Final

SHOWN: Final = 12
"""Lines of the difference of one file that are printed."""
LONGEST: Final = 200
"""Letters of a printed line."""
_NAME: Final = re.compile(r"[^\w.=-]+")
_NEVER_THE_SAME: Final = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"), "DATE"),
    (re.compile(r"(game|sample)-\d{8}-\d{6}"), r"\1-DATE"),
    (re.compile(r"(?m)^(etag|last-modified): .*$"), r"\1: FILE"),
    (re.compile(r"(127\.0\.0\.1|localhost|https?://[\w.-]+):\d{4,5}"), r"\1:PORT"),
)
"""Moments, when files were written, and the ports that happened to be free."""


@dataclass
class Goldens:
    """A folder that is filled with what the program says."""

    folder: Path
    instead: dict[str, str] = field(default_factory=dict)
    """What is written in place of words that differ each time, such as folders."""

    def keep(self, name: str, said: object) -> None:
        """Write one golden: text, bytes, or anything that JSON can hold, one value a line."""
        path = self.folder / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        assert not path.exists(), f"{name} is written twice"
        path.write_text(self.plain(said), "utf-8")

    def plain(self, said: object) -> str:
        """The text of it, without what is never the same."""
        text = _text(said)
        for word, instead in self.instead.items():
            text = text.replace(word, instead)
        for pattern, instead in _NEVER_THE_SAME:
            text = pattern.sub(instead, text)
        return text


def file_name(*parts: object) -> str:
    """A name that files may have, such as ``api-events-3-ways`` for an address."""
    return "-".join(_NAME.sub("-", str(part)).strip("-") or "root" for part in parts)


def _text(said: object) -> str:
    match said:
        case str():
            return said
        case bytes():
            try:
                text = said.decode("utf-8")
            except UnicodeDecodeError:
                return f"{len(said)} bytes, {blake2b(said, digest_size=16).hexdigest()}\n"
            return _laid_out(text)
        case _:
            return json.dumps(said, ensure_ascii=False, indent=1) + "\n"


@cache
def _laid_out(text: str) -> str:
    """JSON with a line for each value, so that a difference is short; other text as it is.

    Everybody who listens is sent the same.
    """
    if text[:1] not in ("{", "["):
        return text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
    except ValueError:
        return text


def answer_text(status: int, told: bytes) -> str:
    """An answer as it is kept: its status, its headers, and its body laid out.

    ``told`` has the headers, a line each, and the body behind them.
    """
    lines = told.split(b"\n")
    heads = next(
        (at for at, line in enumerate(lines) if not re.match(rb"[\w-]+: ", line)), len(lines)
    )
    head = b"\n".join(lines[:heads]).decode("latin-1")
    body = b"\n".join(lines[heads:])
    return f"{status}\n{head}\n\n{_text(body)}"


def with_askers(answers: Mapping[str, str]) -> str:
    """Answers to one request, each once, with everybody who gets it."""
    by_answer: dict[str, list[str]] = {}
    for who, answer in answers.items():
        by_answer.setdefault(answer, []).append(who)
    return "\n".join(f"== {', '.join(who)}\n{answer}" for answer, who in by_answer.items())


def differences(before: Path, after: Path) -> Iterator[str]:
    """What was lost, came or has changed, file by file, with the first lines of each change."""
    old, new = (
        {path.relative_to(folder): path for path in sorted(folder.rglob("*.txt"))}
        for folder in (before, after)
    )
    yield from (f"lost: {name}" for name in old if name not in new)
    yield from (f"new: {name}" for name in new if name not in old)
    for name in old:
        if name in new and old[name].read_bytes() != new[name].read_bytes():
            yield f"changed: {name}"
            lines = [path.read_text("utf-8").splitlines() for path in (old[name], new[name])]
            yield from (f"    {line[:LONGEST]}" for line in _changed(*lines))


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """The first changed lines. Long files are not compared to their end: that takes hours."""
    first = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]),
        min(len(old), len(new)),
    )
    window = slice(max(0, first - 2), first + 200)
    found = difflib.unified_diff(old[window], new[window], lineterm="", n=1)
    yield from islice(found, 2, 2 + SHOWN)
