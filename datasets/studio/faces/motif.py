"""Motifs: drawings from the SVG files in ``studio/art``, to be bent, turned and painted.

The art uses a small part of SVG: paths, basic shapes, groups and ``use``. Named colours stand for
the inks of a set of tiles; white takes paint away. Every child of the root is a part that turns
about its ``data-joint``, or about its own origin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import numpy as np
from fontTools.misc.transform import Identity
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import parse_path
from fontTools.svgLib.path.shapes import PathBuilder
from numpy.typing import ArrayLike

from studio.faces.outlines import CurvePoints, flatten, turned

CLEAR: Final = "white"
"""The ink that takes paint away."""
_ART: Final = Path(__file__).parents[1] / "art"
_LOOK: Final = ("fill", "stroke", "stroke-width")


@dataclass(frozen=True, eq=False)
class InkShape:
    """An outline that is filled, or a line."""

    points: CurvePoints
    ink: str
    line: float = 0.0
    """Width of the line, 0 where the outline is filled."""


Shapes = tuple[InkShape, ...]


@dataclass(frozen=True, eq=False)
class MotifPart:
    """A group of shapes that turns about a joint."""

    name: str
    joint: CurvePoints
    """(2,)"""
    shapes: Shapes

    def put(self, joint: ArrayLike, turn_deg: float = 0.0, scale: float = 1.0) -> MotifPart:
        """The part turned and scaled about its joint, with the joint somewhere else."""
        there = np.asarray(joint, float)
        shapes = changed(self.shapes, lambda p: turned((p - self.joint) * scale, turn_deg) + there)
        return MotifPart(self.name, there, shapes)


@dataclass(frozen=True, eq=False)
class Motif:
    """A drawing about the origin."""

    size: CurvePoints
    """(2,) width and height of its view box."""
    parts: tuple[MotifPart, ...]

    @property
    def shapes(self) -> Shapes:
        return tuple(shape for part in self.parts for shape in part.shapes)

    def part(self, name: str) -> MotifPart | None:
        return next((part for part in self.parts if part.name == name), None)

    @classmethod
    def of(cls, size: ArrayLike, shapes: Iterable[InkShape]) -> Motif:
        """A motif of one part."""
        return cls(np.asarray(size, float), (MotifPart("", np.zeros(2), tuple(shapes)),))

    def changed(self, change: Callable[[CurvePoints], CurvePoints]) -> Motif:
        """The motif with every point changed."""
        parts = (replace(part, shapes=changed(part.shapes, change)) for part in self.parts)
        return replace(self, parts=tuple(parts))

    def placed(
        self, at: ArrayLike, size: ArrayLike, turn_deg: float = 0.0, line: float = 1.0
    ) -> Shapes:
        """The shapes with the view box scaled to a size, turned, and its middle moved."""
        scale, middle = np.asarray(size, float) / self.size, np.asarray(at, float)
        width = line * float(np.abs(scale).mean())
        return changed(self.shapes, lambda p: turned(p * scale, turn_deg) + middle, width)


def changed(
    shapes: Iterable[InkShape], change: Callable[[CurvePoints], CurvePoints], line: float = 1.0
) -> Shapes:
    """The shapes with their points changed, and their lines made wider by a factor."""
    return tuple(InkShape(change(s.points), s.ink, s.line * line) for s in shapes)


def hollowed(shapes: Iterable[InkShape], line: float) -> Shapes:
    """Filled shapes drawn as lines of a width instead; small ones stay filled."""
    found: list[InkShape] = []
    for shape in shapes:
        broad = not shape.line and np.ptp(shape.points, axis=0).min() > 3 * line
        if broad and shape.ink != CLEAR:
            found += [replace(shape, ink=CLEAR), replace(shape, line=line)]
        else:
            found.append(shape)
    return tuple(found)


@cache
def names(kind: str) -> tuple[str, ...]:
    """The motifs of a kind: the files in its folder."""
    return tuple(sorted(path.stem for path in (_ART / kind).glob("*.svg")))


@cache
def load(kind: str, name: str) -> Motif:
    """Read a motif. Raises ``FileNotFoundError`` if there is none of that name."""
    root = ElementTree.parse(_ART / kind / f"{name}.svg").getroot()
    named = {str(element.get("id")): element for element in root.iter()}
    parts = []
    for child in root:
        joint = [float(number) for number in child.get("data-joint", "0 0").split()]
        at = np.array(_matrix(child).transformPoint(joint))
        shapes = tuple(_shapes(child, Identity, {}, named))
        parts.append(MotifPart(child.get("class", ""), at, shapes))
    box = [float(number) for number in root.get("viewBox", "").split()]
    return Motif(np.array(box[2:]), tuple(parts))


def _shapes(
    element: ElementTree.Element,
    matrix: Any,
    look: Mapping[str, str],
    named: Mapping[str, ElementTree.Element],
) -> Iterator[InkShape]:
    tag = element.tag.rpartition("}")[2]
    look = {**look, **{key: element.attrib[key] for key in _LOOK if key in element.attrib}}
    matrix = matrix.transform(_matrix(element))
    if tag == "use":
        yield from _shapes(named[element.attrib["href"][1:]], matrix, look, named)
    elif tag == "g":
        for child in element:
            yield from _shapes(child, matrix, look, named)
    elif tag != "defs":
        builder, pen = PathBuilder(), RecordingPen()
        builder.add_path_from_element(element)
        parse_path(builder.paths[0], TransformPen(pen, matrix))
        is_line = look["fill"] == "none"
        width = float(look["stroke-width"]) if is_line else 0.0
        for points in flatten(pen.value):
            yield InkShape(points, look["stroke" if is_line else "fill"], width)


def _matrix(element: ElementTree.Element) -> Any:
    matrix = Identity
    for verb, text in re.findall(r"(translate|rotate)\(([^)]*)\)", element.get("transform", "")):
        numbers = [float(number) for number in text.split()]
        if verb == "translate":
            matrix = matrix.translate(*numbers)
        else:
            matrix = matrix.rotate(np.radians(numbers[0]))
    return matrix
