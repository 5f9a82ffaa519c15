import type { ReactNode } from "react";

import type { Violation } from "../../api/types";
import { DataTable } from "../../components/DataTable";

interface ViolationsProps {
  violations: readonly Violation[];
  /** What is said before them, also where none is listed. */
  children?: ReactNode;
}

/** What is wrong with a file; nothing where nothing is. */
export function Violations({ violations, children }: ViolationsProps) {
  if (violations.length === 0 && children === undefined) return null;
  return (
    <section aria-labelledby="violations">
      <h2 id="violations">What is wrong with the file</h2>
      {children}
      {violations.length > 0 && <ViolationTable violations={violations} />}
    </section>
  );
}

/** Every fault of a file: where it is, what was found, what is allowed. */
function ViolationTable({ violations }: { violations: readonly Violation[] }) {
  return (
    <DataTable name="violations" caption="The same check runs offline: grb check." className="violations">
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">Found</th>
          <th scope="col">Allowed</th>
          <th scope="col">Code</th>
        </tr>
      </thead>
      <tbody>
        {violations.map((violation, index) => (
          <tr key={index}>
            <th scope="row">
              <code>{violation.place}</code>
            </th>
            <td>{violation.found}</td>
            <td>{violation.allowed}</td>
            <td>
              <code>{violation.code}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
