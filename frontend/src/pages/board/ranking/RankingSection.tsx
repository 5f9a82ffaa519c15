import { useQuery } from "@tanstack/react-query";
import { memo, useCallback, useMemo } from "react";
import { useSearchParams } from "react-router";

import { changed, sheetAddress } from "../../../address";
import { leaderboardQuery, wholeQuery, type RankingChoice } from "../../../api/queries";
import type { Leaderboard, Side } from "../../../api/types";
import { Loaded } from "../../../components/Loaded";
import { Notice } from "../../../components/Notice";
import { RankingControls } from "./RankingControls";
import { RankingTable } from "./RankingTable";
import { needsAll, tableAddress, tableState, type TableState } from "./state";

interface RankingSectionProps {
  id: string;
  choice: RankingChoice;
  interval: number;
}

const TITLES: Record<Side, string> = { defense: "Defenses", attack: "Attacks" };

/**
 * One ranking with what chooses among its rows.  The part that the address names is read first; the
 * whole follows, so that sorting and searching concern every row and ask nobody.
 */
export const RankingSection = memo(function RankingSection({ id, choice, interval }: RankingSectionProps) {
  const { side } = choice;
  const [search, setSearch] = useSearchParams();
  const state = useMemo(() => tableState(search, side), [search, side]);
  const part = useQuery(leaderboardQuery(id, choice, needsAll(state) ? 0 : state.place, interval));
  const covers = part.data?.row === 0 && part.data.total <= entriesOf(part.data);
  const whole = useQuery({
    ...wholeQuery(id, choice, part.data?.revision ?? 0),
    enabled: part.data !== undefined && !covers && !part.isPlaceholderData,
  });
  const change = useCallback(
    (next: TableState) => {
      setSearch((now) => new URLSearchParams(changed(now, tableAddress(next, side))), {
        replace: true,
        preventScrollReset: true,
      });
    },
    [setSearch, side],
  );
  return (
    <section aria-labelledby={`${side}s`}>
      <h2 id={`${side}s`}>{TITLES[side]}</h2>
      <Loaded query={part} what={`the ranking of ${side}s`}>
        {(data) => {
          if (data.total === 0) return <Notice kind="note">No {side} is registered yet.</Notice>;
          const all = covers ? data : whole.data;
          return (
            <>
              <RankingControls leaderboard={all ?? data} state={state} onChange={change} />
              <RankingTable
                leaderboard={all ?? data}
                whole={all !== undefined}
                busy={part.isPlaceholderData || (all === undefined && needsAll(state))}
                state={state}
                onSort={(sort) => {
                  change({ ...state, sort, place: 0 });
                }}
                address={(place) => changed(search, tableAddress({ ...state, place }, side))}
              />
              {whole.error !== null && all === undefined && needsAll(state) && (
                <Notice kind="warning">
                  Not all of the ranking could be read, so it is neither sorted nor filtered.{" "}
                  <button type="button" onClick={() => void whole.refetch()}>
                    Try again
                  </button>
                </Notice>
              )}
              <p className="small">
                <a href={sheetAddress(id, choice, side, choice.metric)} download>
                  The ranking of {side}s as CSV
                </a>
              </p>
            </>
          );
        }}
      </Loaded>
    </section>
  );
});

function entriesOf({ rows }: Leaderboard): number {
  return rows.filter(({ entry }) => entry !== null).length;
}
