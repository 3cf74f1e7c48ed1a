"""The facts of a reading that its report is written with, in a file beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

from engine.errors import Refused
from service.machine.files import write_whole
from service.machine.records import read_text
from service.report.gaps import Gap

MADE: Final = "made.json"


@dataclass(frozen=True)
class MadeReport:
    title: str
    """What the report calls the film."""
    lang: str
    again: str | None
    """The command that scores the film again with answers; None: the plainest."""
    gaps: tuple[Gap, ...]
    """What was noticed to be missing in the film."""

    @staticmethod
    def of(title: str, lang: str, again: str | None, gaps: Sequence[Gap]) -> MadeReport:
        return MadeReport(title, lang, again, tuple(gaps))

    def write(self, folder: Path) -> None:
        gaps = [[gap.since_s, gap.until_s] for gap in self.gaps]
        kept = {"title": self.title, "lang": self.lang, "again": self.again, "gaps": gaps}
        write_whole(folder / MADE, json.dumps(kept, ensure_ascii=False) + "\n")

    @staticmethod
    def read(folder: Path, report: str) -> MadeReport:
        """Of a finished folder; raises ``Refused``, ``OSError``.

        Folders of earlier versions have the same facts in the page ``report`` alone.
        """
        path = folder / MADE
        text = read_text(str(path)) if path.is_file() else _within(read_text(str(folder / report)))
        try:
            kept = json.loads(text)
            gaps = tuple(Gap(float(since), float(until)) for since, until in kept["gaps"])
            again = None if kept["again"] is None else str(kept["again"])
            return MadeReport(str(kept["title"]), str(kept["lang"]), again, gaps)
        except (KeyError, TypeError, ValueError) as error:
            said = f"{folder} was scored by an older tilesight; score the film again first"
            raise Refused(said) from error


class _ScriptOfData(HTMLParser):
    """Reads what stands within the script ``made`` of a page."""

    def __init__(self) -> None:
        super().__init__()
        self._inside = False
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Any]]) -> None:
        self._inside = tag == "script" and dict(attrs).get("id") == "made"

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.text += data


def _within(page: str) -> str:
    parser = _ScriptOfData()
    parser.feed(page)
    return parser.text
