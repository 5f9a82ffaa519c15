"""``python -m api.openapi`` prints the API's description, byte for byte the same each time."""

from __future__ import annotations

import json
import sys

from api.main import create_app


def document() -> str:
    """The OpenAPI description as JSON, keys sorted."""
    description = create_app().openapi()
    return json.dumps(description, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(document())
