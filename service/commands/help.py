"""Help of commands and options in the language of the terminal.

Commands name keys of the catalogue as their help; the texts are looked up when they are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from unicodedata import east_asian_width

import typer
from typer.core import TyperCommand, TyperGroup

_Function = TypeVar("_Function", bound=Callable[..., object])


class WordedCommand(TyperCommand):
    """A command whose help is a key."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _look_up(self, ctx)
        super().format_help(ctx, formatter)


class WordedGroup(TyperGroup):
    """The program: its own help lists that of its commands."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        for command in (self, *self.commands.values()):
            _look_up(command, ctx)
        super().format_help(ctx, formatter)


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
