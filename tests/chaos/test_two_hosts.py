"""Workers on another host than the servers, over a link that is cut for a minute."""

from __future__ import annotations

import pytest

from tests.chaos import two_hosts


@pytest.mark.long
@pytest.mark.root
def test_all_arrives_though_the_link_to_the_workers_is_cut_for_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.argv", ["two_hosts"])
    two_hosts.main()
