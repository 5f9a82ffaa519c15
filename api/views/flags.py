"""The flags of an entry: measured and declared, and what an admin has dismissed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from api.flag_schemas import DismissalOut, FigureOut, FlagKindOut, FlagOut
from grbcore.flags import KINDS, Flag, declared_flags
from grbcore.store.session import now
from grbcore.store.tables import Submission
from grbcore.store.visibility import is_public

_ORDER = {code: place for place, code in enumerate(KINDS)}


def flags_out(entry: Submission, measured: Sequence[Flag]) -> list[FlagOut]:
    """Every flag with its reason, dismissed ones included."""
    dismissed = entry.dismissed or {}
    return [
        FlagOut(
            **_kind(flag.code).model_dump(),
            reason=flag.reason,
            figures=[FigureOut(**asdict(figure), text=figure.text) for figure in flag.figures],
            dismissed=DismissalOut.model_validate(dismissed[flag.code])
            if flag.code in dismissed
            else None,
        )
        for flag in _all(entry, measured)
    ]


def flag_codes(entry: Submission, measured: Sequence[Flag]) -> list[str]:
    """The codes of the flags that hold and were not dismissed."""
    dismissed = entry.dismissed or {}
    return [flag.code for flag in _all(entry, measured) if flag.code not in dismissed]


def kinds_out(codes: Iterable[str]) -> list[FlagKindOut]:
    """What these flags mean, each once."""
    return [_kind(code) for code in sorted(set(codes), key=_ORDER.__getitem__)]


def _all(entry: Submission, measured: Sequence[Flag]) -> list[Flag]:
    declared = declared_flags(
        is_reference=entry.is_reference,
        adversarially_trained=entry.adversarially_trained,
        family=entry.family,
        withdrawn=entry.withdrawn_at is not None,
        hidden=entry.hidden_at is not None,
        public=is_public(entry, now()),
    )
    return sorted([*measured, *declared], key=lambda flag: _ORDER[flag.code])


def _kind(code: str) -> FlagKindOut:
    kind = KINDS[code]
    return FlagKindOut(code=code, title=kind.title, severity=kind.severity, meaning=kind.meaning)
