import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useRef, useState } from "react";

import { entriesQuery, useAdminQuery, type AnyEntry } from "../../api/admin";
import { submissionQuery } from "../../api/queries";
import { Field } from "../../components/Field";
import { count } from "../../format";

interface EntryPickerProps {
  board: string;
  /** The ids that are chosen at first. */
  given: readonly string[];
  /** Something was taken away, which no field of the form tells. */
  onLess: () => void;
}

/** Entries of a board, found by a part of their name; the form gets their ids as `submissions`. */
export function EntryPicker({ board, given, onLess }: EntryPickerProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string | null>>(
    new Map(given.map((id) => [id, null])),
  );
  const [part, setPart] = useState("");
  const name = useDeferredValue(part.trim());
  const found = useAdminQuery({ ...entriesQuery({ board, name }), placeholderData: keepPreviousData });
  const finder = useRef<HTMLDivElement>(null);
  const put = ({ id, name: called }: Pick<AnyEntry, "id" | "name">, wanted: boolean) => {
    const next = new Map(chosen);
    if (wanted) next.set(id, called);
    else next.delete(id);
    setChosen(next);
  };
  const entries = found.data?.entries ?? [];
  return (
    <fieldset className="picker">
      <legend>Entries that take part</legend>
      <input type="hidden" name="submissions" value={[...chosen.keys()].join(" ")} />
      <p className="field-hint">
        {chosen.size === 0 ? "Every entry, unless you choose some." : "Cells in which one of these takes part:"}
      </p>
      {chosen.size > 0 && (
        <ul className="picked" aria-label="Chosen entries">
          {[...chosen].map(([id, called]) => (
            <li key={id}>
              <Picked
                id={id}
                name={called}
                onLeave={() => {
                  put({ id, name: "" }, false);
                  onLess();
                  finder.current?.querySelector("input")?.focus(); // the button that had it is gone
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {/* a word to search by selects nothing yet */}
      <div ref={finder} onChange={(event) => { event.stopPropagation(); }}>
        <Field
          label="Find entries by a part of their name"
          type="search"
          autoComplete="off"
          value={part}
          onChange={(event) => { setPart(event.target.value); }}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault(); // it is not the form’s button
          }}
        />
      </div>
      <p className="small" role="status">
        {found.data === undefined
          ? "Reading the entries …"
          : said(entries.length, found.data.next !== null)}
      </p>
      {(entries.length > 0 || found.isPending) && (
        <div className="offered" role="group" aria-label={`Entries of ${board}`}>
          {entries.map((entry) => (
            <label key={entry.id} className="check">
              <input
                type="checkbox"
                checked={chosen.has(entry.id)}
                onChange={(event) => { put(entry, event.target.checked); }}
              />
              <span>
                {entry.name}{" "}
                <span className="small">
                  {entry.side}, {entry.family}, {entry.state}
                </span>
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}

function said(entries: number, more: boolean): string {
  if (entries === 0) return "No entry has such a name.";
  if (more) return `The newest ${count(entries)}; type more of a name to see others.`;
  return entries === 1 ? "1 entry" : `${count(entries)} entries`;
}

/** One that is chosen; of an id that an address gave the name is read. */
function Picked({ id, name, onLeave }: { id: string; name: string | null; onLeave: () => void }) {
  const read = useQuery({ ...submissionQuery(id), enabled: name === null });
  const called = name ?? read.data?.name ?? id;
  return (
    <button type="button" className="chip" aria-label={`Leave out ${called}`} onClick={onLeave}>
      {called} <span aria-hidden="true">×</span>
    </button>
  );
}
