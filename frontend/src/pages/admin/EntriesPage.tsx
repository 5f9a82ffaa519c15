import { useState } from "react";
import { Link } from "react-router";

import { entriesQuery, useAdminQuery, type AnyEntry } from "../../api/admin";
import { Choose } from "../../components/Choose";
import { DataTable } from "../../components/DataTable";
import { Field } from "../../components/Field";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { StateTag } from "../../components/StateTag";
import { Time } from "../../components/Time";
import { SIDE_NAMES, SUBMISSION_STATES } from "../../words";
import { AdminFrame } from "./AdminFrame";
import { BoardChoice } from "./BoardChoice";
import { EntryDialog, type EntryAction } from "./EntryDialog";
import { CursorLinks, FilterForm, useFilters } from "./FilterForm";

const SIDES = [["", "both"], ["attack", "attacks"], ["defense", "defenses"]] as const;
const STATES = [
  ["", "every state"],
  ...Object.keys(SUBMISSION_STATES).map((state) => [state, state] as const),
] as const;
const MARKS = [
  ["", "with or without"],
  ...["reference", "withdrawn", "hidden", "deleted"].map((mark) => [mark, mark] as const),
] as const;

type Asked = { entry: AnyEntry; action: EntryAction } | null;

/** Entries of all kinds, with what a mark hides from others; hidden, shown and deleted here. */
export function EntriesPage() {
  const filters = useFilters(["board", "side", "state", "mark", "name", "user"]);
  const entries = useAdminQuery(entriesQuery(filters));
  const [asked, setAsked] = useState<Asked>(null);
  return (
    <AdminFrame heading="Entries">
      <FilterForm what="entries">
        <BoardChoice chosen={filters.board} />
        <Choose label="Side" name="side" defaultValue={filters.side} options={SIDES} />
        <Choose label="State" name="state" defaultValue={filters.state} options={STATES} />
        <Choose label="Mark" name="mark" defaultValue={filters.mark} options={MARKS} />
        <Field label="Part of the name" name="name" defaultValue={filters.name} />
        <Field label="Identifier of a user" name="user" defaultValue={filters.user} />
      </FilterForm>
      <Loaded query={entries} what="the entries">
        {(found) =>
          found.entries.length === 0 ? (
            <Notice kind="note">There is no such entry.</Notice>
          ) : (
            <>
              <EntryTable entries={found.entries} onAsk={setAsked} />
              <CursorLinks what="entries" next={found.next} />
            </>
          )
        }
      </Loaded>
      {asked !== null && (
        <EntryDialog
          {...asked}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
    </AdminFrame>
  );
}

function EntryTable({ entries, onAsk }: { entries: AnyEntry[]; onAsk: (asked: Asked) => void }) {
  return (
    <DataTable
      name="entries"
      caption="Newest first. Hiding takes an entry out of the rankings and can be undone; deleting can’t."
    >
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Side</th>
          <th scope="col">Board</th>
          <th scope="col">User</th>
          <th scope="col">State</th>
          <th scope="col">Received</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <th scope="row">
              <Link to={entry.url}>{entry.name}</Link>
              <span className="id">
                {entry.family}, {entry.authors}
              </span>
            </th>
            <td>{SIDE_NAMES[entry.side]}</td>
            <td>{entry.board}</td>
            <td>
              <Link to={`/admin/entries?user=${entry.user_id}`}>{entry.user}</Link>
            </td>
            <td>
              <Marks entry={entry} />
            </td>
            <td>
              <Time at={entry.received_at} />
            </td>
            <td>
              <Actions entry={entry} onAsk={onAsk} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function Marks({ entry }: { entry: AnyEntry }) {
  return (
    <span className="entry">
      <StateTag state={entry.state} />
      {entry.is_reference && <span className="tag">reference</span>}
      {entry.withdrawn_at !== null && <span className="tag">withdrawn</span>}
      {entry.hidden_at !== null && <span className="tag">hidden</span>}
      {entry.deleted_at !== null && <span className="tag">deleted</span>}
      {entry.reason !== null && <span className="hint">{entry.reason}</span>}
    </span>
  );
}

function Actions({ entry, onAsk }: { entry: AnyEntry; onAsk: (asked: Asked) => void }) {
  if (entry.deleted_at !== null) return <span className="none">–</span>;
  const waits = entry.state === "received" || entry.state === "validating";
  const actions: [EntryAction, string][] = [
    entry.hidden_at === null ? ["hide", "Hide"] : ["show", "Show"],
    ...(waits ? ([["revalidate", "Check again"]] as [EntryAction, string][]) : []),
    ...(entry.is_reference ? [] : ([["delete", "Delete"]] as [EntryAction, string][])),
  ];
  return (
    <span className="actions">
      {actions.map(([action, word]) => (
        <button
          key={action === "show" ? "hide" : action} // the same button: it keeps the focus
          type="button"
          aria-label={`${word} ${entry.name}`}
          onClick={() => {
            onAsk({ entry, action });
          }}
        >
          {word}
        </button>
      ))}
      {(entry.state === "ranked" || entry.state === "failed") && (
        <Link
          to={`/admin/reevaluations/new?board=${entry.board}&submissions=${entry.id}&side=${entry.side}`}
          aria-label={`Evaluate ${entry.name} once more`}
        >
          Evaluate once more
        </Link>
      )}
    </span>
  );
}
