import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { Link, useSearchParams } from "react-router";

import { changed, sheets } from "../../../address";
import { wholeQuery } from "../../../api/queries";
import type { Leaderboard, Side } from "../../../api/types";
import { Exports } from "../../../components/Exports";
import { useFollow } from "../../../components/follow";
import { Loaded } from "../../../components/Loaded";
import { Notice } from "../../../components/Notice";
import { count } from "../../../format";
import { RankingControls } from "./RankingControls";
import { RankingTable } from "./RankingTable";
import { needsAll, tableAddress, type TableState } from "./state";
import type { Ranking } from "./useRanking";

const TITLES: Record<Side, string> = { defense: "Defenses", attack: "Attacks" };

/**
 * One ranking with what chooses among its rows.  The part that the address names is read first; the
 * whole follows, so that sorting and searching concern every row and ask nobody.
 */
export function RankingSection({ id, choice, state, part }: Ranking) {
  const { side, metric } = choice;
  const follow = useFollow();
  const [, setSearch] = useSearchParams();
  const covers = part.data?.row === 0 && part.data.total <= entriesOf(part.data);
  const whole = useQuery({
    ...wholeQuery(id, choice, part.data),
    enabled: part.data !== undefined && !covers && !part.isPlaceholderData,
  });
  const latest = useRef(setSearch); // another one for each address, where the table needs one for all
  useEffect(() => {
    latest.current = setSearch;
  }, [setSearch]);
  const change = useCallback(
    (next: TableState) => {
      latest.current((now) => new URLSearchParams(changed(now, tableAddress(next, side))), {
        replace: true,
        preventScrollReset: true,
      });
    },
    [side],
  );
  return (
    <section className="part" aria-labelledby={`${side}s`}>
      <h2 id={`${side}s`}>{TITLES[side]}</h2>
      <Loaded query={part} what={`the ranking of ${side}s`}>
        {(data) => {
          if (data.total === 0) return <Notice kind="note">No {side} is registered yet.</Notice>;
          const all = covers ? data : whole.data;
          const waits = all === undefined && needsAll(state);
          return (
            <>
              <RankingControls leaderboard={all ?? data} state={state} onChange={change} />
              <div className="ranked" onClick={follow}>
                <RankingTable
                  leaderboard={all ?? data}
                  whole={all !== undefined}
                  busy={part.isPlaceholderData || waits}
                  state={state}
                  onChange={change}
                />
              </div>
              <p className="small">
                {intervalWords(data.intervals)} <Link to="/guide/ranking">What the numbers mean</Link>
              </p>
              {whole.error !== null && waits && (
                <Notice kind="warning">
                  Not all of the ranking could be read, so it is neither sorted nor filtered.{" "}
                  <button type="button" onClick={() => void whole.refetch()}>
                    Try again
                  </button>
                </Notice>
              )}
              <Exports what={`The ranking of ${side}s`} files={sheets(id, choice, side, metric, state.filters)} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** What the intervals of a ranking are of, as a sentence. */
function intervalWords(found: Leaderboard["intervals"]): string {
  if (found === null) return "Intervals are not computed yet.";
  if (found.too_large) return "Intervals are not computed: too many cells.";
  const state = found.stale ? "; they are being recomputed" : "";
  const draws = `${count(found.draws)} draws, those of ranks of ${count(found.rank_draws)}`;
  return `Intervals of ${draws}, for revision ${found.revision} of the board${state}.`;
}

function entriesOf({ rows }: Leaderboard): number {
  return rows.filter(({ entry }) => entry !== null).length;
}
