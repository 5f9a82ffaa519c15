"""``python -m api`` serves the API and the page, on GRB_HOST and GRB_PORT."""

from __future__ import annotations

import argparse
import sys

from pydantic import ValidationError

from api.serving import serve
from grbcore.settings import faults

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m api", description=__doc__)
    parser.add_argument("--fd", type=int, help="a socket that listens already")
    try:
        serve(parser.parse_args().fd)
    except ValidationError as error:
        sys.exit("; ".join(faults(error)))
