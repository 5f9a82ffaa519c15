import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { citationQuery } from "../../api/queries";
import { Command } from "../../components/Command";
import { Loaded } from "../../components/Loaded";

/** The board as it is now for a list of references, asked for when it is wanted. */
export function BoardCite({ board }: { board: string }) {
  const [open, setOpen] = useState(false);
  const citation = useQuery({ ...citationQuery(board), enabled: open });
  return (
    <section aria-labelledby="cite">
      <h2 id="cite">Cite it</h2>
      <details onToggle={(event) => { setOpen(event.currentTarget.open); }}>
        <summary>BibTeX of the board as it is now</summary>
        {open && (
          <Loaded query={citation} what="the citation">
            {({ bibtex }) => <Command label="BibTeX">{bibtex.trimEnd()}</Command>}
          </Loaded>
        )}
      </details>
    </section>
  );
}
