import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "react-router";

import { leaderboardQuery, type RankingChoice } from "../../../api/queries";
import type { Leaderboard } from "../../../api/types";
import { needsAll, tableAddress, tableState, type TableState } from "./state";

export interface Ranking {
  id: string;
  choice: RankingChoice;
  state: TableState;
  /** The part that the address names; of a table that is sorted or filtered, the first. */
  part: UseQueryResult<Leaderboard>;
}

/** The state of one side's table, the same as long as its own part of the address is, and its rows. */
export function useRanking(id: string, choice: RankingChoice, interval: number): Ranking {
  const [search] = useSearchParams();
  const now = tableState(search, choice.side);
  const key = JSON.stringify(tableAddress(now, choice.side));
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the key stands for all of it
  const state = useMemo(() => now, [key]);
  const part = useQuery(leaderboardQuery(...firstPart(id, search, choice), interval));
  return { id, choice, state, part };
}

/** Which part of a ranking is read first: the one that the address names, if its order is the ranking's. */
export function firstPart(
  id: string,
  search: URLSearchParams,
  choice: RankingChoice,
): [id: string, choice: RankingChoice, row: number] {
  const state = tableState(search, choice.side);
  return [id, choice, needsAll(state) ? 0 : state.place];
}

/** Whether there is something to show, be it why there is nothing. */
export function isSettled({ part }: Ranking): boolean {
  return part.data !== undefined || part.error !== null;
}
