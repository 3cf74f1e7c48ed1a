"""Birds composed at random for the one of bamboos: posture, tail, wings, crest, colours."""

from __future__ import annotations

import numpy as np

from studio.faces.canvas import Canvas, Colour, Points
from studio.faces.pen import Pen
from studio.faces.style import Style

Line = list[tuple[float, float]]


def draw_composed_bird(canvas: Canvas, style: Style, seed: int) -> None:
    """A bird that no other seed draws; it fills the face as birds on tiles do."""
    rng = np.random.default_rng(seed)
    pen = Pen(canvas, style)
    palette = style.palette
    paints = [palette.red, palette.green, palette.blue]
    order = rng.permutation(3)
    main, other, third = (paints[int(k)] for k in order)
    tilt = float(rng.uniform(0.2, 1.35))  # 0: lies along the ground, pi / 2: stands upright
    body = np.array([0.05, 0.12]) + rng.uniform(-0.06, 0.06, 2)
    ahead = np.array([-np.cos(tilt), -np.sin(tilt)])  # from the tail to the breast
    across = np.array([-ahead[1], ahead[0]])
    long, wide = rng.uniform(0.3, 0.46), rng.uniform(0.2, 0.34)
    _tail(pen, rng, body - ahead * long * 0.8, -ahead, (other, third, main))
    if rng.random() < 0.6:
        _legs(pen, rng, body, third)
    turn = np.linspace(0, 2 * np.pi, 9)[:-1]
    egg = [
        body + ahead * long * np.cos(t) + across * wide * np.sin(t) * (1 + 0.25 * np.cos(t))
        for t in turn
    ]
    pen.fill([_spot(at) for at in egg], main)
    _wings(pen, rng, body, (ahead, across), (third, other))
    neck = body + ahead * long * 0.8
    bow = float(rng.normal(0, 0.16))
    head = neck + ahead * rng.uniform(0.12, 0.42) + np.array([-0.08, -rng.uniform(0.05, 0.25)])
    head = np.clip(head, [-0.75, -0.85], [0.7, 0.6])
    between = (neck + head) / 2 + across * bow
    pen.stroke([_spot(neck), _spot(between), _spot(head)], main, rng.uniform(2.0, 4.5))
    radius = rng.uniform(0.1, 0.18)
    pen.fill([_spot(head + radius * np.array([np.cos(t), 0.9 * np.sin(t)])) for t in turn], other)
    beak = head + np.array([-radius, 0.02])
    hook = rng.uniform(0.0, 0.12)
    far = beak + np.array([-rng.uniform(0.1, 0.26), hook])
    pen.fill(
        [_spot(beak + np.array([0.02, -0.07])), _spot(far), _spot(beak + np.array([0.03, 0.07]))],
        third,
    )
    for k in range(int(rng.integers(0, 5))):
        root = head + np.array([0.0, -radius * 0.8])
        end = root + np.array([0.16 * k - 0.14, -rng.uniform(0.08, 0.2)])
        pen.stroke([_spot(root), _spot(end)], third, 0.8)
        if rng.random() < 0.4:
            pen.spot(*_spot(end), third, 1.6)
    pen.eye(*_spot(head + np.array([-0.03, -0.02])), third, rng.uniform(1.6, 2.8))
    if rng.random() < 0.35:
        _perch(pen, rng, other)


def _spot(at: Points) -> tuple[float, float]:
    return float(at[0]), float(at[1])


def _tail(
    pen: Pen,
    rng: np.random.Generator,
    root: Points,
    way: Points,
    paints: tuple[Colour, Colour, Colour],
) -> None:
    """Feathers in a fan, or long ones that hang."""
    count, fan = int(rng.integers(2, 10)), float(rng.uniform(0.2, 1.9))
    long, width = float(rng.uniform(0.45, 0.95)), float(rng.uniform(0.08, 0.2))
    droop, eyes = float(rng.uniform(0, 0.35)), rng.random() < 0.35
    for k in range(count):
        turn = fan * ((k + 0.5) / count - 0.5)
        c, s = np.cos(turn), np.sin(turn)
        out = np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])
        end = np.clip(root + out * long + (0, droop), [-0.95, -0.98], [0.95, 0.98])
        middle = root + 0.55 * (end - root) - (0, droop * 0.4)
        pen.feather([_spot(root), _spot(middle), _spot(end)], width, paints[k % 2], 0.5)
        if eyes:
            pen.spot(*_spot(root + 0.8 * (end - root)), None, 2.4)
            pen.spot(*_spot(root + 0.8 * (end - root)), paints[2], 1.5)


def _wings(
    pen: Pen,
    rng: np.random.Generator,
    body: Points,
    frame: tuple[Points, Points],
    paints: tuple[Colour, Colour],
) -> None:
    """Folded feathers cut out of the body, or one or two open wings."""
    ahead, across = frame
    count = int(rng.integers(2, 6))
    if rng.random() < 0.5:
        for k in range(count):
            root = body + ahead * (0.12 - 0.05 * k) + across * (0.05 * k - 0.08)
            end = root - ahead * 0.34
            paint = None if rng.random() < 0.6 else paints[0]
            pen.feather([_spot(root), _spot((root + end) / 2 + (0, 0.04)), _spot(end)], 0.09, paint)
        return
    for side in (-1, 1)[: int(rng.integers(1, 3))]:
        reach = rng.uniform(0.4, 0.75)
        for k in range(count):
            out = across * side * (1 - 0.12 * k) - ahead * (0.2 + 0.22 * k)
            end = np.clip(body + out * reach, [-0.95, -0.95], [0.95, 0.95])
            middle = body + 0.5 * (end - body) + ahead * 0.12
            pen.feather([_spot(body), _spot(middle), _spot(end)], 0.13, paints[k % 2])


def _legs(pen: Pen, rng: np.random.Generator, body: Points, paint: Colour) -> None:
    long = rng.uniform(0.35, 0.7)
    for side in (-0.08, 0.1):
        foot = (float(body[0] + side), float(min(0.95, body[1] + 0.2 + long)))
        pen.stroke([(float(body[0] + side * 0.5), float(body[1] + 0.2)), foot], paint, 0.9)
        pen.stroke([(foot[0] - 0.14, foot[1] + 0.02), foot, (foot[0] + 0.08, foot[1])], paint, 0.8)


def _perch(pen: Pen, rng: np.random.Generator, paint: Colour) -> None:
    y = float(rng.uniform(0.6, 0.92))
    pen.stroke([(-0.8, y), (-0.2, y - 0.05), (0.3, y + 0.03), (0.8, y - 0.08)], paint, 1.3)
    for _ in range(int(rng.integers(0, 4))):
        x = float(rng.uniform(-0.7, 0.7))
        pen.feather([(x, y), (x + 0.1, y - 0.12), (x + 0.22, y - 0.16)], 0.08, paint)
