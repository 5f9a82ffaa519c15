import {
  flexRender,
  getCoreRowModel,
  getFilteredRowModel,
  getSortedRowModel,
  useReactTable,
  type Header,
  type Row,
  type Updater,
} from "@tanstack/react-table";
import { useMemo, type ReactNode } from "react";

import { STEPS } from "../../../api/queries";
import type { Leaderboard, LeaderboardRow } from "../../../api/types";
import { DataTable } from "../../../components/DataTable";
import { Pages } from "../../../components/Pages";
import { percent } from "../../../format";
import { CLEAN, RANKED_BY, SIDE_NAMES } from "../../../words";
import { columnsOf, type ColumnMeta } from "./columns";
import { scaleOf } from "./Interval";
import { filtersInUse, matches, type Filters, type Sort, type TableState } from "./state";

interface RankingTableProps {
  leaderboard: Leaderboard;
  /** Whether these are all rows, so that they can be sorted and filtered here. */
  whole: boolean;
  busy: boolean;
  state: TableState;
  onSort: (sort: Sort | null) => void;
  address: (place: number) => string;
}

const ORDER = { defense: "Higher is better.", attack: "Lower is stronger." };

/**
 * The ranking of one side.  Filters hide rows and sorting moves them; the ranks stay those of the
 * API.  One part is drawn at a time: a page of a thousand rows is slow to draw and to read out.
 */
export function RankingTable({ leaderboard, whole, busy, state, onSort, address }: RankingTableProps) {
  const { rows, side, difficulty, metric } = leaderboard;
  const scale = useMemo(() => scaleOf(rows, difficulty, metric), [rows, difficulty, metric]);
  const columns = useMemo(
    () => columnsOf(side, difficulty, metric, scale),
    [side, difficulty, metric, scale],
  );
  const step = STEPS[`${side}s`];
  const sorting =
    whole && state.sort !== null && columns.some(({ id }) => id === state.sort?.column)
      ? [{ id: state.sort.column, desc: state.sort.descending }]
      : [];
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is compiled
  const table = useReactTable<LeaderboardRow>({
    data: rows,
    columns,
    state: {
      sorting,
      globalFilter: whole ? state.filters : undefined,
      columnVisibility: Object.fromEntries(state.hidden.map((id) => [id, false])),
    },
    autoResetAll: false, // it would set state while an address is being followed, again and again
    getRowId: ({ entry }) => entry?.id ?? CLEAN,
    getCoreRowModel: getCoreRowModel(),
    getFilteredRowModel: getFilteredRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getColumnCanGlobalFilter: ({ id }) => id === "name",
    globalFilterFn: (row, _column, filters: Filters) => matches(row.original, filters),
    onSortingChange: (change: Updater<{ id: string; desc: boolean }[]>) => {
      const [next] = typeof change === "function" ? change(sorting) : change;
      onSort(next === undefined ? null : { column: next.id, descending: next.desc });
    },
  });
  const found = table.getSortedRowModel().rows.filter(isEntry);
  const total = whole ? found.length : leaderboard.total;
  const first = Math.min(state.place, Math.max(0, Math.ceil(total / step) - 1) * step);
  const shown = whole ? found.slice(first, first + step) : found;
  const clean = table.getCoreRowModel().rows.find((row) => !isEntry(row));
  const words = SIDE_NAMES[side];
  return (
    <>
      <Pages
        what={`${words}s`}
        label={`Parts of the ranking of ${side}s`}
        first={first}
        step={step}
        total={total}
        address={address}
      />
      <DataTable
        name={`${side}s`}
        busy={busy}
        className="ranking"
        caption={
          <>
            {RANKED_BY[side][metric]} {ORDER[side]} Marks below scores: mean and ± on a scale from{" "}
            {percent(scale.low)} to {percent(scale.high)} %.
          </>
        }
      >
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <Head key={header.id} header={header} ranked={sorting.length === 0} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {shown.map((row) => (
            <Line key={row.id} row={row} />
          ))}
          {shown.length === 0 && (
            <tr>
              <td colSpan={table.getVisibleLeafColumns().length}>
                No {side} is like that. The search{filtersInUse(state.filters) > 0 && " and the filters"}{" "}
                found none of {leaderboard.total}.
              </td>
            </tr>
          )}
          {clean && <Line row={clean} />}
        </tbody>
      </DataTable>
    </>
  );
}

function isEntry({ original }: Row<LeaderboardRow>): boolean {
  return original.entry !== null;
}

function metaOf(meta: unknown): ColumnMeta {
  return (meta ?? {});
}

interface HeadProps {
  header: Header<LeaderboardRow, unknown>;
  /** Whether the rows stand in the order of their ranks, which no column was asked for. */
  ranked: boolean;
}

/** A header that sorts: once, the other way round, not at all. */
function Head({ header: { column, getContext }, ranked }: HeadProps) {
  const { className, hint } = metaOf(column.columnDef.meta);
  const sorted = column.getIsSorted() || (ranked && column.id === "rank" && "asc");
  const order = sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : undefined;
  return (
    <th scope="col" className={className} data-column={column.id} aria-sort={order}>
      <button type="button" className="sort" title={hint} onClick={column.getToggleSortingHandler()}>
        {flexRender(column.columnDef.header, getContext())}
      </button>
    </th>
  );
}

function Line({ row }: { row: Row<LeaderboardRow> }): ReactNode {
  return (
    <tr className={isEntry(row) ? "" : "clean"}>
      {row.getVisibleCells().map(({ id, column, getContext }) => {
        const { className } = metaOf(column.columnDef.meta);
        const content = flexRender(column.columnDef.cell, getContext());
        return column.id === "name" ? (
          <th key={id} scope="row" data-column="name">
            <span className="entry-name">{content}</span>
          </th>
        ) : (
          <td key={id} className={className} data-column={column.id}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}
