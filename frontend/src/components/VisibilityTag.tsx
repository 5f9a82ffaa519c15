import type { Submission } from "../api/types";

const HINTS = {
  embargoed: "Only its owner and admins see it until its date",
  private: "Only its owner and admins see it",
} as const;

/** Marks an entry that not everybody sees; only its owner and admins are given one. */
export function VisibilityTag({ of }: { of: Pick<Submission, "visibility"> }) {
  if (of.visibility === "public") return null;
  return (
    <span className="tag" title={HINTS[of.visibility]}>
      {of.visibility}
    </span>
  );
}
