"""What the commands print: help, games told and exported, films read, servers begun."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final
from unittest.mock import patch

import uvicorn

from engine.codec import read_record, write_record
from engine.texts.files import LANGUAGES
from service.commands import archive
from service.main import run
from tests.support.archive_worker import PROGRAM
from tests.support.goldens.kept import Goldens, file_name
from tests.support.goldens.same_each_time import same_each_time
from tests.support.mjlog_of import mjlog_of
from tests.support.paths import FILM, GAMES, ROOT, SAMPLES
from tests.support.score_program import RULES, film_at

FORMATS: Final = ("csv", "html", "mjai", "tenhou6")
TERMINALS: Final = ("en", "zh", "ja")
SHORT: Final = 60
"""Lines of a game of which hints are told: they take long."""
_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_BAR: Final = re.compile(r".*([━╸╺]|\d/\d+ films).*\n?")
"""How far a command is, which depends on how busy the machine is."""


def typed(kept: Goldens, name: str, *words: str, lang: str = "en", times: bool = False) -> None:
    """Keep what a command prints, and its exit status; without figures where ``times`` are."""
    out, err = io.StringIO(), io.StringIO()
    with (
        same_each_time(lang),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = run(words)
    said = f"{status}\n== out\n{out.getvalue()}== err\n{_BAR.sub('', err.getvalue())}"
    kept.keep(f"commands/{name}", _NUMBER.sub("N", said) if times else said)


def helps(kept: Goldens, names: tuple[tuple[str, ...], ...]) -> None:
    """The help of each command, in each language of a terminal."""
    for lang in TERMINALS:
        for words in ((), *names):
            typed(kept, file_name("help", *words, lang), *words, "--help", lang=lang)


def every_command() -> tuple[tuple[str, ...], ...]:
    """All commands and groups of them, as a person types them."""
    from service.command_line import program
    from service.commands.options import every_command as commands_of

    return tuple(tuple(words.split()) for words in commands_of(program()))


def games(kept: Goldens, folder: Path) -> None:
    """Every golden game, told and exported."""
    for path in sorted(GAMES.glob("*.jsonl")):
        name = path.stem
        for lang in LANGUAGES:
            typed(kept, f"replay-{name}-{lang}", "replay", str(path), "--lang", lang)
        typed(kept, f"replay-{name}-json", "replay", str(path), "--lang", "zh", "--json")
        typed(kept, f"replay-{name}-seat", "replay", str(path), "--seat", "1")
        for form in FORMATS:
            typed(kept, f"export-{name}-{form}", "export", str(path), "--format", form)
        short = folder / f"{name}.jsonl"
        short.write_text(write_record(read_record(path.read_text("utf-8"))[:SHORT]))
        typed(kept, f"hints-{name}", "replay", str(short), "--hints")
    sample = SAMPLES / "riichi.jsonl"
    log = folder / "game.mjlog"
    log.write_text(mjlog_of(read_record(sample.read_text("utf-8"))))
    typed(kept, "import-mjlog", "import", str(log))
    for form in ("mjai", "tenhou6"):
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            run(["export", str(sample), "--format", form])
        exported = folder / f"{form}.log"
        exported.write_text(told.getvalue())
        typed(kept, f"import-{form}", "import", str(exported))


def wrong(kept: Goldens, folder: Path) -> None:
    """One line for what cannot be."""
    broken = folder / "broken.jsonl"
    broken.write_text(GAMES.joinpath("riichi.jsonl").read_text()[:500] + '\n{"type":"dance"}\n')
    lines: tuple[tuple[str, ...], ...] = (
        ("dance",),
        ("replay",),
        ("replay", "none.jsonl"),
        ("replay", str(broken)),
        ("replay", str(broken), "--go-on"),
        ("replay", str(GAMES / "riichi.jsonl"), "--lang", "tlh"),
        ("import", str(GAMES / "riichi.jsonl")),
        ("export", str(broken), "--format", "csv"),
        ("score", "none.mp4", "--rules", "riichi"),
        ("score", str(FILM), "--rules", "whist"),
        ("serve", "--rules", "whist"),
        ("archive", "run"),
    )
    for number, words in enumerate(lines):
        typed(kept, f"wrong-{number:02}-{words[0]}", *words)


def films(kept: Goldens, folder: Path) -> None:
    """What is read of films, with the nets, and of an archive of films of plain felt."""
    table, film = str(SAMPLES / "table.toml"), str(FILM)
    out = str(folder / "friday")
    given = (film, "--rules", "harbin-hlr", "--table", table)
    typed(kept, "score", "score", *given, "--out", out)
    for path in sorted(Path(out).rglob("*")):
        if path.is_file() and path.suffix in (".html", ".csv", ".json", ".jsonl", ".toml"):
            kept.keep(f"score/{path.relative_to(out)}", path.read_bytes())
    record = f"{out}/record.jsonl"
    explained = ("--film", film, "--at", "12", "--table", table)
    typed(kept, "explain", "dev", "explain", record, *explained, "--out", str(folder / "why.jpg"))
    for lang in TERMINALS:
        picture = str(folder / f"check-{lang}.jpg")
        shown = ("--seconds", "2", "--out", picture, "--table", table)
        typed(kept, f"check-{lang}", "check", film, *shown, "--lang", lang)
    _archive(kept, folder)


def _archive(kept: Goldens, folder: Path) -> None:
    (folder / "films").mkdir()
    film_at(folder / "films" / "friday.mp4")
    (folder / "films" / "broken.mp4").write_text("no film")
    steps: tuple[tuple[str, ...], ...] = (
        ("add", "films", "--rules", RULES, "--players", "Anna,Bo,,Dana"),
        ("status",),
        ("run", "--work", "work"),
        ("status",),
        ("export",),
        ("questions", "--out", "open.json"),
        ("changes",),
        ("retry",),
        ("reread",),
    )
    ours = patch.dict(os.environ, {"PYTHONPATH": str(ROOT)})
    with contextlib.chdir(folder), ours, patch.object(archive, "PROGRAM", PROGRAM):
        for number, words in enumerate(steps):
            typed(kept, f"archive-{number}-{words[0]}", "archive", *words)
    shutil.rmtree(folder / "films")


def servers(kept: Goldens, folder: Path, asked: Callable[[], tuple[tuple[str, ...], ...]]) -> None:
    """What is printed when a server begins; nothing is served."""
    with contextlib.chdir(folder), patch.object(uvicorn.Server, "run", lambda *_, **__: None):
        for number, words in enumerate(asked()):
            for lang in TERMINALS if number < 2 else ("en",):
                typed(kept, f"server-{number:02}-{words[0]}-{lang}", *words, lang=lang)


def served() -> tuple[tuple[str, ...], ...]:
    port = ("--port", "0", "--no-local-name")
    return (
        ("serve", *port),
        ("serve", *port, str(FILM), "--rules", "harbin-hlr", "--record", "a.jsonl"),
        ("serve", *port, str(FILM), "--record", "evenings"),
        ("serve", *port, "--record", str(shutil.copy(GAMES / "riichi.jsonl", "riichi.jsonl"))),
        ("serve", *port, str(GAMES / "riichi-tenhou.jsonl")),
        ("serve", *port, "--host", "0.0.0.0", str(FILM), "--record", "b.jsonl"),
        ("serve", *port, str(FILM), "--phone"),
        ("serve", *port, "--cert", "none.pem"),
        ("serve", *port, "--table", "none.toml"),
        ("serve", "friday", *port),
        ("serve", "films", *port),
        ("hall", "--port", "0"),
        ("hall", "--port", "0", "--host", "0.0.0.0"),
        ("hall", "--revoke", "north"),
    )
