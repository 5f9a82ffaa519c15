import { Link } from "react-router";

import { auditQuery, useAdminQuery, type AuditLine } from "../../api/admin";
import { boardAddress, submissionAddress } from "../../address";
import { Choose } from "../../components/Choose";
import { DataTable } from "../../components/DataTable";
import { Field } from "../../components/Field";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Time } from "../../components/Time";
import { DASH } from "../../format";
import { AdminFrame } from "./AdminFrame";
import { CursorLinks, FilterForm, useFilters } from "./FilterForm";

const KINDS = [
  ["", "everything"],
  ...["submission", "cell", "board", "reevaluation", "user"].map(
    (kind) => [kind, kind] as const,
  ),
] as const;

/** Who did what, when and why. */
export function AuditPage() {
  const filters = useFilters(["subject_kind", "subject_id", "action", "user"]);
  const audit = useAdminQuery(auditQuery(filters));
  return (
    <AdminFrame heading="Audit log">
      <FilterForm what="lines of the audit log">
        <Choose
          label="About"
          name="subject_kind"
          defaultValue={filters.subject_kind}
          options={KINDS}
        />
        <Field label="Its identifier" name="subject_id" defaultValue={filters.subject_id} />
        <Field label="Action begins with" name="action" defaultValue={filters.action} />
        <Field label="Done by (identifier)" name="user" defaultValue={filters.user} />
      </FilterForm>
      <Loaded query={audit} what="the audit log">
        {(found) =>
          found.entries.length === 0 ? (
            <Notice kind="note">Nothing of the kind was done.</Notice>
          ) : (
            <>
              <AuditTable lines={found.entries} />
              <CursorLinks what="the audit log" next={found.next} />
            </>
          )
        }
      </Loaded>
    </AdminFrame>
  );
}

function AuditTable({ lines }: { lines: AuditLine[] }) {
  return (
    <DataTable name="audit" caption="Newest first; nothing here can be changed.">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">Did</th>
          <th scope="col">To</th>
          <th scope="col">Why</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <th scope="row">
              <Time at={line.at} />
            </th>
            <td>
              {line.user ?? "the service"} <span className="id">by {line.via}</span>
            </td>
            <td>
              <Link to={`/admin/audit?action=${line.action}`}>{line.action}</Link>
            </td>
            <td>
              {line.subject_kind} <Subject line={line} />
            </td>
            <td className="authors">{line.reason ?? DASH}</td>
            <td>
              <Details of={line.details} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function Subject({ line: { subject_kind: kind, subject_id: id } }: { line: AuditLine }) {
  const address = {
    submission: submissionAddress(id),
    board: boardAddress(id),
    reevaluation: `/admin/reevaluations/${id}`,
    user: `/admin/entries?user=${id}`,
    cell: `/cells/${id}`,
  }[kind];
  return (
    <span className="id">
      {address === undefined ? id : <Link to={address}>{id}</Link>}
    </span>
  );
}

/** What an action noted, as terms and values. */
export function Details({ of }: { of: Record<string, unknown> }) {
  const known = Object.entries(of);
  if (known.length === 0) return <span className="none">–</span>;
  return (
    <dl className="details">
      {known.map(([term, value]) => (
        <div key={term}>
          <dt>{term.replaceAll("_", " ")}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
