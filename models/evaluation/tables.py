"""The figures of a report as Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

COLUMNS = (
    ("tiles", "tiles", "{:,}"),
    ("found", "recall", "{:.1%}"),
    ("detections that are tiles", "precision_where_labelled", "{:.1%}"),
    ("found ones named right", "named_right_of_found", "{:.2%}"),
    ("found and named right", "found_and_named_right", "{:.1%}"),
    ("answered ?", "unsure", "{:.1%}"),
    ("sure and wrong", "wrong_and_sure", "{:.2%}"),
    ("the same, wrong labels aside", "wrong_and_sure_by_eye", "{:.2%}"),
)
"""Heading, name in metrics.json, format."""
GROUPS = (
    ("by side", "by_side"),
    ("faces by width, px", "faces_by_width_px"),
    ("faces by style", "faces_by_style"),
)


def tables(report: Mapping[str, Any]) -> str:
    """Return a summary line, a table for each grouping, and the reliability table."""
    lines = [
        f"{report['source']}: {report['pictures']} pictures, threshold {report['threshold']}, "
        f"mAP50 {report['map50']:.3f}, mAP50-95 {report['map50_95']:.3f}"
    ]
    for heading, name in GROUPS:
        rows: Mapping[str, Mapping[str, float]] = report[name]
        if not rows:
            continue
        head = [heading, *(title for title, _, _ in COLUMNS)]
        lines += ["", _row(head), _row(["---"] * len(head))]
        lines += [_row([row, *_cells(row, values)]) for row, values in rows.items()]
    reliability = report["reliability"]
    lines += ["", _row(["tiles", "mean confidence", "named right"]), _row(["---"] * 3)]
    lines += [
        _row([f"{tiles:,}", f"{said:.4f}", f"{right:.4f}"])
        for tiles, said, right in reliability["bands"]["rows"]
    ]
    lines += ["", f"Mean distance between the two: {reliability['expected_error']:.4f}."]
    return "\n".join(lines) + "\n"


def _cells(row: str, values: Mapping[str, float]) -> list[str]:
    faces = row not in ("back", "standing")
    return [
        form.format(values[name]) if name in values and (faces or name in _OF_ALL_SIDES) else ""
        for _, name, form in COLUMNS
    ]


_OF_ALL_SIDES = frozenset({"tiles", "recall", "precision_where_labelled"})


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
