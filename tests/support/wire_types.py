"""The types of answers and messages as TypeScript, for editors of the pages' scripts.

``python -m tests.support.wire_types`` writes ``service/static/wire.d.ts``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fastapi import FastAPI
from pydantic import TypeAdapter

from engine.rules import BUILT_IN
from service import app as table_app
from service.archive import archive_pages
from service.evening import pages as set_up_pages
from service.hall import app as hall_api
from service.hall.wire import RowsMessage, WatchMessage
from service.pages.requests import REFUSALS
from service.table.view import TableMessage
from tests.support.paths import ROOT

FILE: Final = ROOT / "service" / "static" / "wire.d.ts"
MESSAGES: Final[Mapping[str, Any]] = {
    "TableMessage": TableMessage,
    "RowsMessage": RowsMessage,
    "WatchMessage": WatchMessage,
}
RULES: Final = frozenset(rules.id for rules in BUILT_IN)
"""Scripts know no rule set by its id; and others may be added."""
_PLAIN: Final = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}
Schema = Mapping[str, Any]


def declarations() -> str:
    """The whole file: what FastAPI describes, and the messages of sockets."""
    app = FastAPI()
    for router in (table_app.api, table_app.health_page, hall_api.api, hall_api.posts):
        app.include_router(router, responses=REFUSALS)
    for router in (archive_pages.api, set_up_pages.api):
        app.include_router(router, responses=REFUSALS)
    schemas: dict[str, Schema] = dict(app.openapi()["components"]["schemas"])
    template = "#/components/schemas/{model}"
    for name, kind in MESSAGES.items():
        schema = TypeAdapter(kind).json_schema(mode="serialization", ref_template=template)
        schemas |= schema.pop("$defs", {})
        schemas[name] = schema
    parts = [line for name in sorted(schemas) for line in _declared(name, schemas[name])]
    return "// Written by tests/support/wire_types.py.\n\n" + "\n".join(parts) + "\n"


def _declared(name: str, schema: Schema) -> Iterator[str]:
    if "description" in schema:
        yield f"/** {' '.join(schema['description'].split())} */"
    if "properties" not in schema:
        yield f"export type {name} = {_type(schema)};\n"
        return
    yield f"export interface {name} {{"
    for field, kind in schema["properties"].items():
        mark = "" if field in schema.get("required", ()) else "?"
        yield f"  {json.dumps(field) if not field.isidentifier() else field}{mark}: {_type(kind)};"
    if schema.get("additionalProperties") is True:
        yield "  [more: string]: unknown;"
    yield "}\n"


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": str(ref)}:
            return ref.rpartition("/")[2]
        case {"anyOf": several} | {"oneOf": several}:
            return " | ".join(dict.fromkeys(map(_type, several)))
        case {"enum": values} if RULES.issuperset(values):
            return "string"
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"const": value}:
            return json.dumps(value)
        case {"type": "null"}:
            return "null"
        case {"type": "array", "prefixItems": items}:
            return f"[{', '.join(map(_type, items))}]"
        case {"type": "array"}:
            return f"Array<{_type(schema.get('items', {}))}>"
        case {"type": "object", "additionalProperties": dict(kind)}:
            return f"Record<string, {_type(kind)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": str(kind)}:
            return _PLAIN[kind]
    return "unknown"


if __name__ == "__main__":
    FILE.write_text(declarations(), "utf-8")
