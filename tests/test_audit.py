"""How the reports of pip-audit and npm are read."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests import audit

PYTHON = {
    "dependencies": [
        {"name": "jinja2", "version": "3.1.6", "vulns": []},
        {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]},
        {"name": "torch", "skip_reason": "not there"},
    ],
    "fixes": [],
}
PAGE = {
    "vulnerabilities": {"vite": {"range": "<8.4", "severity": "high"}},
    "metadata": {"dependencies": {"total": 210}},
}
UNREACHABLE = {"message": "request failed", "error": {"summary": "405 Method Not Allowed"}}


def answering(monkeypatch: pytest.MonkeyPatch, python: object, page: object) -> None:
    def run(command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[str]:
        said = page if command[0] == "npm" else python
        text = said if isinstance(said, str) else json.dumps(said)
        return subprocess.CompletedProcess(command, 1, text, "")

    monkeypatch.setattr(subprocess, "run", run)


def test_a_vulnerable_version_is_named_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(monkeypatch, PYTHON, PAGE)
    assert audit.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "Python: 2 pinned versions, 1 vulnerabilities",
        "page: 210 pinned versions, 1 vulnerabilities",
        "old 1.0: PYSEC-1, mended in 1.1",
        "vite <8.4: high",
    ]


def test_what_could_not_be_looked_at_is_said_in_a_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = {"dependencies": [{"name": "torch", "skip_reason": "not there"}], "fixes": []}
    for python in ("", nothing):
        answering(monkeypatch, python, UNREACHABLE)
        assert audit.main() == 0
        first, second = capsys.readouterr().out.splitlines()
        assert first.startswith("Python: NOT LOOKED AT") and "pip-audit -r" in first
        assert second.startswith("page: NOT LOOKED AT") and "npm audit" in second
