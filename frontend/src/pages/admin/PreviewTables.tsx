import { useState } from "react";
import { Link } from "react-router";

import { cellAddress } from "../../address";
import type { JobPreview } from "../../api/admin";
import type { MatrixEntry } from "../../api/types";
import { useScores } from "../../board";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { StateTag } from "../../components/StateTag";
import { DASH, count } from "../../format";

type Change = JobPreview["defenses"][number];

function changes({ rank_before, rank_after, weighted_before, weighted_after }: Change): boolean {
  return rank_before !== rank_after || weighted_before !== weighted_after;
}

/** Ranks before and after of one side; those that stay as they are on demand. */
export function RankTable(props: { name: string; what: string; changes: Change[] }) {
  const [all, setAll] = useState(false);
  const scores = useScores();
  const moving = props.changes.filter(changes);
  const shown = all ? props.changes : moving;
  const same = props.changes.length - moving.length;
  return (
    <div>
      {shown.length === 0 ? (
        <p>{props.what}: every rank and score stays as it is.</p>
      ) : (
        <DataTable
          name={props.name}
          className="compact"
          caption={`${props.what}, by their new ranks. Weighted scores ${scores.in}.`}
        >
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="number">
                Rank before
              </th>
              <th scope="col" className="number">
                after
              </th>
              <th scope="col" className="number">
                Weighted before{scores.unit}
              </th>
              <th scope="col" className="number">
                after{scores.unit}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((change) => (
              <tr key={change.entry.id}>
                <th scope="row">
                  <EntryLink entry={change.entry} />
                </th>
                <td className="number">{change.rank_before ?? DASH}</td>
                <td className="number">{change.rank_after ?? DASH}</td>
                <td className="number">{scores.write(change.weighted_before)}</td>
                <td className="number">{scores.write(change.weighted_after)}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
      {same > 0 && (
        <p>
          <button
            type="button"
            aria-pressed={all}
            onClick={() => {
              setAll(!all);
            }}
          >
            {props.what} that stay as they are: {count(same)}
          </button>
        </p>
      )}
    </div>
  );
}

/** The cells that differ most. */
export function DifferenceTable({ cells }: { cells: JobPreview["largest"] }) {
  const scores = useScores();
  if (cells.length === 0) return null;
  return (
    <DataTable
      name="differences"
      className="compact"
      caption={`The largest differences of ${scores.many}, largest first.`}
    >
      <thead>
        <tr>
          <th scope="col">Attack</th>
          <th scope="col">Defense</th>
          <th scope="col" className="number">
            Before{scores.unit}
          </th>
          <th scope="col" className="number">
            After{scores.unit}
          </th>
        </tr>
      </thead>
      <tbody>
        {cells.map((cell) => (
          <tr key={`${cell.attack.id} ${cell.defense.id}`}>
            <th scope="row">
              <EntryLink entry={cell.attack} />
            </th>
            <td>
              <EntryLink entry={cell.defense} />
            </td>
            <td className="number">{scores.write(cell.before)}</td>
            <td className="number">{scores.write(cell.after)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** Cells without a new result, and who is to blame. */
export function UnmeasuredTable({ cells }: { cells: JobPreview["unmeasured"] }) {
  if (cells.length === 0) return null;
  return (
    <DataTable
      name="unmeasured"
      className="compact"
      caption="Cells without a new result: failed by the fault of an entry, or dead on this service."
    >
      <thead>
        <tr>
          <th scope="col">Attack</th>
          <th scope="col">Defense</th>
          <th scope="col">State</th>
          <th scope="col">Why</th>
          <th scope="col">To blame</th>
        </tr>
      </thead>
      <tbody>
        {cells.map((cell) => (
          <tr key={cell.cell}>
            <th scope="row">
              <EntryLink entry={cell.attack} />
            </th>
            <td>
              <EntryLink entry={cell.defense} />
            </td>
            <td>
              <Link to={cellAddress(cell.cell)}>
                <StateTag state={cell.state} />
              </Link>
            </td>
            <td>
              {cell.code !== null && <code>{cell.code}</code>} {cell.reason}
            </td>
            <td>{cell.blamed === null ? "this service" : <EntryLink entry={cell.blamed} />}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** Entries whose state would change. */
export function EntryList({ title, entries }: { title: string; entries: MatrixEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <EntryLink entry={entry} />
          </li>
        ))}
      </ul>
    </div>
  );
}
