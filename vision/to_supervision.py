"""Detections for the ``supervision`` package, and back. The package itself is not needed.

    import supervision as sv
    shown = sv.Detections(**supervision_fields(detector.read(image_bgr)))

A class is a face, ``back``, ``standing``, or ``unknown`` for a face that is not believed.
https://supervision.roboflow.com/latest/detection/core/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.detect import Detection
from vision.tiles.classes import CLASS_NAMES, FACE_INDEX, FACES, UNKNOWN_FACE, Side, face_class

OUTLINES, NAMES = "xyxyxyxy", "class_name"
_OWN: Final = ("probabilities", "score", "threshold", "trust")
"""What only a ``Detection`` has; with it nothing is lost on the way back."""


class OrientedDetections(Protocol):
    """The part of ``supervision.Detections`` that is read."""

    @property
    def confidence(self) -> NDArray[Any] | None: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


def class_name(detection: Detection) -> str:
    if detection.side is not Side.FACE:
        return detection.side.value
    return face_class(detection.tile) or UNKNOWN_FACE


def supervision_fields(detections: Sequence[Detection]) -> dict[str, Any]:
    """Return the arguments of ``supervision.Detections`` for these tiles; arrays of length n."""
    corners = np.array([detection.corners_px for detection in detections], np.float32).reshape(
        -1, 4, 2
    )
    names = [class_name(detection) for detection in detections]
    return {
        "xyxy": np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1),
        "confidence": np.array([detection.confidence for detection in detections], np.float32),
        "class_id": np.array([CLASS_NAMES.index(name) for name in names], np.int64),
        "data": {
            OUTLINES: corners,
            NAMES: np.array(names, "U8"),
            "probabilities": np.array(
                [detection.probabilities for detection in detections], np.float32
            ).reshape(-1, len(FACES)),
            "score": np.array([detection.score for detection in detections], np.float64),
            "threshold": np.array([detection.threshold for detection in detections], np.float64),
            "trust": np.array(
                [
                    np.nan if detection.trust is None else detection.trust
                    for detection in detections
                ],
                np.float64,
            ),
        },
    }


def from_supervision(detections: OrientedDetections, threshold: float = 0.5) -> list[Detection]:
    """Return the tiles of oriented detections whose class names are ours.

    Those of another program have no probabilities: the named face gets the whole confidence.
    ``threshold`` is then the least confidence at which a face is believed. Raises ``ValueError``
    without outlines, or for another class.
    """
    data = detections.data
    if OUTLINES not in data or NAMES not in data:
        raise ValueError(f"expected oriented boxes: data[{OUTLINES!r}] and data[{NAMES!r}]")
    corners = np.asarray(data[OUTLINES], np.float32).reshape(-1, 4, 2)
    if all(name in data for name in _OWN):
        return [
            Detection(_side(str(name)), outline, float(s), p, float(t), _known(trust))
            for name, outline, p, s, t, trust in zip(
                data[NAMES], corners, *(data[own] for own in _OWN), strict=True
            )
        ]
    sure = detections.confidence
    scores = np.ones(len(corners)) if sure is None else sure
    return [
        _foreign(str(name), outline, float(score), threshold)
        for name, outline, score in zip(data[NAMES], corners, scores, strict=True)
    ]


def _foreign(name: str, corners_px: NDArray[np.float32], score: float, least: float) -> Detection:
    probabilities = np.zeros(len(FACES), np.float32)
    if name in FACE_INDEX:
        probabilities[FACE_INDEX[name]] = score
    return Detection(_side(name), corners_px, score, probabilities, least)


def _side(name: str) -> Side:
    if name not in CLASS_NAMES:
        raise ValueError(f"{name!r} is no class of tiles; expected one of {', '.join(CLASS_NAMES)}")
    return Side(name) if name in (Side.BACK, Side.STANDING) else Side.FACE


def _known(trust: float) -> float | None:
    return None if np.isnan(trust) else float(trust)
