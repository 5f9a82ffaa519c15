import {
  flexRender,
  getCoreRowModel,
  getFilteredRowModel,
  getSortedRowModel,
  useReactTable,
  type Column as DrawnColumn,
  type Header,
  type Row,
  type Updater,
} from "@tanstack/react-table";
import { memo, useMemo } from "react";
import { useSearchParams } from "react-router";

import { changed } from "../../../address";
import { STEPS } from "../../../api/queries";
import type { Leaderboard, LeaderboardRow, Side } from "../../../api/types";
import { DataTable } from "../../../components/DataTable";
import { Pages } from "../../../components/Pages";
import { percent } from "../../../format";
import { CLEAN, RANKED_BY, SIDE_NAMES } from "../../../words";
import { columnsOf, type ColumnMeta } from "./columns";
import { scaleOf } from "./Interval";
import { filtersInUse, matches, tableAddress, type Filters, type TableState } from "./state";

interface RankingTableProps {
  leaderboard: Leaderboard;
  /** Whether these are all rows, so that they can be sorted and filtered here. */
  whole: boolean;
  busy: boolean;
  state: TableState;
  onChange: (state: TableState) => void;
}

const ORDER = { defense: "Higher is better.", attack: "Lower is stronger." };

/**
 * The ranking of one side.  Filters hide rows and sorting moves them; the ranks stay those of the
 * API.  One part is drawn at a time: a page of a thousand rows is slow to draw and to read out.
 */
export const RankingTable = memo(function RankingTable({
  leaderboard,
  whole,
  busy,
  state,
  onChange,
}: RankingTableProps) {
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
      const sort = next === undefined ? null : { column: next.id, descending: next.desc };
      onChange({ ...state, sort, place: 0 });
    },
  });
  const found = table.getSortedRowModel().rows.filter(isEntry);
  const total = whole ? found.length : leaderboard.total;
  const first = Math.min(state.place, Math.max(0, Math.ceil(total / step) - 1) * step);
  const shown = whole ? found.slice(first, first + step) : found;
  const visible = table.getVisibleLeafColumns();
  const clean = table.getCoreRowModel().rows.find((row) => !isEntry(row));
  return (
    <>
      <Parts side={side} state={state} first={first} total={total} />
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
            <Line key={row.id} row={row} columns={visible} />
          ))}
          {shown.length === 0 && (
            <tr>
              <td colSpan={visible.length}>
                No {side} is like that. The search{filtersInUse(state.filters) > 0 && " and the filters"}{" "}
                found none of {leaderboard.total}.
              </td>
            </tr>
          )}
          {clean && <Line row={clean} columns={visible} />}
        </tbody>
      </DataTable>
    </>
  );
});

interface PartsProps {
  side: Side;
  state: TableState;
  first: number;
  total: number;
}

/** Which part is shown; it alone follows the rest of the address. */
function Parts({ side, state, first, total }: PartsProps) {
  const [search] = useSearchParams();
  return (
    <Pages
      what={`${SIDE_NAMES[side]}s`}
      label={`Parts of the ranking of ${side}s`}
      first={first}
      step={STEPS[`${side}s`]}
      total={total}
      address={(place) => changed(search, tableAddress({ ...state, place }, side))}
    />
  );
}

function isEntry({ original }: Row<LeaderboardRow>): boolean {
  return original.entry !== null;
}

function metaOf({ columnDef }: { columnDef: { meta?: unknown } }): ColumnMeta {
  return columnDef.meta as ColumnMeta;
}

interface HeadProps {
  header: Header<LeaderboardRow, unknown>;
  /** Whether the rows stand in the order of their ranks, which no column was asked for. */
  ranked: boolean;
}

/** A header that sorts: once, the other way round, not at all. */
function Head({ header: { column, getContext }, ranked }: HeadProps) {
  const { className, hint } = metaOf(column);
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

/** Rows are the same objects whatever their order; only other columns change what one shows. */
const Line = memo(
  function Line({ row: { original }, columns }: LineProps) {
    return (
      <tr className={original.entry === null ? "clean" : ""}>
        {columns.map((column) => {
          const { className, draw } = metaOf(column);
          return column.id === "name" ? (
            <th key="name" scope="row" data-column="name">
              <span className="entry-name">{draw(original)}</span>
            </th>
          ) : (
            <td key={column.id} className={className} data-column={column.id}>
              {draw(original)}
            </td>
          );
        })}
      </tr>
    );
  },
  (one, other) => one.row.original === other.row.original && one.columns === other.columns,
);

interface LineProps {
  row: Row<LeaderboardRow>;
  columns: readonly DrawnColumn<LeaderboardRow>[];
}
