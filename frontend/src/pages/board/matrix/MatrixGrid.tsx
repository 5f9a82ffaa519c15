import {
  memo,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
} from "react";

import type { Grid } from "../../../api/types";
import { useScores } from "../../../board";
import { Marks } from "../../../components/Marks";
import { Notice } from "../../../components/Notice";
import { StateTag } from "../../../components/StateTag";
import { useFollow } from "../../../components/follow";
import { count } from "../../../format";
import { inFull } from "../../../scores";
import { atDifficulty } from "../../../words";
import { Head, Line } from "./cells";
import { modelOf, type Model } from "./model";
import { inside, movedBy, type Place, type Size } from "./moves";
import { placesOf, show, useSizes, useWindow, type Sizes } from "./visible";

/**
 * Every attack against every defense in one grid; each number leads to its cell.
 *
 * Head, first column and the row without an attack stay in sight.  Of a large matrix only what is in
 * sight is drawn.  Arrow keys move from cell to cell.
 */
export function MatrixGrid({ grid, busy }: { grid: Grid; busy: boolean }) {
  const scores = useScores();
  const model = useMemo(() => modelOf(grid, scores), [grid, scores]);
  if (grid.total_columns === 0) {
    return <Notice kind="note">There is no defense yet, so nothing could be measured.</Notice>;
  }
  return (
    <>
      <Region model={model} busy={busy} />
      <Legend model={model} />
    </>
  );
}

function Region({ model, busy }: { model: Model; busy: boolean }) {
  const { grid, scores } = model;
  const caption = useId();
  const [region, setRegion] = useState<HTMLElement | null>(null);
  const follow = useFollow();
  const sizes = useSizes(scores.errors);
  const rows = grid.attacks.length - 1; // the row without an attack stands on its own
  const columns = grid.defenses.length;
  const shown = useWindow(region, sizes, { rows, columns });
  const { active, onKeyDown, onFocus } = useActive(region, { rows: rows + 1, columns }, (to) => {
    if (region !== null) show(region, to, sizes, rows);
  });
  const across = placesOf(shown.columns, active.column, columns).join();
  const line = {
    model,
    columns: useMemo(() => (across === "" ? [] : across.split(",").map(Number)), [across]), // the same while its content is
    width: sizes.cell.width,
  };
  const stop = (row: number) => (active.row === row ? active.column : null);
  return (
    // keys move between the links and texts inside, which take the focus
    <>
      <p className="caption" id={caption}>
        {inFull(scores)} of each defense under each attack, {atDifficulty(grid.difficulty)}.
      </p>
      <div
        ref={setRegion}
        className="matrix-region"
        role="presentation"
        aria-busy={busy}
        style={lengths(sizes, rows, columns)}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onClick={follow}
      >
        <table
          role="grid"
          className="matrix-grid"
          data-table="matrix"
          aria-labelledby={caption}
          aria-rowcount={grid.total_rows + 2}
          aria-colcount={grid.total_columns + 1}
        >
          <thead role="rowgroup">
            <Heads {...line} stop={stop(-1)} />
          </thead>
          <tbody role="rowgroup">
            {placesOf(shown.rows, active.row, rows).map((row) => (
              <Line key={row} {...line} row={row} top={row * sizes.cell.height} index={grid.row + row + 2} stop={stop(row)} />
            ))}
          </tbody>
          <tfoot role="rowgroup">
            <Line {...line} row={rows} top={0} index={grid.total_rows + 2} stop={stop(rows)} />
          </tfoot>
        </table>
      </div>
    </>
  );
}

/** The one place that is in the tab order, and what moves it. */
function useActive(
  region: HTMLElement | null,
  size: Size,
  bring: (to: Place) => void,
) {
  const [chosen, setChosen] = useState<Place>({ row: 0, column: 0 });
  const moved = useRef(false);
  const active = inside(chosen, size);
  useLayoutEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    const cell = region?.querySelector(`[data-at="${active.row} ${active.column}"]`);
    cell?.querySelector<HTMLElement>("a, [tabindex]")?.focus({ preventScroll: true });
  });
  return {
    active,
    onFocus: ({ target }: FocusEvent) => {
      const [row, column] = (target.closest("[data-at]")?.getAttribute("data-at") ?? "").split(" ").map(Number);
      if (row !== undefined && column !== undefined) setChosen({ row, column });
    },
    onKeyDown: (event: KeyboardEvent) => {
      const to = event.altKey || event.metaKey ? null : movedBy(event.key, event.ctrlKey, active, size);
      if (to === null) return;
      event.preventDefault();
      moved.current = true;
      setChosen(to);
      bring(to);
    },
  };
}

function lengths({ head, cell }: Sizes, rows: number, columns: number): CSSProperties {
  return {
    "--head-width": `${head.width}px`,
    "--head-height": `${head.height}px`,
    "--cell-width": `${cell.width}px`,
    "--cell-height": `${cell.height}px`,
    "--rows": rows,
    "--columns": columns,
  } as CSSProperties;
}

interface HeadsProps {
  model: Model;
  columns: readonly number[];
  width: number;
  stop: number | null;
}

const Heads = memo(function Heads({ model: { grid }, columns, width, stop }: HeadsProps) {
  return (
    <tr role="row" aria-rowindex={1}>
      <th role="columnheader" scope="col" aria-colindex={1}>
        Attack \ Defense
      </th>
      {columns.map((column) => {
        const entry = grid.defenses[column];
        return (
          <th
            role="columnheader"
            scope="col"
            key={column}
            aria-colindex={grid.column + column + 2}
            data-at={`-1 ${column}`}
            style={{ left: column * width }}
          >
            {entry && <Head entry={entry} stop={stop === column} />}
          </th>
        );
      })}
    </tr>
  );
});

function Legend({ model: { scores, ends, waiting } }: { model: Model }) {
  const [best, worst] = ends.map((end) => (scores.errors ? String(end) : `${Math.round(100 * end)} %`));
  return (
    <div className="legend">
      <span aria-hidden="true" className="legend">
        {best} <span className="legend-scale" /> {worst}
      </span>
      <Marks where="of those shown" />
      {waiting.map(([state, number]) => (
        <span key={state}>
          {count(number)} <StateTag state={state} />
        </span>
      ))}
      <span>Arrow keys move between cells.</span>
    </div>
  );
}
