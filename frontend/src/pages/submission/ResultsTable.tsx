import { Link } from "react-router";

import { cellAddress } from "../../address";
import type { Difficulty, MatrixCell, Submission } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { ScoreValue } from "../../components/ScoreValue";
import { StateTag } from "../../components/StateTag";
import { CLEAN, DIFFICULTIES, DIFFICULTY_NAMES, SIDE_NAMES } from "../../words";

/** The entry's row or column of the matrix, at every difficulty. */
export function ResultsTable({ submission }: { submission: Submission }) {
  const names = new Map(submission.counterparts.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? submission.marked[id] ?? id;
  const other = submission.side === "defense" ? "attack" : "defense";
  const results = inOrder(submission.results, [...names.keys()], other);
  return (
    <DataTable name="results" caption="Accuracy (%); each state or number leads to its cell.">
      <thead>
        <tr>
          <th scope="col">{SIDE_NAMES[other]}</th>
          <th scope="col">Cell</th>
          {DIFFICULTIES.map((difficulty) => (
            <th scope="col" className="number" key={difficulty}>
              {DIFFICULTY_NAMES[difficulty]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {results.map((cell) => (
          <tr key={cell.id} className={cell.attack === CLEAN ? "clean" : ""}>
            <th scope="row">
              <EntryLink entry={{ id: cell[other], name: nameOf(cell[other]) }} />
            </th>
            <td>
              <Link to={cellAddress(cell.id)}>
                <StateTag state={cell.state} />
              </Link>
            </td>
            {DIFFICULTIES.map((difficulty) => (
              <td className="number" key={difficulty}>
                <Accuracy cell={cell} difficulty={difficulty} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function Accuracy({ cell, difficulty }: { cell: MatrixCell; difficulty: Difficulty }) {
  const score = cell.accuracy[difficulty];
  if (score === undefined) return <ScoreValue score={score} />;
  return (
    <Link className="plain" to={cellAddress(cell.id)}>
      <ScoreValue score={score} />
    </Link>
  );
}

function inOrder(
  results: readonly MatrixCell[],
  order: readonly string[],
  other: "attack" | "defense",
): MatrixCell[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const place = (cell: MatrixCell) => places.get(cell[other]) ?? order.length;
  return [...results].sort((a, b) => place(a) - place(b));
}
