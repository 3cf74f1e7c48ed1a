"""What scripts of pages are checked with, as TypeScript: answers, messages, elements of pages.

``python -m tests.support.wire_types`` writes ``service/static/wire.d.ts``.
"""

from __future__ import annotations

import json
import re
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
from service.report.saved_views import SavedReport
from service.seat import private_pages
from service.table.view import TableMessage
from service.web.page_files import html_of
from tests.support.paths import STATIC, static_files

FILE: Final = STATIC / "wire.d.ts"
MESSAGES: Final[Mapping[str, Any]] = {
    "TableMessage": TableMessage,
    "RowsMessage": RowsMessage,
    "WatchMessage": WatchMessage,
    "SavedReport": SavedReport,
}
RULES: Final = frozenset(rules.id for rules in BUILT_IN)
"""Scripts know no rule set by its id; and others may be added."""
_PLAIN: Final = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}
Schema = Mapping[str, Any]


TAGS: Final[Mapping[str, str]] = {
    "a": "Anchor",
    "button": "Button",
    "canvas": "Canvas",
    "dialog": "Dialog",
    "div": "Div",
    "form": "Form",
    "h1": "Heading",
    "h2": "Heading",
    "img": "Image",
    "input": "Input",
    "iframe": "IFrame",
    "ol": "OList",
    "p": "Paragraph",
    "progress": "Progress",
    "select": "Select",
    "span": "Span",
    "table": "Table",
    "ul": "UList",
    "video": "Video",
    "details": "Details",
    "datalist": "DataList",
}
"""How browsers call the elements of a tag that has more than others."""
_WITH_ID: Final = re.compile(r'<(\w+)\b[^>]*?\bid="([^"]+)"')


def declarations() -> str:
    """The whole file: what FastAPI describes, the messages of sockets, and elements by their id."""
    app = FastAPI()
    for router in (table_app.api, table_app.health_page, hall_api.api, hall_api.posts):
        app.include_router(router, responses=REFUSALS)
    for router in (archive_pages.api, set_up_pages.api, private_pages.entrance):
        app.include_router(router, responses=REFUSALS)
    described = app.openapi()
    schemas: dict[str, Schema] = dict(described["components"]["schemas"])
    template = "#/components/schemas/{model}"
    for name, kind in MESSAGES.items():
        schema = TypeAdapter(kind).json_schema(mode="serialization", ref_template=template)
        schemas |= schema.pop("$defs", {})
        schemas[name] = schema
    parts = [line for name in sorted(schemas) for line in _declared(name, schemas[name])]
    parts += [*_routes(described["paths"]), *_elements()]
    return "// Written by tests/support/wire_types.py.\n\n" + "\n".join(parts) + "\n"


def _routes(paths: Mapping[str, Schema]) -> Iterator[str]:
    yield "/** Method, address, answer and body of each request that scripts make with JSON. */"
    yield "export type Routes ="
    for path, methods in paths.items():
        whole = path if path.startswith("/api/") or path == "/health" else f"/api{path}"
        address = re.sub(r"\{\w+\}", "${string}", whole)
        for method, what in methods.items():
            answer = _json_of(what["responses"].get("200", {}))
            if answer is None:
                continue
            body = _json_of(what.get("requestBody", {})) or {"type": "null"}
            row = (json.dumps(method.upper()), f"`{address}`", _type(answer), _type(body))
            yield f"  | [{', '.join(row)}]"
    yield "  ;\n"


def _json_of(what: Schema) -> Schema | None:
    found: Schema | None = what.get("content", {}).get("application/json", {}).get("schema")
    return found


def _elements() -> Iterator[str]:
    yield "/** Elements of pages by their id; two pages may give one id to different elements. */"
    yield "export interface Elements {"
    tags: dict[str, dict[str, None]] = {}
    for page in static_files(".html"):
        for tag, name in _WITH_ID.findall(html_of(page, "en")):
            kind = "SVGElement" if tag == "svg" else f"HTML{TAGS.get(tag, '')}Element"
            tags.setdefault(name, {})[kind] = None
    for name in sorted(tags):
        kinds = [kind for kind in tags[name] if kind != "HTMLElement"]
        yield f"  {json.dumps(name)}: {' & '.join(kinds) or 'HTMLElement'};"
    yield "}\n"


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
