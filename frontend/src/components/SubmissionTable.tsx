import type { ReactNode } from "react";
import { Link } from "react-router";

import { boardAddress, submissionAddress } from "../address";
import type { SubmissionSummary } from "../api/types";
import { progress } from "../format";
import { stoppedBy } from "../stopped";
import { SIDE_NAMES, familyName } from "../words";
import { DataTable } from "./DataTable";
import { StateTag } from "./StateTag";
import { Time } from "./Time";
import { VisibilityTag } from "./VisibilityTag";

interface SubmissionTableProps {
  caption: ReactNode;
  submissions: SubmissionSummary[];
  withBoard?: boolean;
}

/** Submissions with their state, one a row. */
export function SubmissionTable({ caption, submissions, withBoard = false }: SubmissionTableProps) {
  return (
    <DataTable name="submissions" caption={caption}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Side</th>
          {withBoard && <th scope="col">Board</th>}
          <th scope="col">Family</th>
          <th scope="col">Authors</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Cells done
          </th>
          <th scope="col">Received</th>
        </tr>
      </thead>
      <tbody>
        {submissions.map((submission) => (
          <tr key={submission.id}>
            <th scope="row">
              <Link to={submissionAddress(submission.id)}>{submission.name}</Link>
            </th>
            <td>{SIDE_NAMES[submission.side]}</td>
            {withBoard && (
              <td>
                <Link to={boardAddress(submission.board)}>{submission.board}</Link>
              </td>
            )}
            <td>{familyName(submission.family)}</td>
            <td className="authors">{submission.authors}</td>
            <td>
              <SubmissionMarks submission={submission} />
            </td>
            <td className="number">
              <CellsDone submission={submission} />
            </td>
            <td>
              <Time at={submission.received_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** The state, and the marks that stand beside it. */
export function SubmissionMarks({ submission }: { submission: SubmissionSummary }) {
  return (
    <span className="entry">
      {stoppedBy(submission) === null && <StateTag state={submission.state} />}
      {submission.deleted && <span className="tag">deleted</span>}
      {submission.withdrawn && <span className="tag">withdrawn</span>}
      {submission.hidden && <span className="tag">hidden</span>}
      {submission.is_reference && <span className="tag">reference</span>}
      <VisibilityTag of={submission} />
    </span>
  );
}

function CellsDone({ submission }: { submission: SubmissionSummary }) {
  const { done, total } = progress(submission.cells);
  return total === 0 ? <span className="none">–</span> : `${done} of ${total}`;
}
