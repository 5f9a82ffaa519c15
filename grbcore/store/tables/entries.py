"""Users, boards, and what users submit to them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from grbcore.needs import NEEDS
from grbcore.store.tables.base import Base, new_id, one_of

SUBMISSION_STATES = ("received", "validating", "rejected", "evaluating", "ranked", "failed")
#: public: for everybody.  embargoed: from ``public_at`` on.  private: for its owner and admins.
VISIBILITIES = ("public", "embargoed", "private")


class User(Base):
    """Someone who submits.  They sign in by a password or elsewhere, or have tokens only."""

    __tablename__ = "users"
    __table_args__ = (
        CheckConstraint(one_of("role", ("user", "admin")), name="role"),
        CheckConstraint(
            "deleted_at IS NULL OR (role = 'user' AND password_hash IS NULL AND email IS NULL "
            "AND webhook_url IS NULL)",
            name="deleted_is_empty",
        ),
        CheckConstraint("quota_per_day >= 0 AND quota_bytes >= 0", name="quota"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    role: Mapped[str] = mapped_column(String(8), default="user")
    created_at: Mapped[datetime]
    served_at: Mapped[datetime | None]  # when a worker last took work of theirs: turns go round
    # where this user is told what became of a submission
    email: Mapped[str | None] = mapped_column(String(254))
    email_confirmed_at: Mapped[datetime | None]
    email_digest: Mapped[str | None] = mapped_column(String(64))  # of the link that confirms it
    webhook_url: Mapped[str | None] = mapped_column(String(400))
    webhook_secret: Mapped[str | None] = mapped_column(String(80))
    # how this user signs in
    password_hash: Mapped[str | None] = mapped_column(String(255))  # null: not by a password
    awaits_email: Mapped[bool] = mapped_column(default=False)  # no sign-in before it is confirmed
    reset_digest: Mapped[str | None] = mapped_column(String(64))  # of the link that sets another
    reset_until: Mapped[datetime | None]
    suspended_at: Mapped[datetime | None]  # sessions have ended and tokens rest
    deleted_at: Mapped[datetime | None]  # the row stays for what refers to it, without a name

    @property
    def is_active(self) -> bool:
        """Whether this user may do anything."""
        return self.suspended_at is None and self.deleted_at is None

    # what an admin allows this user in place of the service's limits; 0: as much as they like
    quota_per_day: Mapped[int | None]
    quota_bytes: Mapped[int | None] = mapped_column(BigInteger)
    quota_reset_at: Mapped[datetime | None]  # of that day, only what came later counts


class Token(Base):
    """A bearer token; only its SHA-256 is kept."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(String(80), default="")  # what its user calls it
    scopes: Mapped[str] = mapped_column(String(60), default="")  # what it may do: "read submit"
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]  # null: it does not
    last_used_at: Mapped[datetime | None]  # to some minutes
    revoked_at: Mapped[datetime | None]

    user: Mapped[User] = relationship(lazy="joined")


class BoardRow(Base):
    """What this database knows of a board that the catalog defines."""

    __tablename__ = "boards"
    __table_args__ = (
        CheckConstraint(one_of("state", ("ready", "preparing", "no-data")), name="state"),
        CheckConstraint(one_of("need", NEEDS), name="need"),
    )

    id: Mapped[str] = mapped_column(String(80), primary_key=True)
    state: Mapped[str] = mapped_column(String(12))
    protocol: Mapped[str | None] = mapped_column(String(16))  # null until the data is present
    need: Mapped[str] = mapped_column(String(12), default="cpu")  # which workers take its cells
    problem: Mapped[str | None] = mapped_column(Text)  # why the files that are here can't be used
    revision: Mapped[int] = mapped_column(default=0)  # raised whenever a ranking may change
    changed_at: Mapped[datetime | None]
    # {"step": …, "done": …, "total": …, "failed": …} while the baselines are made
    preparation: Mapped[dict[str, Any] | None]
    # clean feature range, target counts and degrees of the data: {"feature_range": [lo, hi],
    # "targets": {…}, "degrees": […], "edges": …, "majority": targets of full's largest class}
    facts: Mapped[dict[str, Any] | None]
    # where half of the targets is hidden: what says which, told to nobody but workers, and by how
    # much an entry must beat its submitter's best; null where no target is hidden
    hidden_seed: Mapped[str | None] = mapped_column(String(64))
    ladder_step: Mapped[float | None]


class Submission(Base):
    """An attack or a defense, with its state."""

    __tablename__ = "submissions"
    __table_args__ = (
        CheckConstraint(one_of("side", ("attack", "defense")), name="side"),
        CheckConstraint(one_of("state", SUBMISSION_STATES), name="state"),
        CheckConstraint(
            "(state = 'validating') = (lease_token IS NOT NULL) "
            "AND (lease_token IS NULL) = (lease_until IS NULL) "
            "AND (lease_token IS NULL) = (lease_owner IS NULL)",
            name="lease",
        ),
        CheckConstraint("state != 'ranked' OR registered_at IS NOT NULL", name="registered"),
        CheckConstraint(one_of("visibility", VISIBILITIES), name="visibility"),
        CheckConstraint(
            "(visibility = 'embargoed') = (public_at IS NOT NULL)", name="embargo_has_an_end"
        ),
        CheckConstraint("visibility = 'public' OR published_at IS NULL", name="public_stays"),
        CheckConstraint("visibility = 'public' OR NOT is_reference", name="reference_is_public"),
        CheckConstraint("withdrawn_at IS NULL OR NOT is_reference", name="reference_stays"),
        CheckConstraint("deleted_at IS NULL OR NOT is_reference", name="reference_is_kept"),
        CheckConstraint("file_removed_at IS NULL OR state = 'rejected'", name="file_is_kept"),
        UniqueConstraint("user_id", "board_id", "side", "sha256"),
        Index("ix_submissions_queue", "state", "received_at"),
        Index(
            "ix_submissions_kept",
            "board_id",
            "public_at",
            postgresql_where=text("visibility != 'public'"),
            sqlite_where=text("visibility != 'public'"),
        ),
        Index("ix_submissions_canonical", "board_id", "side", "canonical"),
    )

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    board_id: Mapped[str] = mapped_column(ForeignKey("boards.id"), index=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    side: Mapped[str] = mapped_column(String(8))

    name: Mapped[str] = mapped_column(String(80))
    authors: Mapped[str] = mapped_column(String(400))
    team: Mapped[str | None] = mapped_column(String(80))
    family: Mapped[str] = mapped_column(String(80))
    description: Mapped[str] = mapped_column(Text, default="")
    paper_url: Mapped[str | None] = mapped_column(String(400))
    code_url: Mapped[str | None] = mapped_column(String(400))
    adversarially_trained: Mapped[bool] = mapped_column(default=False)
    surrogate: Mapped[str | None] = mapped_column(String(80))
    is_reference: Mapped[bool] = mapped_column(default=False)
    attempt: Mapped[int] = mapped_column(default=1)  # 1, 2, … per user, board and side

    # who sees it: `visibility.may_see` decides
    visibility: Mapped[str] = mapped_column(String(10), default="public")
    public_at: Mapped[datetime | None]  # the end of the embargo
    published_at: Mapped[datetime | None]  # since when everybody has seen it ranked

    sha256: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    # of the content, however it is ordered or packed; null until it has been found valid
    canonical: Mapped[str | None] = mapped_column(String(64))
    # how a valid attack is made, see `sketch`; null of defenses, and of what came before there were
    sketch: Mapped[str | None] = mapped_column(String(1664))
    # from the header: defenses {"architecture", "parameters", "features"};
    # attacks {"difficulties": […], "repeats": …}
    contents: Mapped[dict[str, Any]]
    # attacks, once found valid: what each repeat changes of the graph, {"full": {"nodes": […], …}}
    # as `spending.spending` counts it; null: not counted
    spent: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    # how far an attack is from the clean graph: `shift.Shift`, once it has been found valid
    shift: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # flags that an admin has dismissed: {code: {"reason": …, "at": …}}
    dismissed: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    # since when its hold-outs are asked for by its owner or an admin
    holdouts_asked_at: Mapped[datetime | None]

    state: Mapped[str] = mapped_column(String(12), default="received")
    reason: Mapped[str | None] = mapped_column(Text)
    violations: Mapped[list[Any]] = mapped_column(default=list)
    log: Mapped[str | None] = mapped_column(Text)  # the end of what a validator that died wrote
    attempts: Mapped[int] = mapped_column(default=0)  # validations that ended without an answer
    retry_at: Mapped[datetime | None]  # not validated again before
    received_at: Mapped[datetime]
    charged_at: Mapped[datetime | None]  # when it took a place of its user's day; null: none
    validated_at: Mapped[datetime | None]
    registered_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]
    hidden_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]  # the file is gone, and whatever told whose it was
    edited_at: Mapped[datetime | None]
    file_removed_at: Mapped[datetime | None]  # some days after it was rejected

    # the lease of the validation, as in cells
    lease_owner: Mapped[str | None] = mapped_column(String(120))
    lease_token: Mapped[str | None] = mapped_column(String(36))
    lease_until: Mapped[datetime | None]

    user: Mapped[User] = relationship()


class RefusedUpload(Base):
    """A file that was refused before it became a submission; nothing of it is kept but this."""

    __tablename__ = "refused_uploads"
    __table_args__ = (Index("ix_refused_uploads_user", "user_id", "refused_at"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    board_id: Mapped[str | None] = mapped_column(ForeignKey("boards.id"))
    codes: Mapped[list[Any]]  # of its violations, each once
    size: Mapped[int] = mapped_column(BigInteger)  # bytes that arrived, or were announced
    refused_at: Mapped[datetime] = mapped_column(index=True)

    user: Mapped[User] = relationship()
