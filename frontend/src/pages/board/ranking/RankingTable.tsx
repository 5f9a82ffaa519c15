import {
  flexRender,
  getCoreRowModel,
  useReactTable,
  type Column as DrawnColumn,
  type Header,
  type Updater,
} from "@tanstack/react-table";
import { memo, useMemo } from "react";
import { useSearchParams } from "react-router";

import { changed } from "../../../address";
import { STEPS } from "../../../api/queries";
import type { Leaderboard, LeaderboardRow, Side } from "../../../api/types";
import { isOfGraphs, useBoard, useChoices, useScores } from "../../../board";
import { DataTable } from "../../../components/DataTable";
import { FlagMeanings } from "../../../components/Flags";
import { Pages } from "../../../components/Pages";
import { count, sentence } from "../../../format";
import { orderOf, rankedBy } from "../../../scores";
import { SIDE_NAMES } from "../../../words";
import { scaleOf } from "./Interval";
import { FIXED, columnsOf, type Column, type ColumnMeta } from "./columns";
import { filtersInUse, matches, sorted, tableAddress, type TableState } from "./state";

interface RankingTableProps {
  leaderboard: Leaderboard;
  /** Whether these are all rows, so that they can be sorted and filtered here. */
  whole: boolean;
  busy: boolean;
  state: TableState;
  onChange: (state: TableState) => void;
}

/**
 * The ranking of one side.  Filters hide rows and sorting moves them; the ranks stay those of the
 * API.  One part is drawn at a time: a page of a thousand rows is slow to draw and to read out, and so
 * the table is told of no row: it keeps the columns, and rows are chosen and sorted as they came.
 */
export const RankingTable = memo(function RankingTable({
  leaderboard,
  whole,
  busy,
  state,
  onChange,
}: RankingTableProps) {
  const { rows, side, difficulty, metric, flags } = leaderboard;
  const choices = useChoices();
  const graphs = isOfGraphs(useBoard());
  const scores = useScores();
  const scale = useMemo(
    () => scaleOf(rows, difficulty, metric, scores),
    [rows, difficulty, metric, scores],
  );
  const held = useMemo(() => rows.some(({ entry }) => entry?.held_out != null), [rows]);
  const columns = useMemo(
    () =>
      columnsOf({ side, difficulty, choices, metric, scores, scale, kinds: flags, held }),
    [side, difficulty, choices, metric, scores, scale, flags, held],
  );
  const step = STEPS[`${side}s`];
  const by = whole ? columns.find(({ id }) => id === state.sort?.column) : undefined;
  const sorting =
    by === undefined ? [] : [{ id: by.id, desc: state.sort?.descending === true }];
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing here is compiled
  const table = useReactTable<LeaderboardRow>({
    data: NONE,
    columns,
    state: {
      sorting,
      columnVisibility: Object.fromEntries(
        state.hidden.filter((id) => !FIXED.includes(id)).map((id) => [id, false]),
      ),
    },
    autoResetAll: false, // it would set state while an address is being followed, again and again
    enableMultiSort: false,
    manualSorting: true,
    manualFiltering: true,
    getCoreRowModel: getCoreRowModel(),
    onSortingChange: (change: Updater<{ id: string; desc: boolean }[]>) => {
      const [next] = typeof change === "function" ? change(sorting) : change;
      const sort = next === undefined ? null : { column: next.id, descending: next.desc };
      onChange({ ...state, sort, place: 0 });
    },
  });
  const found = useMemo(() => rowsOf(rows, by, whole, state), [rows, by, whole, state]);
  const total = whole ? found.length : leaderboard.total;
  const first = Math.min(state.place, Math.max(0, Math.ceil(total / step) - 1) * step);
  const shown = whole ? found.slice(first, first + step) : found;
  const visible = table.getVisibleLeafColumns();
  const clean = rows.find((row) => !isEntry(row));
  const chooses = whole && (filtersInUse(state.filters) > 0 || state.filters.find.trim() !== "");
  return (
    <>
      <p className="small found" role="status">
        {chooses && `${count(total)} of ${count(leaderboard.total)} ${side}s are shown.`}
      </p>
      <Parts side={side} state={state} first={first} total={total} />
      <DataTable
        name={`${side}s`}
        busy={busy}
        className="ranking"
        caption={
          <>
            {rankedBy(metric, side, scores, graphs)} {sentence(orderOf(side, scores))} Marks below scores: the score and its
            95 % interval on a scale from {scores.write(scale.low)} to {scores.write(scale.high)}
            {scores.errors ? "." : " %."}
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
          {/* by their places: the elements stay, whichever rows they show */}
          {shown.map((row, place) => (
            <Line key={place} row={row} columns={visible} />
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
      <FlagMeanings kinds={flags} side={side} />
    </>
  );
});

const NONE: LeaderboardRow[] = [];

/** The entries that are shown, in their order: of a part of the ranking, all of them as they are. */
function rowsOf(
  rows: readonly LeaderboardRow[],
  by: Column | undefined,
  whole: boolean,
  { sort, filters }: TableState,
): readonly LeaderboardRow[] {
  const found = rows.filter((row) => (whole ? matches(row, filters) : isEntry(row)));
  return by === undefined ? found : sorted(found, by.value, sort?.descending === true);
}

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

function isEntry({ entry }: LeaderboardRow): boolean {
  return entry !== null;
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

interface LineProps {
  row: LeaderboardRow;
  columns: readonly DrawnColumn<LeaderboardRow>[];
}

/** Rows are the same objects whatever their order; only other columns change what one shows. */
const Line = memo(function Line({ row, columns }: LineProps) {
  return (
    <tr className={isEntry(row) ? "" : "clean"}>
      {columns.map((column) => {
        const { className, draw } = metaOf(column);
        return column.id === "name" ? (
          <th key="name" scope="row" data-column="name">
            <span className="entry-name">{draw(row)}</span>
          </th>
        ) : (
          <td key={column.id} className={className} data-column={column.id}>
            {draw(row)}
          </td>
        );
      })}
    </tr>
  );
});
