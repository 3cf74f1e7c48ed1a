"""Options that several commands share, and their help in the language of the terminal.

Commands name keys of the catalogue as their help; the texts are looked up when they are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar
from unicodedata import east_asian_width

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from engine.errors import Refused

OWN: Final = ("engine", "vision", "service")
_Function = TypeVar("_Function", bound=Callable[..., object])


class WordedCommand(TyperCommand):
    """A command whose help is a key."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _look_up(self, ctx)
        super().format_help(ctx, formatter)


class LaterCommand(WordedCommand):
    """A command, or a group of them, of which the options are loaded when it is called."""

    def __init__(self, name: str, module: str, extra: str | None = None) -> None:
        """``module`` of this folder holds it in its ``app``; ``extra`` installs what it needs."""
        super().__init__(name, help=f"command.{name}", callback=None)
        self._module, self._extra = module, extra

    def loaded(self) -> Any:
        """The command itself; raise ``Refused`` where what it needs is not installed."""
        try:
            module = import_module(f"service.commands.{self._module}")
        except ModuleNotFoundError as error:
            if self._extra is None or str(error.name).split(".")[0] in OWN:
                raise
            raise Refused(
                f"tilesight {self.name} needs the extra {self._extra}; in the source folder: "
                f'pip install ".[{self._extra}]", or the same with pipx or uv tool'
            ) from None
        group = get_group(module.app)
        return group.commands.get(str(self.name), group)


class WordedGroup(TyperGroup):
    """The program, or a group of commands: its own help lists that of its commands."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        for command in (self, *self.commands.values()):
            _look_up(command, ctx)
        super().format_help(ctx, formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, LaterCommand) else command, rest


def every_command(group: TyperGroup) -> dict[str, Any]:
    """All commands of a group with their options, by what is typed; of groups in it, too."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        here: Any = command.loaded() if isinstance(command, LaterCommand) else command
        found[name] = here
        if isinstance(here, TyperGroup):
            found |= {f"{name} {below}": one for below, one in every_command(here).items()}
    return found


def add_to(
    app: typer.Typer, name: str, help_key: str | None = None
) -> Callable[[_Function], _Function]:
    """Declare a command of the program; its help is the text ``command.NAME``, or another."""
    return app.command(name, cls=WordedCommand, help=help_key or f"command.{name}")


def _look_up(command: Any, ctx: Any) -> None:
    from service.texts.catalogue import terminal_texts

    texts = terminal_texts()
    command.get_help_option(ctx).help = texts["help.help"]
    for one in (command, *command.params):
        one.help = texts.get(one.help, one.help)
    if any(east_asian_width(letter) == "W" for letter in command.help):
        # The library that draws boxes cuts off what has no spaces to break a line at.
        command.rich_markup_mode = None


LogFormat = Literal["mjai", "mjlog", "tenhou6"]
"""Forms of public riichi logs."""
ExportFormat = Literal["csv", "html", "mjai", "tenhou6"]
DatasetFormat = Literal["coco", "yolo-obb"]
Seat0 = Literal["bottom", "right", "top", "left"]
"""Sides of the picture at which seat 0 may sit."""
Lang = Annotated[str | None, typer.Option(help="help.lang")]
"""Without it, the language of the terminal."""
Rules = Annotated[str, typer.Option(help="help.rules")]
AnyRules = Annotated[str | None, typer.Option("--rules", help="help.rules.any")]
HouseRules = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="help.option")
]
TableFile = Annotated[Path | None, typer.Option("--table", help="help.table")]
SeatSide = Annotated[Seat0 | None, typer.Option("--seat0", help="help.seat0")]
FirstDealer = Annotated[int | None, typer.Option(min=0, max=3, help="help.first_dealer")]
OwnSet = Annotated[Path | None, typer.Option("--set", help="help.own_set")]
Players = Annotated[str | None, typer.Option(metavar="A,B,C,D", help="help.players")]
ReadTwice = Annotated[int | None, typer.Option(min=1, metavar="POINTS", help="help.read_twice")]
KeepTiles = Annotated[Path | None, typer.Option(metavar="FOLDER", help="help.keep_tiles")]
Mirrored = Annotated[bool | None, typer.Option("--mirrored/--not-mirrored", help="help.mirrored")]
Host = Annotated[str, typer.Option(help="help.host")]
JsonLog = Annotated[bool, typer.Option("--json-log", help="help.json_log")]
SeatCamera = Annotated[list[str] | None, typer.Option(help="help.seat_camera")]
SeatShift = Annotated[list[str] | None, typer.Option(help="help.seat_shift")]
Database = Annotated[
    str, typer.Option("--database", envvar="TILESIGHT_DATABASE", help="help.archive.database")
]
DATABASE: Final = "tilesight-archive.sqlite3"
