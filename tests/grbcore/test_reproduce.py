"""`grb reproduce`: a board's whole table, resumed where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe, Surrogate
from grbcore.cli import main as command
from grbcore.datasets import Dataset
from grbcore.matrix import evaluate_matrix
from grbcore.reproduction import (
    Failure,
    Plan,
    Results,
    Task,
    estimate,
    make_all,
    measure_all,
    plan,
)
from grbcore.results import CLEAN, Cell
from grbcore.study import surrogate_study
from grbcore.violations import Refused

GCN = DefenseRecipe(name="GCN", architecture="GCN", parameters={"hidden": [4]}, epochs=2)
GIN = GCN.model_copy(update={"name": "GIN", "architecture": "GIN", "starter": False})
RANDOM = AttackRecipe(name="RND", method="RND")
FGSM = AttackRecipe(
    name="FGSM",
    method="FGSM",
    arguments={"steps": 2, "step_size": 0.01},
    surrogate=Surrogate(architecture="GCN", parameters={"hidden": [4]}, seed=9),
)
BROKEN = GCN.model_copy(update={"name": "broken", "parameters": {"hidden": [4], "no": 1}})


@pytest.fixture(scope="module")
def small(board: Board) -> Board:
    """The digits board with recipes that take no time."""
    return board.model_copy(update={"defenses": (GCN, GIN), "attacks": (RANDOM, FGSM)})


class Notes:
    """What a watch was told."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.failed: list[Failure] = []
        self.measured: list[int] = []

    def began(self, task: Task) -> None: ...

    def moved(self, task: Task, fraction: float) -> None: ...

    def ended(self, task: Task, seconds: float, failure: Failure | None) -> None:
        self.made.append(task.name)
        self.failed += [failure] if failure else []

    def counted(self, done: int, total: int) -> None:
        self.measured.append(done)


def planned(board: Board, digits: Dataset, folder: Path, **wanted: object) -> Plan:
    choice: dict[str, object] = {"seeds": (0, 1), "repeats": 2, "difficulties": ("easy", "full")}
    return plan(board, digits, folder, **(choice | wanted))  # type: ignore[arg-type]


def run(board: Board, digits: Dataset, folder: Path, **wanted: object) -> tuple[Results, Notes]:
    notes = Notes()
    one = planned(board, digits, folder, **wanted)
    failures = make_all(one, notes)
    return Results(one, measure_all(one, notes.counted), tuple(failures)), notes


@pytest.fixture(scope="module")
def done(
    small: Board, digits: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Results, Notes]:
    return run(small, digits, tmp_path_factory.mktemp("done"))


def test_every_recipe_is_trained_from_every_seed_and_attacks_at_every_difficulty(
    done: tuple[Results, Notes],
) -> None:
    assert done[1].made == [
        "surrogate of FGSM",
        *("GCN, seed 0", "GIN, seed 0", "GCN, seed 1", "GIN, seed 1"),
        *("RND, easy", "RND, full", "FGSM, easy", "FGSM, full"),
    ]


def test_there_is_a_cell_for_every_row_defense_and_seed(done: tuple[Results, Notes]) -> None:
    expected = {
        (attack, defense, seed)
        for attack in (CLEAN, "RND", "FGSM")
        for defense in ("GCN", "GIN")
        for seed in (0, 1)
    }
    assert set(done[0].cells) == expected


def test_a_row_joins_the_files_of_its_difficulties(done: tuple[Results, Notes]) -> None:
    cell = done[0].cells["FGSM", "GCN", 1]
    assert {name: len(counts) for name, counts in cell.correct.items()} == {"easy": 2, "full": 2}


def test_a_second_run_makes_and_measures_nothing_and_finds_the_same(
    small: Board, digits: Dataset, done: tuple[Results, Notes]
) -> None:
    again, notes = run(small, digits, done[0].plan.folder)
    assert notes.made == []
    assert notes.measured == [20]  # two models × two seeds × (clean + two files of two attacks)
    first = {place: cell.correct for place, cell in done[0].cells.items()}
    assert {place: cell.correct for place, cell in again.cells.items()} == first


def test_one_more_seed_makes_and_measures_only_what_is_missing(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    wanted = {"defenses": ["GCN"], "attacks": ["RND"], "difficulties": ("full",)}
    run(small, digits, tmp_path, seeds=(0,), **wanted)
    _, notes = run(small, digits, tmp_path, seeds=(0, 1), **wanted)
    assert notes.made == ["GCN, seed 1"]
    assert notes.measured == [2, 3, 4]


def test_a_cell_is_what_evaluating_its_files_gives(
    small: Board, digits: Dataset, done: tuple[Results, Notes]
) -> None:
    one = done[0].plan
    (model,) = (t.path for t in one.defenses if t.name == "GIN, seed 1")
    (attack,) = (t.path for t in one.attacks if t.name == "FGSM, full")
    matrix = evaluate_matrix({"GIN": model}, {"FGSM": attack}, one.board, digits)
    found = done[0].cells["FGSM", "GIN", 1]
    assert found.correct["full"] == matrix.cell("FGSM", "GIN").correct["full"]


def test_a_broken_recipe_is_named_and_stops_no_other(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    board = small.model_copy(update={"defenses": (BROKEN, GCN), "attacks": (RANDOM,)})
    results, _ = run(board, digits, tmp_path, difficulties=("full",))
    assert {failure.task for failure in results.failures} == {"broken, seed 0", "broken, seed 1"}
    assert all("no" in failure.reason for failure in results.failures)
    assert results.defenses == ("GCN",)


def test_a_job_in_another_process_makes_the_same_bytes(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    wanted = {"attacks": [], "defenses": ["GCN"], "seeds": (0,)}
    files = []
    for jobs in (1, 2):
        one = planned(small, digits, tmp_path / str(jobs), **wanted)
        assert make_all(one, Notes(), jobs=jobs) == []
        files.append([task.path.read_bytes() for task in one.models])
    assert files[0] == files[1]


def hand_made(small: Board, digits: Dataset, folder: Path) -> Results:
    """Two seeds, two repeats, 10 targets: accuracies that one can do in one's head."""
    one = planned(small, digits, folder, attacks=["RND"], defenses=["GCN"], difficulties=("full",))
    cells = {
        (CLEAN, "GCN", 0): Cell(CLEAN, "GCN", {"full": (9,)}, {"full": 10}),
        (CLEAN, "GCN", 1): Cell(CLEAN, "GCN", {"full": (7,)}, {"full": 10}),
        ("RND", "GCN", 0): Cell("RND", "GCN", {"full": (5, 7)}, {"full": 10}),
        ("RND", "GCN", 1): Cell("RND", "GCN", {"full": (4, 4)}, {"full": 10}),
    }
    return Results(one, cells)


def test_the_summary_is_mean_and_std_over_seeds_of_the_mean_over_repeats(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    """RND: seeds 0.6 and 0.4, mean 0.5, std 0.1; clean: 0.9 and 0.7."""
    found = {row["attack"]: row for row in hand_made(small, digits, tmp_path).summary()}
    assert found["RND"]["mean"] == pytest.approx(0.5)
    assert found["RND"]["std"] == pytest.approx(0.1)
    assert found[CLEAN]["mean"] == pytest.approx(0.8)
    assert found[CLEAN]["std"] == pytest.approx(0.1)


def test_the_ranking_is_over_every_draw_of_seed_and_repeat(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    """Weights of two rows are 4/5 and 1/5, the lower first: .58, .74, .46, .46."""
    (row,) = hand_made(small, digits, tmp_path).pooled().leaderboard("defense").rows
    draws = [0.8 * a + 0.2 * c for a, c in ((0.5, 0.9), (0.7, 0.9), (0.4, 0.7), (0.4, 0.7))]
    assert row.metrics["full"].weighted.mean == pytest.approx(np.mean(draws))
    assert row.metrics["full"].weighted.std == pytest.approx(np.std(draws))


def test_the_record_holds_cells_by_seed_files_machine_and_versions(
    done: tuple[Results, Notes],
) -> None:
    written = {path.name: path for path in done[0].write("full")}
    assert set(written) == {f"results.{kind}" for kind in ("json", "csv", "tex", "md", "png")}
    record = json.loads(written["results.json"].read_text())
    assert record["seeds"] == [0, 1]
    assert {cell["seed"] for cell in record["cells"]} == {0, 1}
    assert {"cpu", "cores", "torch", "numpy"} <= set(record["host"])
    assert {"file", "sha256", "seconds", "source", "fit"} <= set(record["models"][1])
    assert len(written["results.csv"].read_text().splitlines()) == 1 + 2 * 2 * (4 + 2 * 4)


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        ({"defenses": ["GCNN"]}, "--defenses"),
        ({"attacks": ["rnd"]}, "--attacks"),
        ({"attacks": ["RND", "RND"]}, "--attacks"),
        ({"seeds": ()}, "--seeds"),
        ({"seeds": (-1,)}, "--seeds"),
        ({"seeds": (1, 1)}, "--seeds"),
        ({"repeats": 0}, "--repeats"),
        ({"difficulties": ("huge",)}, "--difficulty"),
        ({"published": (Path("nowhere"),)}, "--published"),
    ],
)
def test_what_is_not_there_is_refused_by_name(
    small: Board, digits: Dataset, tmp_path: Path, wanted: dict[str, object], place: str
) -> None:
    with pytest.raises(Refused) as refused:
        planned(small, digits, tmp_path, **wanted)
    assert [violation.place for violation in refused.value.violations] == [place]


def test_without_names_the_starter_set_may_be_asked_for(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    one = planned(small, digits, tmp_path, starter=True, seeds=(0,))
    assert [task.recipe.name for task in one.defenses] == ["GCN"]


def test_a_published_attack_is_one_more_row(real_data: Path, tmp_path: Path) -> None:
    board = catalog.board("grb-cora/injection@1")
    recipe = GCN.model_copy(update={"parameters": {"hidden": [4]}})
    board = board.model_copy(update={"defenses": (recipe,), "attacks": ()})
    dataset = datasets.load("grb-cora", data_dir=real_data)
    folder = real_data / "attacks" / "grb-cora" / "gia"
    results, _ = run(board, dataset, tmp_path, seeds=(0,), published=(folder,))
    assert results.attacks == ("gia",)
    assert set(results.cells["gia", "GCN", 0].correct) == {"full"}


def test_the_estimate_is_about_what_is_missing(
    small: Board, digits: Dataset, done: tuple[Results, Notes], tmp_path: Path
) -> None:
    assert estimate(done[0].plan) == {}
    found = estimate(planned(small, digits, tmp_path, seeds=(0,), difficulties=("full",)))
    names = {task.name for task in found}
    assert names == {"surrogate of FGSM", "GCN, seed 0", "GIN, seed 0", "RND, full", "FGSM, full"}
    assert all(seconds > 0 for seconds in found.values())


def test_of_a_recipe_that_fails_nothing_is_estimated(
    small: Board, digits: Dataset, tmp_path: Path
) -> None:
    board = small.model_copy(update={"defenses": (BROKEN,), "attacks": ()})
    (seconds,) = estimate(planned(board, digits, tmp_path, seeds=(0,))).values()
    assert np.isnan(seconds)


def test_a_study_attacks_from_every_model_that_is_not_trained_adversarially(small: Board) -> None:
    asked = surrogate_study(small)
    assert [attack.name for attack in asked.attacks] == ["FGSM from GCN", "FGSM from GIN"]
    surrogates = [attack.surrogate for attack in asked.attacks]
    assert [one and one.architecture for one in surrogates] == ["GCN", "GIN"]
    assert all(attack.arguments == FGSM.arguments for attack in asked.attacks)


def test_a_study_of_what_is_not_there_is_refused_with_every_fault(small: Board) -> None:
    with pytest.raises(Refused) as refused:
        surrogate_study(small, "RND", targets=["GCNN"], surrogates=["GIM"])
    places = [violation.place for violation in refused.value.violations]
    assert places == ["--method", "--defenses", "--surrogates"]


@pytest.fixture
def known(small: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command finds the small board."""
    monkeypatch.setattr("grbcore.catalog.reading.boards", lambda: {small.id: small})


def grb(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["grb", *arguments])
    try:
        command.main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.usefixtures("known")
def test_the_command_prints_an_estimate_first_and_the_ranking_last(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    choice = ("--seeds", "0", "--difficulty", "full", "--repeats", "1", "--out", str(tmp_path))
    assert grb(monkeypatch, "reproduce", "digits/injection", *choice) == 0
    said = capsys.readouterr().out
    order = ["5 files, 0 of them there", "training: 3 files, about", "GIN, seed 0:", "rank"]
    assert [said.find(words) for words in order] == sorted(said.find(words) for words in order)
    assert all(words in said for words in order)
    assert (tmp_path / "results.json").is_file()
    assert "±" not in said  # one seed and one repeat have no spread


@pytest.mark.usefixtures("known")
def test_the_study_writes_a_row_for_each_surrogate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    choice = ("--defenses", "GCN,GIN", "--surrogates", "GCN", "--repeats", "1")
    code = grb(
        monkeypatch, "study", "surrogates", "digits/injection", *choice, "--out", str(tmp_path)
    )
    assert code == 0
    record = json.loads((tmp_path / "results.json").read_text())
    assert {row["attack"] for row in record["summary"]} == {CLEAN, "FGSM from GCN"}
    assert (tmp_path / "results.png").is_file()


@pytest.mark.usefixtures("known")
def test_what_other_code_made_is_named_and_made_anew_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    choice = ("--defenses", "GCN", "--attacks", "RND", "--seeds", "0", "--difficulty", "full")
    arguments = ("reproduce", "digits/injection", *choice, "--out", str(tmp_path))
    assert grb(monkeypatch, *arguments) == 0
    (beside,) = (tmp_path / "models").glob("GCN-*.json")
    beside.write_text(json.dumps(json.loads(beside.read_text()) | {"source": "other"}))
    assert grb(monkeypatch, *arguments) == 0
    assert "made by other code than this: GCN; --again" in capsys.readouterr().out
    assert grb(monkeypatch, *arguments, "--again", "GCN") == 0
    assert json.loads(beside.read_text())["source"] != "other"


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--seeds", "a", "--seeds: found a; allowed: whole numbers with commas"),
        ("--attacks", "NO", "--attacks: found NO; allowed: RND, FGSM"),
        ("--again", "NO", "--again: found NO; allowed: FGSM, GCN, GIN, RND, surrogate"),
    ],
)
def test_a_wrong_option_is_told_with_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    option: str,
    value: str,
    said: str,
) -> None:
    arguments = ("digits/injection", option, value, "--out", str(tmp_path / "out"))
    assert grb(monkeypatch, "reproduce", *arguments) == 1
    assert said in capsys.readouterr().err
