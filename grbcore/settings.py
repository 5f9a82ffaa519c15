"""What an operator sets: one settings class, read from ``GRB_…`` environment variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    ByteSize,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from grbcore import catalog
from grbcore.needs import NEEDS, Need, chosen_needs, needs, queue_of

#: The task that wakes a worker; its argument, the id of a submission, is for the log only.
WAKE = "grb.wake"

#: What GRB_SANDBOX must be for children without a sandbox.
SANDBOX_OFF: Final = "off-i-trust-every-upload"

_SCHEMES = {
    "database_url": ("sqlite", "postgresql"),
    "broker_url": ("filesystem", "redis", "rediss", "memory"),
    "blob_url": ("file", "s3"),
    "smtp_url": ("smtp", "smtps"),
}

_ALLOWED = {
    "port": "a whole number from 0 to 65535",
    "threads": "a whole number of 1 or more",
    "min_free_bytes": "a whole number of bytes, 0 or more",
    "upload_seconds": "a number of seconds above 0",
    "upload_hours": "a number of hours above 0",
    "open_uploads": "a whole number of 1 or more",
    "open_upload_bytes": "a size such as 1GiB",
    "reap_seconds": "a number of seconds above 0",
    "stale_seconds": "a number of seconds, 0 or more",
    "event_streams": "a whole number, 0 or more",
    "quota_per_day": "a whole number of uploads, or 0 for no limit",
    "quota_invalid_per_day": "a whole number of files, or 0 for no limit",
    "quota_bytes": "a size such as 5GiB, or 0 for no limit",
    "rate_reads": "requests in a time such as 3000/minute, or 0 for no limit",
    "rate_writes": "requests in a time such as 300/minute, or 0 for no limit",
    "rate_uploads": "uploads in a time such as 60/minute, or 0 for no limit",
    "rate_sign_ins": "requests in a time such as 20/minute, or 0 for no limit",
    "uploads_at_once": "a whole number of 1 or more",
    "uploads_each": "a whole number of 1 or more",
    "keep_rejected_days": "a number of days, 0 or more",
    "log_format": "text or json",
    "log_level": "DEBUG, INFO, WARNING or ERROR",
    "child_memory": "a size such as 8GiB, or 0 for no limit",
    "child_scratch": "a size such as 2GiB, or 0 for no limit",
    "webhook_private": "0 or 1",
    "sandbox": f"auto, bubblewrap, landlock or {SANDBOX_OFF}",
    "sign_up": "closed, providers or open",
    "confirm_email": "0 or 1",
}

#: By these names a host reaches itself.
LOOPBACK = ("localhost", "127.0.0.1", "::1")

_DEVICES = re.compile(r"auto|(cpu|cuda(:\d{1,3})?)(,(cpu|cuda(:\d{1,3})?))*")
#: Settings that hold a password, as a part or as a whole: no message repeats what they hold.
_SECRET = re.compile("(database|broker|blob|smtp)_url|secret|password|key|token")

_MAILBOX = re.compile(r"[!-?A-~]+@[A-Za-z0-9.-]+")

_HOST_NAME = re.compile(r"(\*\.)?[a-z0-9_.-]+|[0-9a-f:.]+|\*")


#: Such as 3000/minute; 0 is no limit.
Rate = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,8}/(second|minute|hour|day))$")]


class Settings(BaseSettings):
    """Addresses and folders.  Each field is the variable of its name, as in ``GRB_PORT``.

    Where the database, the broker or the blobs have no address, they live under ``var_dir``:
    SQLite, a folder of messages and a folder of blobs, with no server to install.
    """

    model_config = SettingsConfigDict(
        env_prefix="GRB_",
        extra="ignore",
        hide_input_in_errors=True,  # `faults` tells what was found, without passwords
    )

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    var_dir: Path = Path("var")
    data_dir: Path | None = None  # a folder of datasets, beside those that are bundled
    mirror: str | None = None  # where datasets are fetched from, in place of their addresses
    page_dir: Path | None = None  # the built page
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    database_url: str = Field(default="", repr=False)  # sqlite:///…, postgresql://…
    broker_url: str = Field(default="", repr=False)  # filesystem://, redis://…
    blob_url: str = Field(default="", repr=False)  # file:///…, s3://bucket/prefix

    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()  # names in Host, beside LOOPBACK
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = ()  # networks of proxies in front
    min_free_bytes: int = Field(default=100 * 1024**2, ge=0)  # less on the disk: no uploads
    upload_seconds: float = Field(default=900, gt=0, allow_inf_nan=False)  # for one upload at most
    upload_hours: float = Field(default=24, gt=0, allow_inf_nan=False)  # to finish one in parts
    open_uploads: int = Field(default=8, ge=1)  # unfinished ones of a user
    open_upload_bytes: ByteSize = ByteSize(1024**3)  # of their whole files together
    reap_seconds: float = Field(default=10, gt=0, allow_inf_nan=False)  # of the API's reaper
    stale_seconds: float = Field(default=2, ge=0, allow_inf_nan=False)  # of a ranking, at most
    event_streams: int = Field(default=500, ge=0)  # open at once, in one process of the API

    # what one user may upload; 0: as much as they like
    quota_per_day: int = Field(default=20, ge=0)  # on each board
    quota_invalid_per_day: int = Field(default=200, ge=0)  # of files that break the rules
    quota_bytes: ByteSize = ByteSize(5 * 1024**3)  # stored at once
    # how often one address, and one token or session, may ask; 0: as often as it likes
    rate_reads: Rate = "3000/minute"
    rate_writes: Rate = "300/minute"
    rate_uploads: Rate = "60/minute"
    rate_sign_ins: Rate = "20/minute"
    rate_exempt: Annotated[tuple[str, ...], NoDecode] = ("127.0.0.0/8", "::1/128")  # networks
    uploads_at_once: int = Field(default=32, ge=1)  # in one process of the API
    uploads_each: int = Field(default=4, ge=1)  # of them of one user
    keep_rejected_days: float = Field(default=7, ge=0, allow_inf_nan=False)  # files of such entries

    public_url: str = ""  # by which people open the service: links in what they are told
    # smtp://user:password@host:587, smtps://…; empty: nobody is told by mail
    smtp_url: str = Field(default="", repr=False)
    mail_from: Annotated[str, Field(validate_default=True)] = ""  # who mails come from
    webhook_private: bool = False  # webhooks may be of http:// and of addresses that aren't public

    sign_up: Literal["closed", "providers", "open"] = "closed"  # who may make an account
    confirm_email: bool = False  # who signs up by a password confirms a mail address first
    oidc_issuer: str = ""  # an OpenID Connect issuer by which users sign in
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr = SecretStr("")
    oidc_name: str = "Single sign-on"  # what its button says
    github_client_id: str = ""  # an OAuth app of GitHub by which users sign in
    github_client_secret: SecretStr = SecretStr("")
    github_url: str = "https://github.com"  # or that of a GitHub Enterprise

    device: str = "cpu"  # of the evaluators: cpu, cuda, cuda:0,cuda:1 (one each), auto
    threads: int = Field(default=1, ge=1)  # of each evaluator
    takes: Annotated[tuple[Need, ...], NoDecode] = NEEDS  # boards that a worker works for
    needs: Annotated[Mapping[str, Need], NoDecode] = {}  # of boards, in place of their size's
    child_memory: ByteSize | None = None  # of a child; 0: no limit; None: see `worker.limits`
    child_scratch: ByteSize = ByteSize(2 * 1024**3)  # of a child's folder; 0: no limit
    sandbox: Literal["auto", "bubblewrap", "landlock", "off-i-trust-every-upload"] = "auto"
    evaluator: tuple[str, ...] = ()  # the command of the evaluator child; empty: the built-in one
    validator: tuple[str, ...] = ()  # the command of the validator child; empty: the built-in one

    @field_validator("database_url", "broker_url", "blob_url", "smtp_url")
    @classmethod
    def _known_scheme(cls, url: str, info: ValidationInfo) -> str:
        allowed = _SCHEMES[str(info.field_name)]
        scheme, colon, _ = url.partition("://")
        if url and not (colon and scheme.partition("+")[0] in allowed):
            raise ValueError(" or ".join(f"{one}://…" for one in allowed))
        return url

    @field_validator("log_format", "sign_up", mode="before")
    @classmethod
    def _lower(cls, word: Any) -> Any:
        return word.lower() if isinstance(word, str) else word

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, word: Any) -> Any:
        return word.upper() if isinstance(word, str) else word

    @field_validator("oidc_issuer", "github_url")
    @classmethod
    def _provider_address(cls, url: str) -> str:
        parts = urlsplit(url)
        safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
        if url and not (safe and parts.hostname):
            raise ValueError("an address that begins with https://")
        return url

    @field_validator("public_url")
    @classmethod
    def _web_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and not (parts.scheme in ("http", "https") and parts.hostname):
            raise ValueError("an address such as https://board.org")
        return url.rstrip("/")

    @field_validator("mail_from")
    @classmethod
    def _mailbox(cls, sender: str, info: ValidationInfo) -> str:
        address = parseaddr(sender)[1]
        if sender and not (sender.isprintable() and _MAILBOX.fullmatch(address)):
            raise ValueError("a mailbox such as Board <board@lab.org>")
        mails = info.data.get("smtp_url")
        if mails and not (sender and info.data.get("public_url")):
            raise ValueError("a mailbox, and GRB_PUBLIC_URL, where GRB_SMTP_URL is set")
        return sender

    @field_validator("confirm_email")
    @classmethod
    def _can_confirm(cls, wanted: bool, info: ValidationInfo) -> bool:
        if wanted and not info.data.get("smtp_url"):
            raise ValueError("0, or 1 where GRB_SMTP_URL is set")
        return wanted

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _host_names(cls, names: Any) -> Any:
        given = names.split(",") if isinstance(names, str) else names
        found = tuple(name.strip().strip("[]").lower() for name in given if name.strip())
        if not all(map(_HOST_NAME.fullmatch, found)):
            raise ValueError(
                "names without ports, between commas, such as board.org,*.lab.org; or *"
            )
        return found

    @field_validator("trusted_proxies", "rate_exempt", mode="before")
    @classmethod
    def _networks(cls, given: Any) -> Any:
        names = given.split(",") if isinstance(given, str) else given
        try:
            return tuple(str(ip_network(name.strip())) for name in names if name.strip())
        except ValueError:
            raise ValueError(
                "addresses or networks between commas, such as 127.0.0.1,10.0.0.0/8,fd00::/8"
            ) from None

    @field_validator("device", mode="before")
    @classmethod
    def _devices(cls, text: Any) -> Any:
        found = re.sub(r"\s*,\s*", ",", str(text).strip().lower())
        if not _DEVICES.fullmatch(found):
            raise ValueError("auto, or cpu, cuda and cuda:N between commas")
        return found

    @field_validator("takes", mode="before")
    @classmethod
    def _takes(cls, given: Any) -> Any:
        names = given.split(",") if isinstance(given, str) else given
        try:
            found = needs(name.strip() for name in names if name.strip())
        except ValueError:
            found = ()
        if not found:
            raise ValueError(f"one or more of {', '.join(NEEDS)}")
        return found

    @field_validator("needs", mode="before")
    @classmethod
    def _needs(cls, given: Any) -> Any:
        try:
            found = chosen_needs(given) if isinstance(given, str) else given
        except ValueError:
            found = {"": ""}
        if unknown := sorted(set(found) - set(catalog.boards())):
            which = f", which {', '.join(unknown)} is not" if all(unknown) else ""
            raise ValueError(
                f"boards of the catalog{which}, and one of {', '.join(NEEDS)}: "
                "grb-flickr/injection@1=cpu,…"
            )
        return found

    @model_validator(mode="after")
    def _embedded(self) -> Self:
        self.var_dir = self.var_dir.absolute()
        self.data_dir = self.data_dir and self.data_dir.absolute()
        self.database_url = self.database_url or f"sqlite:///{self.var_dir / 'grb.db'}"
        self.broker_url = self.broker_url or "filesystem://"
        self.blob_url = self.blob_url or (self.var_dir / "blobs").as_uri()
        return self

    @property
    def host_names(self) -> frozenset[str]:
        """The names that a request may call this service by; ``*`` in it: any."""
        return frozenset({*LOOPBACK, self.host.lower(), *self.allowed_hosts})

    @property
    def scratch_dir(self) -> Path:
        """Where children of the worker write, one folder per batch, removed afterwards."""
        return self.var_dir / "scratch"

    @property
    def incoming_dir(self) -> Path:
        """Where the API keeps files that arrive in parts; hosts may share it."""
        return self.var_dir / "incoming" / "parts"

    @property
    def prepared_dir(self) -> Path:
        """Where datasets are kept ready to be mapped into memory."""
        return self.var_dir / "prepared"

    @property
    def blind_dir(self) -> Path:
        """Where the same datasets are kept without the labels of their test nodes, for children."""
        return self.var_dir / "blind"

    @property
    def studies_dir(self) -> Path:
        """Studies that are shown, a folder each; API processes on several hosts share it."""
        return self.var_dir / "studies"

    @property
    def cache_dir(self) -> Path:
        """Where blobs of a remote store are kept for reading."""
        return self.var_dir / "cache"


def faults(error: ValidationError) -> list[str]:
    """Each variable that is wrong, what was found there and what is allowed."""
    told = []
    for item in error.errors():
        name = str(item["loc"][0]) if item["loc"] else "settings"
        allowed = _ALLOWED.get(name) or item["msg"].removeprefix("Value error, ")
        found = _shown(name, item["input"])
        told.append(f"GRB_{name.upper()}: found {found}, allowed: {allowed}")
    return told


def _shown(name: str, value: Any) -> str:
    """What was found, but of what may be a secret only how it begins."""
    if _SECRET.search(name):
        scheme, colon, _ = str(value).partition("://")
        return f"{scheme}://…" if colon and scheme.isidentifier() else "something else"
    return repr(value)


def celery_options(settings: Settings) -> dict[str, Any]:
    """The configuration that a Celery application of the API or of a worker takes.

    A message only wakes a worker, so none needs a result, a retry or a late acknowledgement.
    Makes the folders of the filesystem transport where that is the broker.
    """
    return {
        "broker_url": settings.broker_url,
        "broker_transport_options": _transport_options(settings),
        "broker_connection_timeout": 2,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "task_default_queue": queue_of("cpu"),
        "task_ignore_result": True,
        "task_publish_retry": False,
        "worker_prefetch_multiplier": 1,
        "worker_enable_remote_control": False,
        "accept_content": ["json"],
    }


def _transport_options(settings: Settings) -> dict[str, Any]:
    if settings.broker_url.startswith("filesystem"):
        folder = settings.var_dir / "broker"
        messages, control = folder / "messages", folder / "control"
        for path in (messages, control):
            path.mkdir(parents=True, exist_ok=True)
        return {
            "data_folder_in": str(messages),
            "data_folder_out": str(messages),
            "control_folder": str(control),
            "polling_interval": 0.5,
        }
    # after a SIGKILL a message comes back within seconds, not minutes
    return {
        "visibility_timeout": 60,
        "unacked_restore_throttle": 1,
        "unacked_restore_interval": 2,
        "socket_connect_timeout": 2,
        # a broker that no longer answers must not hold a worker that is told to stop
        "socket_timeout": 5,
        "socket_keepalive": True,
    }
