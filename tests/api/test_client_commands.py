"""``grb submit``, ``grb status`` and ``grb leaderboard`` against a real server."""

from __future__ import annotations

import http.server
import socket
import threading
from datetime import timedelta
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from grbcore.cli import client as commands
from grbcore.cli import editing, withdrawal
from grbcore.store.session import now
from grbcore.violations import Refused
from tests.api.stage import BOARD, Stage, attack_file, defense_file

app = typer.Typer()
app.command()(commands.submit)
app.command()(commands.status)
app.command()(commands.leaderboard)
app.command()(editing.edit)
app.command()(withdrawal.withdraw)

SAID = ("--name", "My GCN", "--authors", "Ann")


@pytest.fixture
def grb(server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch):
    """Runs a command as ann, against the server of this test."""
    monkeypatch.setenv("GRB_SERVER", server)
    monkeypatch.setenv("GRB_TOKEN", stage.tokens["ann"])
    monkeypatch.setattr(commands.console, "width", 200)

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return run


def test_a_defense_is_submitted_and_its_address_printed(
    grb, stage: Stage, server: str, tmp_path: Path
) -> None:
    result = grb("submit", defense_file(tmp_path), "--board", BOARD, *SAID)
    assert result.exit_code == 0, result.output
    assert f"{server}/submissions/" in result.output
    assert stage.submissions() == 1


def test_an_attacks_side_is_told_by_its_suffix_and_its_family_by_its_name(
    grb, tmp_path: Path
) -> None:
    result = grb("submit", attack_file(tmp_path), "--board", BOARD, *SAID)
    assert result.exit_code == 0, result.output
    assert "other:My GCN" in grb("status", result.output.split()[2].rstrip(":")).output


def test_an_attack_named_after_a_method_is_of_its_family(grb, tmp_path: Path) -> None:
    said = ("--name", "PGD", "--authors", "Ann")
    result = grb("submit", attack_file(tmp_path), "--board", BOARD, *said)
    status = grb("status", result.output.split()[2].rstrip(":")).output
    assert "PGD by Ann (attack, PGD)" in status


def test_the_same_file_again_is_said_to_be_there(grb, stage: Stage, tmp_path: Path) -> None:
    path = defense_file(tmp_path)
    grb("submit", path, "--board", BOARD, *SAID)
    result = grb("submit", path, "--board", BOARD, *SAID)
    assert "submitted before" in result.output
    assert stage.submissions() == 1


def test_a_faulty_file_is_refused_before_it_is_sent(grb, stage: Stage, tmp_path: Path) -> None:
    result = grb("submit", defense_file(tmp_path, features=100), "--board", BOARD, *SAID)
    assert isinstance(result.exception, Refused)
    assert stage.submissions() == 0


def test_a_wrong_token_is_told_in_a_line(grb, tmp_path: Path) -> None:
    result = grb("submit", defense_file(tmp_path), "--board", BOARD, *SAID, "--token", "grb_x")
    assert result.exit_code == 1
    assert "set GRB_TOKEN" in result.stderr
    assert "Traceback" not in result.output


def test_a_field_that_the_server_refuses_is_told_with_its_place(grb, tmp_path: Path) -> None:
    path = defense_file(tmp_path)
    result = grb("submit", path, "--board", BOARD, *SAID, "--paper-url", "nowhere")
    assert result.exit_code == 1
    assert "body/paper_url" in result.stderr


def test_an_unknown_board_is_told_with_those_there_are(grb, tmp_path: Path) -> None:
    result = grb("submit", defense_file(tmp_path), "--board", "digits/nope@1", *SAID)
    assert result.exit_code == 1
    assert BOARD in result.stderr


def test_an_unreachable_server_is_told_in_a_line(grb) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    result = grb("status", "--server", f"http://127.0.0.1:{port}")
    assert result.exit_code == 1
    assert "can't be reached" in result.stderr
    assert "Traceback" not in result.output


def test_an_unknown_id_is_told_in_a_line(grb) -> None:
    result = grb("status", "0" * 26)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no such submission" in result.stderr


def test_waiting_ends_with_the_rank(grb, stage: Stage, tmp_path: Path) -> None:
    path = defense_file(tmp_path)
    grb("submit", path, "--board", BOARD, *SAID)
    with stage.sessions.reading() as session:
        from grbcore.store.tables import Submission

        entry = session.query(Submission).one().id
    stage.cell(None, entry, {"full": [50]})
    stage.change(entry, state="ranked", registered_at=now())
    result = grb("submit", path, "--board", BOARD, *SAID, "--wait")
    assert result.exit_code == 0, result.output
    assert "rank 1" in result.output


def test_waiting_for_a_rejected_file_fails_with_its_violations(
    grb, stage: Stage, tmp_path: Path
) -> None:
    path = defense_file(tmp_path)
    grb("submit", path, "--board", BOARD, *SAID)
    violation = {"code": "finite", "place": "convs.0.bias", "found": "nan", "allowed": "numbers"}
    with stage.sessions.writing() as session:
        from grbcore.store.tables import Submission

        row = session.query(Submission).one()
        row.state, row.violations, row.reason = "rejected", [violation], "1 violation"
    result = grb("submit", path, "--board", BOARD, *SAID, "--wait")
    assert result.exit_code == 1
    assert "convs.0.bias: found nan; allowed: numbers [finite]" in result.stderr


def test_the_latest_submissions_are_listed(grb, stage: Stage) -> None:
    stage.entry("attack", "[red]name[/red]")
    output = grb("status").output
    assert "[red]name[/red]" in output and "ranked" in output


def test_what_is_said_of_an_entry_is_changed(grb, stage: Stage, server: str) -> None:
    entry = stage.entry("attack", "Old", team="Team")
    result = grb("edit", entry, "--name", "[b]New[/b]", "--team", "")
    assert result.output == f"[b]New[/b] by A. Author: {server}/submissions/{entry}\n"
    with stage.sessions.reading() as session:
        from grbcore.store.tables import Submission

        row = session.get_one(Submission, entry)
    assert (row.name, row.team, row.authors) == ("[b]New[/b]", None, "A. Author")


def test_an_edit_of_nothing_is_told_with_what_there_is(grb, stage: Stage) -> None:
    result = grb("edit", stage.entry("attack", "A"))
    assert result.exit_code == 1
    assert "allowed: one or more of --name, --authors" in result.stderr


def test_an_edit_that_the_server_refuses_is_told_with_its_place(grb, stage: Stage) -> None:
    result = grb("edit", stage.entry("attack", "A"), "--paper-url", "nowhere")
    assert result.exit_code == 1
    assert "body/paper_url: found 'nowhere'" in result.stderr
    theirs = grb("edit", stage.entry("attack", "B", user="bob"), "--name", "C")
    assert (theirs.exit_code, "only its owner or an admin" in theirs.stderr) == (1, True)


def test_a_ranking_is_printed_in_percent(grb, stage: Stage) -> None:
    """D alone, without attacks: 50 of 100 clean."""
    stage.cell(None, stage.entry("defense", "D"), {"full": [50]})
    output = grb("leaderboard", BOARD).output
    assert "50.00" in output
    assert "without attack" in output


def test_one_side_can_be_chosen(grb, stage: Stage) -> None:
    stage.entry("defense", "D")
    output = grb("leaderboard", "digits/injection", "--side", "attack").output
    assert "attacks at full" in output and "defenses" not in output


@pytest.mark.parametrize("option", ["--difficulty", "--view", "--side"])
def test_an_unknown_word_is_told_with_those_there_are(grb, option: str) -> None:
    result = grb("leaderboard", BOARD, option, "nope")
    assert result.exit_code == 1
    assert "allowed:" in result.stderr


def test_a_token_with_other_letters_is_refused_before_anything_is_sent(grb, tmp_path: Path) -> None:
    file = defense_file(tmp_path)
    result = grb("submit", file, "--board", BOARD, *SAID, "--token", "grb_ключ")
    assert result.exit_code == 1
    assert "--token: found letters beyond ASCII" in result.output


def flat(result: Result) -> str:
    """What was printed, however it was wrapped."""
    return " ".join(result.output.split())


def test_a_board_of_whole_graphs_is_asked_for_at_its_own_budgets(grb) -> None:
    """The mean over budgets unless one is chosen; a difficulty of nodes is none of them."""
    output = flat(grb("leaderboard", "mutag/adjacency@1", "--side", "defense"))
    assert "mutag/adjacency@1: defenses at mean, reference view, higher is better" in output
    output = flat(grb("leaderboard", "mutag/adjacency@1", "--difficulty", "3"))
    assert "attacks at 3, reference view, lower is stronger" in output
    refused = grb("leaderboard", "mutag/adjacency@1", "--difficulty", "full")
    assert refused.exit_code == 1
    assert "found 'full', allowed: 1, 2, 3, 4, 5, mean" in refused.output
    refused = grb("leaderboard", BOARD, "--difficulty", "mean")
    assert "found 'mean', allowed: easy, medium, hard, full" in refused.output


def test_a_ranking_of_errors_says_that_lower_is_better(grb) -> None:
    output = flat(grb("leaderboard", "zinc/adjacency@1"))
    assert "defenses at mean, reference view, lower is better" in output
    assert "attacks at mean, reference view, higher is stronger" in output


def test_a_server_that_is_no_leaderboard_is_named(grb) -> None:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>hello</html>")

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        result = grb("status", "--server", f"http://127.0.0.1:{other.server_port}")
        other.shutdown()
        thread.join()
    assert result.exit_code == 1
    assert "answered no JSON object; is --server a leaderboard?" in result.output


def test_an_empty_list_and_an_empty_ranking_say_so(grb) -> None:
    assert "no submissions yet" in grb("status").output
    assert "no defense is ranked yet" in grb("leaderboard", BOARD, "--side", "defense").output


def test_a_board_that_is_no_boards_name_is_refused(grb) -> None:
    result = grb("leaderboard", "nothing")
    assert result.exit_code == 1
    assert "board: found 'nothing', allowed: dataset/scenario@version" in result.output


def test_a_private_entry_is_its_owner_s_alone_until_it_is_published(
    grb, stage: Stage, server: str, tmp_path: Path
) -> None:
    result = grb("submit", defense_file(tmp_path), "--board", BOARD, *SAID, "--private")
    assert "private: only you and admins see it" in result.output
    entry = result.output.split()[2].rstrip(":")
    assert "private" in grb("status", entry).output
    assert entry in grb("status").output
    unseen = grb("status", entry, "--token", stage.tokens["bob"])
    assert unseen.exit_code == 1 and "no such submission" in unseen.stderr
    assert grb("edit", entry, "--public").exit_code == 0
    assert "private" not in grb("status", entry, "--token", stage.tokens["bob"]).output


def test_an_embargo_ends_on_a_date_in_utc(grb, stage: Stage, tmp_path: Path) -> None:
    day = (now() + timedelta(days=30)).date()
    result = grb("submit", defense_file(tmp_path), "--board", BOARD, *SAID, "--embargo", str(day))
    assert f"only you and admins see it until {day}T00:00:00Z" in result.output
    entry = result.output.split()[2].rstrip(":")
    late = grb("edit", entry, "--embargo", "2031-01-01")
    assert late.exit_code == 1 and "body/public_at" in late.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--private", "--embargo", "2031-01-01"), "found --private and --embargo"),
        (("--embargo", "soon"), "found 'soon', allowed: a date such as"),
    ],
)
def test_options_of_who_sees_it_are_checked(
    grb, stage: Stage, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    result = grb("submit", defense_file(tmp_path), "--board", BOARD, *SAID, *options)
    assert result.exit_code == 1 and said in result.stderr
    assert stage.submissions() == 0


def test_one_s_own_ranking_has_one_s_private_entries(grb, stage: Stage) -> None:
    attack = stage.entry("attack", "A", is_reference=True)
    defense = stage.entry("defense", "Hidden", visibility="private")
    stage.cell(None, defense, {"full": [90]})
    stage.cell(attack, defense, {"full": [50, 60, 70]})
    assert "Hidden" not in grb("leaderboard", BOARD).output
    assert "Hidden" in grb("leaderboard", BOARD, "--mine").output


def test_an_entry_is_taken_back_and_its_attempt_stays_counted(grb, stage: Stage) -> None:
    withdrawn, deleted = stage.entry("attack", "A"), stage.entry("attack", "B", attempt=2)
    kept = stage.entry("attack", "C", user="bob")
    assert "attempt 1 of 2 stays counted" in grb("withdraw", withdrawn, "--yes").output
    assert "is deleted; attempt 2 of 2" in grb("withdraw", deleted, "--delete", "--yes").output
    assert grb("withdraw", kept, "--yes").exit_code == 1
    with stage.sessions.reading() as session:
        from grbcore.store.tables import Submission

        found = [session.get_one(Submission, one) for one in (withdrawn, deleted, kept)]
    assert [row.withdrawn_at is not None for row in found] == [True, False, False]
    assert [row.deleted_at is not None for row in found] == [False, True, False]
