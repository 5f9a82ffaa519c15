"""Studies, as JSON, as files, and as pages that need no JavaScript."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi.responses import FileResponse, HTMLResponse

from api import study_schemas as schemas
from api.deps import Service, ServiceDep
from api.downloads import disposition
from api.errors import ApiError, responses
from api.routes.pages import METHODS
from api.templating import render
from grbcore import studies
from grbcore.studies import Published

router = APIRouter(tags=["studies"])
pages = APIRouter(include_in_schema=False)

StudyPath = Annotated[str, Path(max_length=60, description="As in the list")]
FilePath = Annotated[str, Path(max_length=40, description="As the study lists them")]

_MEDIA = {
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".tex": "application/x-tex; charset=utf-8",
    ".svg": "image/svg+xml",
}

#: What a list says that a study is about.
_KINDS = {
    "splits": "models over splits",
    "robustness": "scores of a board over splits",
    "expressive": "models of whole graphs, white box",
}

#: A plot is one file, with its styles in it, that loads and runs nothing.
_PICTURE = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}


@router.get("/studies", responses=responses(503))
def list_studies(service: ServiceDep) -> list[schemas.StudySummary]:
    """The studies that this service shows, the newest first."""
    found = studies.published(service.settings.studies_dir)
    return [schemas.summary(one) for one in found if one.is_sound()]


@router.get("/studies/{study}", responses=responses(404, 422, 503))
def get_study(service: ServiceDep, study: StudyPath) -> schemas.StudyOut:
    """A study with all of its numbers; accuracies and scores are 0..1."""
    found = _find(service, study)
    results = found.results()
    if results is None:
        raise _missing(study)
    return schemas.StudyOut(**schemas.summary(found).model_dump(), results=results)


@router.get(
    "/studies/{study}/files/{file}",
    response_class=Response,
    responses={
        200: {
            "description": "The file",
            "content": {
                media: {"schema": {} if media == "application/json" else {"type": "string"}}
                for media in _MEDIA.values()
            },
        },
        **responses(404, 422, 503),
    },
)
def get_study_file(service: ServiceDep, study: StudyPath, file: FilePath) -> FileResponse:
    """A file of a study: its runs as CSV, its table for LaTeX, its plots, everything as JSON."""
    found = _find(service, study)
    path = found.file(file)
    if path is None:
        listed = ", ".join(found.about.files)
        raise ApiError(404, "not-found", f"file: found {file}, allowed: {listed}")
    headers = dict(_PICTURE if path.suffix == ".svg" else {})
    if path.suffix in (".csv", ".tex"):
        headers["Content-Disposition"] = disposition(study, f"-{file}")
    return FileResponse(path, media_type=_MEDIA[path.suffix], headers=headers)


def of_board(service: Service, board: str) -> list[schemas.StudySummary]:
    """The studies of one board over other splits, or of its dataset white box, the newest first."""
    of = {"robustness": [board], "expressive": [board.split("/")[0]]}
    return [one for one in list_studies(service) if one.of == of.get(one.kind)]


def _find(service: Service, name: str) -> Published:
    found = studies.find(service.settings.studies_dir, name)
    if found is None:
        raise _missing(name)
    return found


def _missing(name: str) -> ApiError:
    return ApiError(404, "not-found", f"study: found {name}, allowed: those of /api/v1/studies")


@pages.api_route("/studies", methods=METHODS)
def list_page(service: ServiceDep) -> HTMLResponse:
    """The studies that this service shows."""
    listed = list_studies(service)
    return HTMLResponse(render("studies.html", studies=listed, kinds=_KINDS))


@pages.api_route("/studies/{study}", methods=METHODS)
def page(service: ServiceDep, study: str) -> HTMLResponse:
    """A study: its tables, its plots, its files."""
    found = studies.find(service.settings.studies_dir, study)
    results = None if found is None else found.results()
    if found is None or results is None:
        return HTMLResponse(render("study-missing.html"), 404)
    about, plots = schemas.summary(found), found.plots()
    return HTMLResponse(render(f"{results.kind}.html", about=about, results=results, plots=plots))
