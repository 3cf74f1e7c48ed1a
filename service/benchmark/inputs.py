"""Checks the files of a benchmark before anything is measured."""

from __future__ import annotations

from pathlib import Path


def refuse_unreadable(video: Path | None, picture: Path | None, table: Path | None) -> None:
    """Raise ``SourceError`` for a file that cannot be read."""
    # Imported only when needed: the engine is measured without OpenCV.
    if video is not None:
        from vision.camera.video_file import VideoFile

        VideoFile(video)
    if picture is not None:
        from vision.camera.pictures import read_picture

        read_picture(picture)
    if table is not None:
        from vision.table.view import TableView

        TableView.load(table)
