import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Refusal } from "../api/client";
import { knownBoardQuery } from "../api/queries";
import type { BoardMetric } from "../api/types";
import { BoardContext, formerBoard } from "../board";
import { Loaded } from "../components/Loaded";
import { Missing } from "./NotFoundPage";

interface OfBoardProps {
  id: string;
  /** What its numbers are, where they are shown of a board that has left the catalog too: those of entries, cells
   * and snapshots. */
  former?: BoardMetric;
  children: ReactNode;
}

/** What is part of the page of a board, once it is known: its difficulties, and what its numbers are. */
export function OfBoard({ id, former, children }: OfBoardProps) {
  const board = useQuery(knownBoardQuery(id));
  const left = former !== undefined && board.error instanceof Refusal && board.error.status === 404;
  const known = board.data ?? (left ? formerBoard(id, former) : undefined);
  if (known !== undefined) return <BoardContext value={known}>{children}</BoardContext>;
  return (
    <Loaded query={board} what="the board" missing={<Missing kind="board" id={id} />}>
      {() => null}
    </Loaded>
  );
}

/** A board's id with its version, once that is known. */
export function BoardId({ id }: { id: string }) {
  const board = useQuery(knownBoardQuery(id));
  return board.data?.id ?? id;
}
