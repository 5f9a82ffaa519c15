import type { Board, Budget, Submission } from "../../api/types";
import { scaleName, useBoard } from "../../board";
import { DataTable } from "../../components/DataTable";
import { DASH, count, meanCount, percent } from "../../format";
import { DIFFICULTY_NAMES } from "../../words";

const KINDS: Record<Budget["spent"][number]["kind"], string> = {
  nodes: "Nodes injected",
  edges: "Edges injected",
  ends: "Their ends at injected nodes",
  added: "Edges added",
  removed: "Edges removed",
  values: "Values of features changed",
};

/** What an attack uses of its budget at each difficulty, beside what it may. */
export function BudgetSection({ submission }: { submission: Submission }) {
  const { side, state, validated_at: checked } = submission;
  if (side === "defense" || state === "rejected" || checked === null) return null;
  return (
    <section aria-labelledby="budget">
      <h2 id="budget">What it uses of its budget</h2>
      {submission.budget === null ? (
        <p>It is not known: this file was checked before the service counted it.</p>
      ) : (
        <BudgetTable budgets={submission.budget} />
      )}
    </section>
  );
}

function BudgetTable({ budgets }: { budgets: NonNullable<Submission["budget"]> }) {
  const board = useBoard();
  const carried = board.difficulties.filter((difficulty) => budgets[difficulty] !== undefined);
  const kinds = Object.values(budgets)[0]?.spent.map(({ kind }) => kind) ?? [];
  return (
    <DataTable
      name="budget"
      caption={captionOf(board)}
    >
      <thead>
        <tr>
          <th scope="col">{scaleName(board)}</th>
          <th scope="col" className="number" title="Of all edges, flips or changes that are allowed">
            Budget used (%)
          </th>
          {kinds.map((kind) => (
            <th scope="col" className="number" key={kind}>
              {KINDS[kind]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {carried.map((difficulty) => (
          <tr key={difficulty}>
            <th scope="row">{DIFFICULTY_NAMES[difficulty]}</th>
            <td className="number">{percent(budgets[difficulty]?.share)}</td>
            {kinds.map((kind) => (
              <td className="number" key={kind}>
                <Spent budget={budgets[difficulty]} kind={kind} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function captionOf({ dataset_details: { graphs } }: Board): string {
  const counted = "Counted by the service from the file: the mean over repeats";
  return graphs > 0
    ? `${counted}, the most in one repeat, and what is allowed, over all test graphs together.`
    : `${counted}, the most in one repeat, and what is allowed. No board lets features of its nodes be changed.`;
}

function Spent({ budget, kind }: { budget: Budget | undefined; kind: keyof typeof KINDS }) {
  const found = budget?.spent.find((one) => one.kind === kind);
  if (found === undefined) return DASH;
  const { mean, most, allowed } = found;
  return (
    <>
      {meanCount(mean)}{" "}
      <span className="small">
        {most !== mean && `at most ${count(most)}`}
        {most !== mean && allowed !== null && ", "}
        {allowed !== null && `of ${count(allowed)}`}
      </span>
    </>
  );
}
