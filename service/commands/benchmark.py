"""``tilesight dev benchmark``: how fast this machine reads a film, live and recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.rules import DEFAULT
from service.commands.options import AnyRules, SeatSide, TableFile, add_to
from service.commands.score import refuse_unknown_rules
from service.film.benchmark import measure_all

app = typer.Typer(add_completion=False)


@add_to(app, "benchmark")
def command(
    video: Annotated[Path, typer.Argument(help="help.benchmark.video")],
    rules: AnyRules = None,
    table: TableFile = None,
    seat0: SeatSide = None,
    seconds: Annotated[float, typer.Option(min=1, help="help.benchmark.seconds")] = 60,
    recorded_seconds: Annotated[
        float, typer.Option(min=1, help="help.benchmark.recorded_seconds")
    ] = 180,
    as_json: Annotated[bool, typer.Option("--json", help="help.benchmark.json")] = False,
) -> int:
    rules = rules or DEFAULT
    refuse_unknown_rules(rules)
    return measure_all(video, seconds, recorded_seconds, as_json, rules, table, seat0)
