"""Whether the service is up, and who is asking."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Response

from api import schemas
from api.deps import CredentialDep, ServiceDep, UserDep
from api.errors import responses
from grbcore import __version__
from grbcore.store import tokens

router = APIRouter(tags=["service"])


@router.get("/health")
async def get_health() -> schemas.Health:
    """Whether this process answers, whatever its threads wait for."""
    return schemas.Health(status="ok", version=__version__)


@router.get(
    "/ready",
    responses={503: {"model": schemas.Health, "description": "`missing` names what is not there"}},
)
def get_ready(service: ServiceDep, response: Response) -> schemas.Health:
    """Whether every part that an upload needs is there."""
    missing = service.readiness.missing()
    if missing:
        response.status_code = 503
    status: schemas.HealthStatus = "unavailable" if missing else "ok"
    return schemas.Health(status=status, version=__version__, missing=missing)


@router.get("/whoami", responses=responses(401, 403, 503))
def get_whoami(user: UserDep, credential: CredentialDep) -> schemas.WhoAmI:
    """Whose token this is, and what it may do."""
    scopes = sorted(credential.scopes, key=tokens.SCOPES.index) if credential else []
    return schemas.WhoAmI(
        name=user.name,
        role=cast(schemas.Role, user.role),
        scopes=cast(list[schemas.TokenScope], scopes),
    )
