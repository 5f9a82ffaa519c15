"""Serves the built page's files; its index, as not found, for every address without a page."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

BUILT = Path(__file__).resolve().parent.parent / "frontend" / "dist"

NOT_BUILT = """The page is not built yet.

  make page            builds it (make up does this by itself)
  /openapi.json        describes the API
  /api/v1/boards       lists the boards
"""


class Page:
    """The application behind every path that no route answers."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or BUILT).resolve()

    def index(self) -> str | None:
        """The built index; None before the page is built."""
        try:
            return (self.folder / "index.html").read_text("utf-8")
        except FileNotFoundError:
            return None

    @staticmethod
    def not_built() -> Response:
        """What to do about a page that is not built."""
        return PlainTextResponse(NOT_BUILT, 503)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise HTTPException(404)
        request = Request(scope)
        path = request.url.path
        if path == "/api" or path.startswith("/api/"):
            raise HTTPException(404, "no such route; /docs lists them")
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, "only GET here", headers={"Allow": "GET, HEAD"})
        await self._answer(path)(scope, receive, send)

    def _answer(self, path: str) -> Response:
        index = self.folder / "index.html"
        if not index.is_file():
            return self.not_built()
        file = self._file(path)
        if file is not None:
            # the build puts a hash of the content into the names of its assets
            unchanging = path.startswith("/assets/")
            age = "public, max-age=31536000, immutable" if unchanging else "no-cache"
            return FileResponse(file, headers={"Cache-Control": age})
        if path.startswith("/assets/"):
            return PlainTextResponse("no such file\n", 404)
        return FileResponse(index, 404, {"Cache-Control": "no-cache"})

    def _file(self, path: str) -> Path | None:
        """The file of the page at this path, if there is one and it lies inside the folder."""
        if "\0" in path:
            return None
        try:
            file = (self.folder / path.lstrip("/")).resolve()
            inside = file.is_relative_to(self.folder) and file.is_file()
        except OSError:  # such as a name that is too long
            return None
        return file if inside else None
