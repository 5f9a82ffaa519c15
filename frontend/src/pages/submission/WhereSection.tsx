import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { filesOf, submissionAddress, useChoice } from "../../address";
import { entryBreakdownQuery } from "../../api/queries";
import type { Submission } from "../../api/types";
import { useBoard } from "../../board";
import { Exports } from "../../components/Exports";
import { Loaded } from "../../components/Loaded";
import { count } from "../../format";
import { at } from "../../words";
import { GroupTables } from "../GroupTables";

/** Where an entry's cells against the references were right, together; read once it is opened. */
export function WhereSection({ submission: { id, side } }: { submission: Submission }) {
  const { difficulty } = useChoice();
  const board = useBoard();
  const [isOpen, setOpen] = useState(false);
  const found = useQuery({ ...entryBreakdownQuery(id, difficulty), enabled: isOpen });
  return (
    <section aria-labelledby="breakdown">
      <h2 id="breakdown">{side === "defense" ? "Where it was right" : "Where defenses were right"}</h2>
      <details
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open);
        }}
      >
        <summary>By {board.dataset_details.graphs > 0 ? "size" : "degree"}, margin and class, {at(difficulty)}</summary>
        {isOpen && (
          <Loaded query={found} what="where it was right">
            {({ missing, counted, total, ...groups }) =>
              missing !== null ? (
                <p>It can’t be told: {missing}.</p>
              ) : (
                <>
                  <p>
                    Over {count(counted)} of {count(total)} references together: targets and hits are
                    added up.
                  </p>
                  <GroupTables groups={groups} attacked busy={found.isPlaceholderData} />
                  <Exports
                    what="These groups"
                    files={filesOf(`${submissionAddress(id)}/breakdown`, `?difficulty=${difficulty}`)}
                  />
                </>
              )
            }
          </Loaded>
        )}
      </details>
    </section>
  );
}
