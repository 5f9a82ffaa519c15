import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";

import { changed, filesOf, submissionAddress, useChoice } from "../../address";
import { authQuery, everything, useChange } from "../../api/account";
import { holdoutsQuery } from "../../api/queries";
import type { Holdouts, Submission } from "../../api/types";
import { scaleName, useBoard, useChoices } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { DataTable } from "../../components/DataTable";
import { Exports } from "../../components/Exports";
import { Notice } from "../../components/Notice";
import { count, percent } from "../../format";
import { DIFFICULTY_NAMES } from "../../words";

/** Whether a defense is robust only to the budget that it trained on; nothing where a board has no hold-outs. */
export function HoldoutsSection({ submission }: { submission: Submission }) {
  const ranked = submission.side === "defense" && submission.state === "ranked";
  return ranked ? <Section submission={submission} /> : null;
}

function Section({ submission }: { submission: Submission }) {
  const [search] = useSearchParams();
  const choices = useChoices();
  const { difficulty } = useChoice();
  const scale = scaleName(useBoard()).toLowerCase();
  const query = useQuery(holdoutsQuery(submission.id, difficulty));
  const session = useQuery(authQuery).data?.session;
  const found = query.data;
  if (found === undefined || found.attacks === 0) return null;
  const asks = session != null && (submission.yours || session.role === "admin");
  const asked = found.due && found.failed === 0;
  if (!found.due && found.done === 0 && !asks) return null;
  return (
    <section aria-labelledby="holdouts">
      <h2 id="holdouts">Under budgets that it did not train on</h2>
      <p>
        {found.done} of {found.attacks} are measured{found.failed > 0 && `, ${count(found.failed)} failed`}.
        Nobody is ranked by these.
      </p>
      {asks && !asked && <Ask id={submission.id} />}
      {found.rows.length > 0 && (
        <>
          <ChoiceLinks
            label={`Their ${scale}`}
            names={DIFFICULTY_NAMES}
            options={choices}
            chosen={difficulty}
            address={(option) => `${changed(search, { difficulty: option })}#holdouts`}
          />
          <Rows rows={found.rows} busy={query.isPlaceholderData} />
          <Exports
            what="These hold-outs"
            files={filesOf(`${submissionAddress(submission.id)}/holdouts`, `?difficulty=${difficulty}`)}
          />
        </>
      )}
    </section>
  );
}

function Ask({ id }: { id: string }) {
  const change = useChange(() => undefined, everything);
  return (
    <>
      {change.error && <Notice kind="warning">{change.error.message}</Notice>}
      <p>
        <button
          type="button"
          disabled={change.isPending}
          onClick={() => {
            change.mutate({ method: "POST", path: `/submissions/${id}/holdouts` });
          }}
        >
          Measure it
        </button>
      </p>
    </>
  );
}

const BUDGETS = new Map([
  [0.5, "Half the budget"],
  [1, "The board’s budget"],
  [2, "Double the budget"],
]);

function Rows({ rows, busy }: { rows: Holdouts["rows"]; busy: boolean }) {
  return (
    <DataTable
      name="holdouts"
      className="compact"
      busy={busy}
      caption="The reference attacks once more at half, once and double the budget, and families that are not among them."
    >
      <thead>
        <tr>
          <th scope="col">Attacks</th>
          <th scope="col" className="number">
            How many
          </th>
          <th scope="col" className="number">
            Mean (%)
          </th>
          <th scope="col" className="number">
            Lowest (%)
          </th>
          <th scope="col">Under</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.kind} ${row.factor}`}>
            <th scope="row">{row.kind === "unseen" ? "Unseen families" : BUDGETS.get(row.factor)}</th>
            <td className="number">{count(row.attacks)}</td>
            <td className="number">{percent(row.mean)}</td>
            <td className="number">{percent(row.worst)}</td>
            <td>{row.worst_attack}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
