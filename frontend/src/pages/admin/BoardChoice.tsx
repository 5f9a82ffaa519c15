import { useQuery } from "@tanstack/react-query";

import { boardsQuery } from "../../api/queries";
import { Choose } from "../../components/Choose";

interface BoardChoiceProps {
  chosen?: string | undefined;
  /** Whether it may be every board. */
  every?: boolean;
  fault?: string | undefined;
}

/** A board out of those that this service defines. */
export function BoardChoice({ chosen = "", every = true, fault }: BoardChoiceProps) {
  const boards = useQuery(boardsQuery).data ?? [];
  const names = boards
    .filter((board) => every || board.state !== "no-data")
    .map((board) => board.id);
  const known = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <Choose
      label="Board"
      name="board"
      key={names.length} // the choice that the address makes exists once the boards are read
      defaultValue={chosen}
      fault={fault}
      options={[
        ...(every ? ([["", "every board"]] as const) : []),
        ...known.map((id) => [id, id] as const),
      ]}
    />
  );
}
