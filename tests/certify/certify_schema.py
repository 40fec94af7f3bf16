"""The part of JSON Schema that docs/certificate.schema.json uses; raises where a document fails."""

from __future__ import annotations

import re

KEYWORDS = {
    "$schema", "title", "description", "$defs", "type", "properties", "required", "items",
    "additionalProperties", "enum", "const", "oneOf", "$ref", "pattern", "minItems", "maxItems",
    "minimum", "maximum", "prefixItems",
}  # fmt: skip

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
}


class Invalid(Exception):
    pass


def validate(value, schema, root=None, path="$"):
    root = schema if root is None else root
    assert set(schema) <= KEYWORDS, set(schema) - KEYWORDS
    if "$ref" in schema:
        validate(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, path)
        return
    if "oneOf" in schema:
        matches = 0
        for option in schema["oneOf"]:
            try:
                validate(value, option, root, path)
                matches += 1
            except Invalid:
                continue
        if matches != 1:
            raise Invalid(f"{path}: {matches} of the options fit")
    kind = schema.get("type")
    if kind is not None and (
        not isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, bool))
    ):
        raise Invalid(f"{path}: not of type {kind}")
    if "const" in schema and value != schema["const"]:
        raise Invalid(f"{path}: not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        raise Invalid(f"{path}: not one of {schema['enum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        raise Invalid(f"{path}: {value!r} does not match")
    if ("minimum" in schema and value < schema["minimum"]) or (
        "maximum" in schema and value > schema["maximum"]
    ):
        raise Invalid(f"{path}: out of range")
    if isinstance(value, list):
        _validate_list(value, schema, root, path)
    if isinstance(value, dict):
        _validate_object(value, schema, root, path)


def _validate_list(value, schema, root, path):
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        raise Invalid(f"{path}: {len(value)} items")
    for position, item in enumerate(value):
        fixed = schema.get("prefixItems", [])
        part = fixed[position] if position < len(fixed) else schema.get("items", {})
        validate(item, part, root, f"{path}[{position}]")


def _validate_object(value, schema, root, path):
    known = schema.get("properties", {})
    missing = set(schema.get("required", ())) - set(value)
    if missing:
        raise Invalid(f"{path}: {missing} missing")
    for key, item in value.items():
        other = schema.get("additionalProperties", {})
        part = known.get(key, other)
        if part is False:
            raise Invalid(f"{path}: {key} is not known")
        validate(item, part, root, f"{path}.{key}")
