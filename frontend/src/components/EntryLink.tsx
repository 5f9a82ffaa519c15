import { Link } from "react-router";

import { submissionAddress } from "../address";
import { CLEAN, CLEAN_NAME } from "../words";

/** An entry's name, which leads to its page; the row without an attack has none. */
export function EntryLink({ entry: { id, name } }: { entry: { id: string; name: string } }) {
  return id === CLEAN ? CLEAN_NAME : <Link to={submissionAddress(id)}>{name}</Link>;
}
