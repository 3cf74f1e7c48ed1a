"""Tile faces: drawn sets, thousands of them from seeds, or the pictures of a folder."""

from studio.faces.draw import FaceSet, draw_faces, style_family
from studio.faces.folder import BadFaces, load_faces
from studio.faces.style import FAMILIES, HELD_OUT

__all__ = [
    "FAMILIES",
    "HELD_OUT",
    "BadFaces",
    "FaceSet",
    "draw_faces",
    "load_faces",
    "style_family",
]
