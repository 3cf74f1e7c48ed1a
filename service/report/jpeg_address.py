"""Pictures inside a page that stands alone."""

from __future__ import annotations

from base64 import b64encode


def jpeg_address(picture: bytes | None) -> str | None:
    """A ``data:`` address of a JPEG file; None without one."""
    return f"data:image/jpeg;base64,{b64encode(picture).decode()}" if picture else None
