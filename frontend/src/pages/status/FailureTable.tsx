import type { Failure } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { count } from "../../format";
import { FAULTS, OUTCOMES, WORKS } from "../../words";

/** What went wrong, by whose fault, and how it ended. */
export function FailureTable({ failures }: { failures: Failure[] }) {
  return (
    <DataTable
      name="failures"
      caption="By fault of the submission a failure is final. By fault of this service it is tried again, and charged to nobody."
    >
      <thead>
        <tr>
          <th scope="col">Fault of</th>
          <th scope="col">What failed</th>
          <th scope="col">Code</th>
          <th scope="col">How it ended</th>
          <th scope="col" className="number">
            Count
          </th>
        </tr>
      </thead>
      <tbody>
        {failures.map((kind) => (
          <tr key={`${kind.family} ${kind.work} ${kind.code} ${kind.outcome}`}>
            <th scope="row">{FAULTS[kind.family]}</th>
            <td>{WORKS[kind.work]}</td>
            <td>
              <code>{kind.code}</code>
            </td>
            <td>{OUTCOMES[kind.outcome]}</td>
            <td className="number">{count(kind.count)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
