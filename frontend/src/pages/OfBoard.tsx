import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { knownBoardQuery } from "../api/queries";
import { BoardContext } from "../board";
import { Loaded } from "../components/Loaded";
import { Missing } from "./NotFoundPage";

/** What is part of the page of a board, once it is known: its difficulties, and what its numbers are. */
export function OfBoard({ id, children }: { id: string; children: ReactNode }) {
  const board = useQuery(knownBoardQuery(id));
  if (board.data !== undefined) return <BoardContext value={board.data}>{children}</BoardContext>;
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
