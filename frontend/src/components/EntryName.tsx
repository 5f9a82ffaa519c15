import { Link } from "react-router";

import { submissionAddress } from "../address";
import type { Entry } from "../api/types";
import { webAddress } from "../format";
import { OutsideLink } from "./OutsideLink";
import { VisibilityTag } from "./VisibilityTag";

/** An entry's name, with what a reader must know of it before its numbers. */
export function EntryName({ entry }: { entry: Entry }) {
  return (
    <span className="entry">
      <Link to={submissionAddress(entry.id)}>{entry.name}</Link>
      {entry.is_reference && (
        <span className="tag" title="One of the board's frozen references">
          reference
        </span>
      )}
      <VisibilityTag of={entry} />
      {entry.adversarially_trained && (
        <span className="tag" title="Declared as adversarially trained">
          AT
        </span>
      )}
      {!entry.is_reference && entry.attempts > 1 && (
        <span className="small">
          attempt {entry.attempt} of {entry.attempts}
        </span>
      )}
      {webAddress(entry.paper_url) && <OutsideLink href={entry.paper_url}>paper</OutsideLink>}
      {webAddress(entry.code_url) && <OutsideLink href={entry.code_url}>code</OutsideLink>}
    </span>
  );
}
