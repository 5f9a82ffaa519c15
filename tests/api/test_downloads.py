"""Files are saved under a safe name, and never shown."""

from __future__ import annotations

from urllib.parse import unquote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api import policies
from api.downloads import disposition
from tests.api.stage import Stage


@pytest.mark.parametrize(
    ("chosen", "value"),
    [
        ("TDGIA", 'attachment; filename="TDGIA-1.npz"'),
        ("A b/c", 'attachment; filename="A-b-c-1.npz"'),
        (
            "Grün 図",
            "attachment; filename=\"Gr-n-1.npz\"; filename*=UTF-8''Gr%C3%BCn-%E5%9B%B3-1.npz",
        ),
        ("../../etc/passwd", 'attachment; filename="etc-passwd-1.npz"'),
        ('x"; filename="evil.exe', 'attachment; filename="x-filename-evil.exe-1.npz"'),
        ("a\r\nSet-Cookie: b=c", 'attachment; filename="a-Set-Cookie-b-c-1.npz"'),
        ("\u202egnp.exe", 'attachment; filename="gnp.exe-1.npz"'),
        ("", 'attachment; filename="file-1.npz"'),
        (".", 'attachment; filename="file-1.npz"'),
    ],
)
def test_a_name_keeps_only_what_is_harmless(chosen: str, value: str) -> None:
    assert disposition(chosen, "-1.npz") == value


@given(st.text(max_size=200))
def test_no_name_breaks_out_of_its_header(chosen: str) -> None:
    value = disposition(chosen, "-1.npz")
    plain, _, full = value.partition("; filename*=UTF-8''")
    assert value.isascii() and value.isprintable() and len(value) < 800
    assert plain.startswith('attachment; filename="') and plain.endswith('-1.npz"')
    assert plain.count('"') == 2
    for name in (plain[22:-1], unquote(full)):
        assert not set(name) & set('/\\:*?"<>|;\u202e\u2066') and not name.startswith(".")


def test_a_file_is_an_attachment_that_no_browser_runs(client: httpx.Client, stage: Stage) -> None:
    entry = stage.entry("attack", "Ünder <script>")
    headers = client.get(f"/api/v1/submissions/{entry}/artefact").headers
    assert headers["content-disposition"] == (
        f'attachment; filename="nder-script-{entry}.npz"; '
        f"filename*=UTF-8''%C3%9Cnder-script-{entry}.npz"
    )
    assert headers["content-type"] == "application/octet-stream"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == policies.NOTHING
    assert "sandbox" in policies.NOTHING
