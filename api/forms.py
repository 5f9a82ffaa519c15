"""The form of an upload: its description, its fields, and how many bytes its file may have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from api.deps import find_board
from api.errors import field, invalid_fields
from grbcore import catalog
from grbcore.catalog import Board
from grbcore.scenario import SIDES, Side
from grbcore.store.intake import SubmissionFields

_FILE = {"type": "string", "format": "binary", "description": ".npz or .safetensors"}


def description() -> dict[str, Any]:
    """The form of an upload, for the API's description; `receive_form` reads it by hand."""
    form = _schema({"file": _FILE})
    form["required"].append("file")
    return {"required": True, "content": {"multipart/form-data": {"schema": form}}}


def fields_description() -> dict[str, Any]:
    """The same fields as JSON, for a file that follows in parts."""
    schema = _schema({"sha256": {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"}})
    return {"required": False, "content": {"application/json": {"schema": schema}}}


def _schema(more: dict[str, Any]) -> dict[str, Any]:
    fields = SubmissionFields.model_json_schema()
    own = {
        "board": {"type": "string", "examples": ["digits/injection@1"]},
        "side": {"type": "string", "enum": list(SIDES)},
    }
    return {
        "type": "object",
        "properties": {**own, **fields["properties"], **more},
        "required": [*own, *fields["required"]],
    }


def greatest() -> int:
    """The bytes of the largest file that any board takes."""
    limits = [board.limits for board in catalog.boards().values()]
    return max(max(limit.attack_bytes, limit.defense_bytes) for limit in limits)


def cap(fields: Mapping[str, str]) -> int:
    """The bytes that the named board takes on the named side; the greatest of all until known."""
    name, side = fields.get("board", "").strip(), fields.get("side", "").strip()
    try:
        limits = catalog.board(name).limits
    except KeyError:
        return greatest()
    if side not in SIDES:
        return max(limits.attack_bytes, limits.defense_bytes)
    return limits.attack_bytes if side == "attack" else limits.defense_bytes


def read(form: Mapping[str, str]) -> tuple[Board, Side, SubmissionFields]:
    """The board, the side and what the submitter says.

    Raises:
        ApiError: 422 with every field that is missing or out of bounds; 404 for the board.
    """
    texts = dict(form)
    missing = [
        {"loc": ("body", name), "type": "missing", "msg": ""}
        for name in ("board", "side")
        if not texts.get(name, "").strip()
    ]
    name, side = texts.pop("board", "").strip(), texts.pop("side", "").strip()
    try:
        fields = SubmissionFields.model_validate(texts)
    except ValidationError as error:
        found = [{**e, "loc": ("body", *e["loc"])} for e in error.errors()]
        raise invalid_fields([*missing, *found]) from None
    if missing:
        raise invalid_fields(missing)
    if side not in SIDES:
        raise field("body/side", repr(side[:40]), " or ".join(SIDES))
    board = find_board(name)
    if side == "attack":
        _check_family(fields.family, catalog.methods_of(board.scenario))
    return board, side, fields


def _check_family(family: str | None, methods: Sequence[str]) -> None:
    if family not in methods and not re.fullmatch(r"other:\S.*", family or ""):
        shown = "nothing" if family is None else repr(family)
        allowed = ", ".join((*methods, "or other:<name>"))
        raise field("body/family", shown, allowed)
