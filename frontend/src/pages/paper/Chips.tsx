import { useEffect, useId, useRef } from "react";

import type { TableEntry } from "../../api/tables";

interface ChipsProps {
  /** Such as "Attacks" and "attack". */
  label: string;
  word: string;
  chosen: readonly TableEntry[];
  available: readonly TableEntry[];
  most: number;
  choose: (ids: readonly string[]) => void;
}

/** What is chosen as chips that leave by a click, and a list to add from. */
export function Chips({ label, word, chosen, available, most, choose }: ChipsProps) {
  const id = useId();
  const ids = chosen.map((entry) => entry.id);
  const list = useRef<HTMLUListElement>(null);
  const left = useRef<number | null>(null);
  const key = ids.join(" ");
  const others = available.filter((entry) => !ids.includes(entry.id));
  // where the chip was that had the focus, its neighbour has it, or the list to add from
  useEffect(() => {
    const place = left.current;
    left.current = null;
    if (place === null || document.activeElement !== document.body) return;
    const stops = list.current?.querySelectorAll<HTMLElement>("button, select") ?? [];
    stops[Math.min(place, stops.length - 1)]?.focus();
  }, [key]);

  return (
    <div className="chips" role="group" aria-labelledby={id}>
      <span className="choice-label" id={id}>
        {label}
      </span>
      <ul ref={list}>
        {chosen.map((entry, place) => (
          <li key={entry.id}>
            <button
              type="button"
              className="chip"
              aria-label={`Leave out ${entry.name}`}
              onClick={() => {
                left.current = place;
                choose(ids.filter((other) => other !== entry.id));
              }}
            >
              {entry.name} <span aria-hidden="true">×</span>
            </button>
          </li>
        ))}
        {others.length > 0 && chosen.length < most && (
          <li>
            <select
              aria-label={`Add ${word}`}
              value=""
              onChange={({ target }) => { choose([...ids, target.value]); }}
            >
              <option value="" disabled>
                Add {word} …
              </option>
              {others.map((entry) => (
                <option key={entry.id} value={entry.id}>
                  {entry.rank === null ? "" : `${entry.rank}. `}
                  {entry.name}
                </option>
              ))}
            </select>
          </li>
        )}
      </ul>
    </div>
  );
}
