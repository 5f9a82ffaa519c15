"""Where else users may sign in: an OpenID Connect issuer, and GitHub, both through Authlib.

Only the operator names them, so no request makes the service call an address of its own choice.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Protocol

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth
from joserfc.errors import JoseError

from grbcore.settings import Settings
from grbcore.store.accounts.identities import Person

log = logging.getLogger(__name__)

#: Each request to a provider may take so many seconds.
SECONDS = 10.0

#: How an id token may be signed: never without a key, never by a secret that is shared.
_SIGNED = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")

_FAULTS = (
    AuthlibBaseError,
    JoseError,
    httpx2.HTTPError,
    ValueError,
    KeyError,
    TypeError,
    RuntimeError,
)


class ProviderFailed(Exception):
    """A provider did not answer, or its answer does not hold."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Where to send a browser, and what is kept until it comes back."""

    url: str
    data: dict[str, Any]


class Provider(Protocol):
    """Somebody who knows who sits in front of a browser."""

    id: str
    name: str
    issuer: str

    async def begin(self, redirect_uri: str) -> Begun: ...

    async def finish(self, data: dict[str, Any], code: str) -> Person: ...


class Oidc:
    """An OpenID Connect issuer: code flow with PKCE, state and nonce."""

    id = "oidc"

    def __init__(self, settings: Settings) -> None:
        self.name = settings.oidc_name
        self.issuer = settings.oidc_issuer
        self._client: Any = OAuth().register(
            name=self.id,
            client_id=settings.oidc_client_id,
            client_secret=settings.oidc_client_secret.get_secret_value(),
            server_metadata_url=f"{self.issuer.rstrip('/')}/.well-known/openid-configuration",
            client_kwargs=_options("openid profile email"),
        )

    async def begin(self, redirect_uri: str) -> Begun:
        """Where to sign in.

        Raises:
            ProviderFailed: the issuer does not answer, or is another than it should be.
        """
        try:
            await self._metadata()
            found = await self._client.create_authorization_url(redirect_uri)
        except _FAULTS as error:
            raise _failed(self, error) from None
        return _begun(found, redirect_uri, "nonce")

    async def finish(self, data: dict[str, Any], code: str) -> Person:
        """Who came back with this code.

        Raises:
            ProviderFailed: the issuer does not answer, or its token does not hold.
        """
        try:
            await self._metadata()
            token = await _token(self._client, data, code)
            accepted = {
                "iss": {"essential": True, "value": self.issuer},
                "sub": {"essential": True},
            }
            claims = await self._client.parse_id_token(
                token, nonce=data["nonce"], claims_options=accepted
            )
            if claims is None:
                raise ValueError("no id token")
            if "email" not in claims:
                more = await self._client.userinfo(token=token)
                if more.get("sub") == claims["sub"]:
                    claims = {**more, **claims}
        except _FAULTS as error:
            raise _failed(self, error) from None
        email = str(claims.get("email") or "")
        name = str(claims.get("preferred_username") or email.partition("@")[0])
        return Person(
            issuer=self.issuer,
            subject=str(claims["sub"]),
            label=email or name or str(claims["sub"]),
            name=name,
            # the word "true" would not do
            email=email if email and claims.get("email_verified") is True else None,
        )

    async def _metadata(self) -> None:
        """What the issuer says of itself, with the signatures that we take."""
        found = await self._client.load_server_metadata()
        if found.get("issuer") != self.issuer:
            raise ValueError(f"the issuer calls itself {found.get('issuer')!r}")
        offered = found.get("id_token_signing_alg_values_supported") or ["RS256"]
        taken = [one for one in offered if one in _SIGNED]
        if not taken:
            raise ValueError(f"the issuer signs by {offered}")
        found["id_token_signing_alg_values_supported"] = taken


class GitHub:
    """GitHub, or a GitHub Enterprise of the operator's: OAuth 2 with PKCE, no OpenID Connect."""

    id, name = "github", "GitHub"

    def __init__(self, settings: Settings) -> None:
        self.issuer = settings.github_url
        is_public = self.issuer == "https://github.com"
        self._client: Any = OAuth().register(
            name=self.id,
            client_id=settings.github_client_id,
            client_secret=settings.github_client_secret.get_secret_value(),
            authorize_url=f"{self.issuer}/login/oauth/authorize",
            access_token_url=f"{self.issuer}/login/oauth/access_token",
            api_base_url="https://api.github.com/" if is_public else f"{self.issuer}/api/v3/",
            client_kwargs=_options("read:user user:email"),
        )

    async def begin(self, redirect_uri: str) -> Begun:
        """Where to sign in."""
        found = await self._client.create_authorization_url(redirect_uri)
        return _begun(found, redirect_uri)

    async def finish(self, data: dict[str, Any], code: str) -> Person:
        """Who came back with this code.

        Raises:
            ProviderFailed: GitHub does not answer, or not as it should.
        """
        try:
            token = await _token(self._client, data, code)
            user = _json(await self._client.get("user", token=token))
            emails = _json(await self._client.get("user/emails", token=token))
            subject, login = str(int(user["id"])), str(user["login"])
            chosen = [
                str(one["email"])
                for one in emails
                if one.get("primary") is True and one.get("verified") is True
            ]
        except _FAULTS as error:
            raise _failed(self, error) from None
        email = chosen[0] if chosen else None
        return Person(issuer=self.issuer, subject=subject, label=login, name=login, email=email)


def providers(settings: Settings) -> dict[str, Provider]:
    """The providers that the operator has set up, by their ids."""
    found: list[Provider] = []
    if settings.oidc_issuer:
        found.append(Oidc(settings))
    if settings.github_client_id:
        found.append(GitHub(settings))
    return {one.id: one for one in found}


def _options(scope: str) -> dict[str, Any]:
    return {"scope": scope, "code_challenge_method": "S256", "timeout": SECONDS}


def _begun(found: dict[str, Any], redirect_uri: str, *more: str) -> Begun:
    kept = {name: found[name] for name in ("state", "code_verifier", *more)}
    return Begun(str(found["url"]), {**kept, "redirect_uri": redirect_uri})


async def _token(client: Any, data: dict[str, Any], code: str) -> Any:
    return await client.fetch_access_token(
        redirect_uri=data["redirect_uri"], code=code, code_verifier=data["code_verifier"]
    )


def _json(answer: Any) -> Any:
    answer.raise_for_status()
    return answer.json()


def _failed(provider: Provider, error: Exception) -> ProviderFailed:
    """Log what was wrong by its kind: a message may quote a token."""
    log.warning("sign-in at %s failed: %s", provider.id, type(error).__name__)
    log.debug("sign-in at %s", provider.id, exc_info=error)
    return ProviderFailed(f"{provider.name} did not say who you are")
