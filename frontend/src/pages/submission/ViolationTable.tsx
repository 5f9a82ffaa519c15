import type { Violation } from "../../api/types";
import { DataTable } from "../../components/DataTable";

/** Every fault of a file: where it is, what was found, what is allowed. */
export function ViolationTable({ violations }: { violations: Violation[] }) {
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
