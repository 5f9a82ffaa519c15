import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";

import { cellAddress, changed } from "../../address";
import { measuresQuery } from "../../api/queries";
import type { Difficulty, MatrixCell, Measures, Submission } from "../../api/types";
import { useChoices, useScores } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Loaded } from "../../components/Loaded";
import { ScoreValue } from "../../components/ScoreValue";
import { StateTag } from "../../components/StateTag";
import { count } from "../../format";
import { inFull } from "../../scores";
import { CLEAN, DIFFICULTY_NAMES, SIDE_NAMES } from "../../words";

const MEASURES = {
  accuracy: "Accuracy",
  macro_f1: "Macro-F1",
  balanced_accuracy: "Balanced accuracy",
};
type Measure = keyof typeof MEASURES;
const ALL = Object.keys(MEASURES) as Measure[];

const CAPTIONS: Record<Exclude<Measure, "accuracy">, string> = {
  macro_f1: "Macro-F1 (%): the mean of F1 over the classes that have targets.",
  balanced_accuracy:
    "Balanced accuracy (%): the mean over classes of the share of their targets that is right.",
};

/** The entry's results by the measure of the address. */
export function Results({ submission }: { submission: Submission }) {
  const [search] = useSearchParams();
  const { errors } = useScores();
  const measure = ALL.find((name) => name === search.get("measure")) ?? "accuracy";
  const measures = useQuery(measuresQuery(submission.id, measure !== "accuracy"));
  return (
    <>
      {!errors && (
        <ChoiceLinks
          label="Measure"
          names={MEASURES}
          options={ALL}
          chosen={measure}
          address={(name) => `${changed(search, { measure: name })}#results`}
        />
      )}
      {measure === "accuracy" ? (
        <ResultsTable submission={submission} measure={measure} />
      ) : (
        <Loaded query={measures} what="the measures">
          {(found) => (
            <>
              {found.unknown > 0 && (
                <p>
                  Of {count(found.unknown)} {found.unknown === 1 ? "cell" : "cells"} it is not known: for
                  which class targets were taken was not kept. A re-evaluation keeps it.
                </p>
              )}
              <ResultsTable submission={measured(submission, found, measure)} measure={measure} />
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

/** The submission with another measure in place of the accuracies of its results. */
function measured(
  submission: Submission,
  found: Measures,
  measure: "macro_f1" | "balanced_accuracy",
): Submission {
  const known = new Map(found.cells.map((one) => [one.cell, one[measure]]));
  const results = submission.results.map((cell) => ({ ...cell, accuracy: known.get(cell.id) ?? {} }));
  return { ...submission, results };
}

interface TableProps {
  submission: Submission;
  measure: Measure;
}

/** The entry's row or column of the matrix, at every difficulty. */
function ResultsTable({ submission, measure }: TableProps) {
  const choices = useChoices();
  const scores = useScores();
  const names = new Map(submission.counterparts.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? submission.marked[id] ?? id;
  const other = submission.side === "defense" ? "attack" : "defense";
  const results = inOrder(submission.results, [...names.keys()], other);
  return (
    <DataTable name="results" caption={measure === "accuracy" ? `${inFull(scores)}; each state or number leads to its cell.` : CAPTIONS[measure]}>
      <thead>
        <tr>
          <th scope="col">{SIDE_NAMES[other]}</th>
          <th scope="col">Cell</th>
          {choices.map((difficulty) => (
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
            {choices.map((difficulty) => (
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
