import { memo, useEffect, useId, useMemo, useRef, useState, type ReactNode } from "react";

import type { Leaderboard, LeaderboardRow } from "../../../api/types";
import { useChoices, useScores } from "../../../board";
import { SIDE_NAMES } from "../../../words";
import { FIXED, columnsOf } from "./columns";
import { BEST, KINDS, NO_FILTERS, TRAINED, choices, filtersInUse, type Filters, type TableState } from "./state";

interface RankingControlsProps {
  leaderboard: Leaderboard;
  state: TableState;
  onChange: (state: TableState) => void;
}

const KIND_NAMES = { reference: "References", upload: "Uploads" };
const BEST_NAMES = { submitter: "Best of each submitter and family", team: "Best of each team and family" };
const TRAINED_NAMES = { yes: "Adversarially trained", no: "Not adversarially trained" };

/** Search, filters and columns of one ranking; all of it is in the address. */
export const RankingControls = memo(function RankingControls({
  leaderboard,
  state,
  onChange,
}: RankingControlsProps) {
  const { side, rows, flags } = leaderboard;
  const { filters } = state;
  const filter = (change: Partial<Filters>) => {
    onChange({ ...state, filters: { ...filters, ...change }, place: 0 });
  };
  const used = filtersInUse(filters);
  const families = useMemo(() => options(rows, ({ family }) => family), [rows]);
  const details = useMemo(
    () => options(rows, ({ architecture, surrogate }) => architecture ?? surrogate),
    [rows],
  );
  return (
    <div className="controls" role="search" aria-label={`${SIDE_NAMES[side]}s`}>
      <Text
        label={`Search ${side}s`}
        placeholder="Name or author"
        value={filters.find}
        onChange={(find) => {
          filter({ find });
        }}
      />
      <Menu title={`Filters${used > 0 ? ` (${used})` : ""}`}>
        <div className="menu-body">
          <Select
            label="Family"
            value={filters.family}
            options={families}
            onChange={(family) => {
              filter({ family });
            }}
          />
          <Select
            label={side === "defense" ? "Architecture" : "Surrogate"}
            value={filters.detail}
            options={details}
            onChange={(detail) => {
              filter({ detail });
            }}
          />
          <Text
            label="Author"
            value={filters.author}
            onChange={(author) => {
              filter({ author });
            }}
          />
          <Select
            label="Kind"
            value={filters.kind}
            options={KINDS.map((kind) => [kind, KIND_NAMES[kind]])}
            onChange={(kind) => {
              filter({ kind: kind as Filters["kind"] });
            }}
          />
          <Select
            label="Flag"
            value={filters.flag}
            options={flags.map(({ code, title }) => [code, title])}
            onChange={(flag) => {
              filter({ flag });
            }}
          />
          {side === "defense" && (
            <Select
              label="Training"
              value={filters.trained}
              options={TRAINED.map((trained) => [trained, TRAINED_NAMES[trained]])}
              onChange={(trained) => {
                filter({ trained: trained as Filters["trained"] });
              }}
            />
          )}
          <Select
            label="Entries"
            value={filters.best}
            options={BEST.map((best) => [best, BEST_NAMES[best]])}
            onChange={(best) => {
              filter({ best: best as Filters["best"] });
            }}
          />
          {used > 0 && (
            <button
              type="button"
              onClick={() => {
                filter({ ...NO_FILTERS, find: filters.find });
              }}
            >
              Clear the filters
            </button>
          )}
        </div>
      </Menu>
      <Columns leaderboard={leaderboard} state={state} onChange={onChange} />
    </div>
  );
});

function Columns({ leaderboard, state, onChange }: RankingControlsProps) {
  const { side, difficulty, metric } = leaderboard;
  const [choices, scores] = [useChoices(), useScores()];
  const columns = columnsOf({
    ...{ side, difficulty, metric, choices, scores },
    ...{ scale: { low: 0, high: 1 }, kinds: [], held: true },
  });
  const hidden = new Set(state.hidden);
  return (
    <Menu title={`Columns${hidden.size > 0 ? ` (${hidden.size} hidden)` : ""}`}>
      <fieldset className="menu-body">
        <legend className="unseen">Columns of {side}s</legend>
        {columns.map(({ id, header }) => {
          if (FIXED.includes(id) || id === difficulty) return null;
          return (
            <label key={id} className="check">
              <input
                type="checkbox"
                checked={!hidden.has(id)}
                onChange={({ target }) => {
                  const others = state.hidden.filter((other) => other !== id);
                  onChange({ ...state, hidden: target.checked ? others : [...others, id] });
                }}
              />
              {header}
            </label>
          );
        })}
      </fieldset>
    </Menu>
  );
}

/** What opens below its title, and closes by Escape, or where the focus or a click goes elsewhere. */
function Menu({ title, children }: { title: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: PointerEvent) => {
      const inside = target instanceof Node && menu.current?.contains(target);
      if (menu.current && !inside) menu.current.open = false;
    };
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
    };
  }, []);
  return (
    <details
      ref={menu}
      className="menu"
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape" || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector("summary")?.focus();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) {
          currentTarget.open = false;
        }
      }}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function options(
  rows: readonly LeaderboardRow[],
  of: Parameters<typeof choices>[1],
): [string, string][] {
  return choices(rows, of).map((value) => [value, value]);
}

interface InputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A text that is typed here at once, and put into the address by its owner. */
function Text({ label, value, onChange, placeholder }: InputProps & { placeholder?: string }) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  if (given !== value) {
    // the address changed: by this input, or by a link or the way back
    setGiven(value);
    if (typed.trim() !== value.trim()) setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => {
      onChange(typed);
    }, TYPING);
    return () => {
      clearTimeout(timer);
    };
  });
  return (
    <Labelled id={id} label={label}>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
        }}
      />
    </Labelled>
  );
}

/** Milliseconds without a key after which what was typed is looked for. */
const TYPING = 120;

function Select({ label, value, options: offered, onChange }: InputProps & { options: [string, string][] }) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      >
        <option value="">All</option>
        {value !== "" && !offered.some(([known]) => known === value) && (
          <option value={value}>{value}</option>
        )}
        {offered.map(([known, words]) => (
          <option key={known} value={known}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function Labelled({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="control">
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}
