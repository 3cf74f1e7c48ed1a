"""The keys of the tables that tests serve."""

from __future__ import annotations

from typing import Final

from service.web.grants import Role
from service.web.keys import TableKeys

KEYS: Final = TableKeys("control-key", ("key-0", "key-1", "key-2", "key-3"))

BY_ROLE: Final[dict[Role | None, str | None]] = {
    None: None,
    Role.VIEWER: KEYS.viewer,
    Role.SEAT: KEYS.seats[2],
    Role.SCORER: KEYS.scorer,
    Role.ADMIN: KEYS.control,
}


def with_key(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}
