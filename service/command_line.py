"""The commands of ``tilesight``; each stands with its options in a module of ``commands``.

A module is loaded when its command is called: reading a record must not wait for OpenCV.
"""

from __future__ import annotations

from typing import Annotated, Final

import typer
from typer.core import TyperGroup
from typer.main import get_group

from service.commands.options import LaterCommand, WordedGroup

COMMANDS: Final = {
    "replay": "replay",
    "import": "export",
    "export": "export",
    "verify": "verify",
    "check": "check",
    "enroll": "enroll",
    "score": "score",
    "serve": "serve",
    "hall": "hall",
    "archive": "archive",
}
"""In the order of the program's help, each with its module."""
TOOLS: Final = {
    "detect": "detect",
    "explain": "explain",
    "benchmark": "benchmark",
    "dataset": "dataset",
}
"""Those of ``tilesight dev``."""
EXTRAS: Final = {"hall": "club", "archive": "club"}
"""Commands that need more than is installed for one table."""
_bare = typer.Typer(name="tilesight", add_completion=False)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"tilesight {version('tilesight')}")
        raise typer.Exit


@_bare.callback(cls=WordedGroup, help="command.tilesight")
def start(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="help.version")
    ] = False,
) -> None:
    """The program itself."""


def program() -> TyperGroup:
    """The program, made anew: to show a help puts it into one language."""
    group = get_group(_bare)
    tools = [LaterCommand(name, module) for name, module in TOOLS.items()]
    for name, module in COMMANDS.items():
        group.add_command(LaterCommand(name, module, EXTRAS.get(name)))
    group.add_command(WordedGroup(name="dev", help="command.dev", commands=tools))
    return group
