"""What a researcher does at home for a board on whole graphs: train, attack, reproduce."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.attacks import attack_board, attack_of
from grbcore.cli.main import main
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models import Shape
from grbcore.graphlevel.models.weights import load, save
from grbcore.graphlevel.trained import usual
from grbcore.graphlevel.training import RECIPES
from grbcore.scenario import BUDGETS
from grbcore.submission import check_content, read_attack
from tests.conftest import data_folder
from tests.grbcore.graphlevel.boards import DATASET, board
from tests.grbcore.graphlevel.samples import small_dataset, small_model

BOARD = "mutag/adjacency@1"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """The exit code of the command, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRB_DATA_DIR", str(data_folder()))

    def command(*words: str) -> int:
        monkeypatch.setattr("sys.argv", ["grb", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0)

    return command


SMALL = ("--architecture", "GIN", "--hidden", "8", "--set", "layers=2", "--epochs", "1")


@pytest.mark.real_data
def test_a_defense_and_an_attack_on_it_are_made_and_are_valid(run, tmp_path: Path, capsys) -> None:
    assert run("train", "mutag/adjacency", *SMALL, "--out", "gin.safetensors") == 0
    told = capsys.readouterr().out
    assert "gin.safetensors: validation accuracy" in told
    assert "at epoch 1 of 1" in told
    quick = ("--steps", "1", "--set", "samples=3", "--repeats", "1")
    of = ("--method", "AdjPGD", "--surrogate", "gin.safetensors", "--out", "pgd.npz")
    assert run("attack", "mutag/adjacency", *of, *quick) == 0
    assert run("attack", "mutag/adjacency", "--method", "Random", "--out", "random.npz") == 0
    mutag, dataset = catalog.board(BOARD), datasets.load("mutag", data_dir=data_folder())
    for side, name in (("defense", "gin.safetensors"), ("attack", "pgd.npz")):
        assert check_content(tmp_path / name, side=side, board=mutag, dataset=dataset) == ()
    repeats = {}
    for name in ("pgd.npz", "random.npz"):
        with (tmp_path / name).open("rb") as file:
            repeats[name] = {len(found) for found in read_attack(file, mutag).values()}
    assert repeats == {"pgd.npz": {1}, "random.npz": {3}}


@pytest.mark.real_data
def test_one_command_makes_a_boards_table_and_goes_on_where_it_stopped(
    run, tmp_path: Path, capsys
) -> None:
    of = ("--defenses", "Bag", "--attacks", "Random", "--seeds", "0", "--repeats", "1")
    assert run("reproduce", BOARD, *of, "--out", "made") == 0
    told = capsys.readouterr().out
    assert "defenses by the mean over budgets, percent" in told
    assert "no such table is published" in told
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "made" / "models").iterdir()}
    found = json.loads((tmp_path / "made" / "results.json").read_text("utf-8"))
    assert found["difficulties"] == list(BUDGETS)
    cells = [(one["attack"], one["defense"]) for one in found["cells"]]
    assert cells == [("clean", "Bag"), ("Random", "Bag")]
    table = (tmp_path / "made" / "results.md").read_text("utf-8")
    assert [line for line in table.splitlines() if line.endswith(":")] == [f"{b}:" for b in BUDGETS]
    assert run("reproduce", BOARD, *of, "--out", "made") == 0
    assert {path: path.stat().st_mtime_ns for path in made} == made


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("train", BOARD, "--architecture", "GCN"), "found GCN; allowed: Bag, meanGINE, GIN"),
        (("train", BOARD, "--hidden", "8,8"), "parameters/hidden: found [8, 8]"),
        (("train", BOARD, "--mode", "transductive"), "--mode: found transductive"),
        (("train", BOARD, "--weight-decay", "0.1"), "--weight-decay: found 0.1"),
        (("train", BOARD, "--adversarial", "FGSM"), "--adversarial: found FGSM; allowed: AttrPGD"),
        (("train", "digits/injection", "--batch", "4"), "--batch: found 4"),
        (("attack", BOARD), "--surrogate: found nothing"),
        (("attack", BOARD, "--method", "BruteForce"), "found BruteForce; allowed: Random, AdjPGD"),
        (("attack", BOARD, "--difficulty", "1"), "1; allowed: all of 1, 2, 3, 4, 5: none may"),
        (("attack", BOARD, "--difficulty", "full"), "found full; allowed: 1, 2, 3, 4, 5"),
        (("attack", BOARD, "--method", "Random", "--set", "kind=none"), "kind: found 'none'"),
        (("attack", BOARD, "--method", "Random", "--set", "rate=1"), "Random takes kind"),
        (("tune", BOARD), "found whole graphs, allowed: the nodes of one graph"),
        (("reproduce", BOARD, "--difficulty", "full"), "one or more of 1, 2, 3, 4, 5"),
        (("reproduce", "zinc/adjacency@1"), "zinc: data not present"),
    ],
    ids=lambda one: " ".join(one[2:]) or one[0] if isinstance(one, tuple) else "",
)
def test_what_a_board_on_whole_graphs_does_not_take_is_refused(
    words: tuple[str, ...], told: str, run, capsys
) -> None:
    assert run(*words) != 0
    assert told in " ".join(capsys.readouterr().err.split())


@pytest.mark.real_data
def test_the_usual_recipe_is_the_thesis_and_its_sizes_are_the_datas() -> None:
    dataset = datasets.load("mutag", GraphDataset, data_dir=data_folder())
    found = usual("DropGINE", dataset)
    printed = RECIPES["mutag"]["DropGINE"]
    assert (found.learning_rate, found.batch, found.epochs, found.patience) == (1e-2, 32, 300, 100)
    assert found.parameters == {"runs": 18}  # 17.9 nodes on average
    assert found.schedule == printed.schedule


def test_a_model_without_a_printed_recipe_has_a_usual_one() -> None:
    assert usual("GIN", small_dataset()).learning_rate == 1e-3


@pytest.mark.real_data
def test_a_surrogate_of_other_data_is_refused(run, tmp_path: Path, capsys) -> None:
    model = small_model("GIN").float()
    save(tmp_path / "other.safetensors", model)
    assert load(tmp_path / "other.safetensors", model.shape)[1].architecture == "GIN"
    assert Shape.of(small_dataset()) == model.shape
    assert run("attack", BOARD, "--surrogate", "other.safetensors") != 0
    assert "nodes: found shape" in capsys.readouterr().err


def test_numbers_of_a_random_attack_are_within_the_budget_of_each_graph() -> None:
    """A rewired edge costs two: at budget 1 nothing is rewired."""
    attack = attack_of("adjacency", "Random", {"kind": "rewire"}, DATASET)
    found = attack_board(attack, None, board("adjacency"), DATASET, repeats=1)
    most = {name: int(np.diff(found[name][0].graph_ptr).max()) for name in BUDGETS}
    assert most == {"1": 0, "2": 2, "3": 2, "4": 4, "5": 4}


@pytest.mark.real_data
def test_the_commands_of_the_page_run_in_order(run) -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "reproduction-graph-level.md"
    blocks = re.findall(
        r"^```sh run\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    lines = [shlex.split(line) for block in blocks for line in block.splitlines()]
    assert [words[:2] for words in lines] == [
        ["grb", command] for command in ("train", "attack", "check", "evaluate")
    ]
    for _, *words in lines:
        assert run(*words) == 0, words
