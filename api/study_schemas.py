"""What the API gives of studies."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from grbcore.studies import Kind, Published
from grbcore.study_results import Results


class StudyFile(BaseModel):
    """A file of a study, and where it is."""

    name: str
    url: str


class StudySummary(BaseModel):
    """A study in the list: ``of`` is the board of a study of robustness, the datasets of others."""

    name: str
    title: str
    kind: Kind
    of: list[str]
    published_at: datetime
    page: str
    files: list[StudyFile]


class StudyOut(StudySummary):
    """A study with its numbers."""

    results: Results


def summary(found: Published) -> StudySummary:
    """What a list says of a study."""
    about = found.about
    address = f"/studies/{about.name}"
    return StudySummary(
        name=about.name,
        title=about.title,
        kind=about.kind,
        of=about.of,
        published_at=about.published_at,
        page=address,
        files=[StudyFile(name=n, url=f"/api/v1{address}/files/{n}") for n in about.files],
    )
