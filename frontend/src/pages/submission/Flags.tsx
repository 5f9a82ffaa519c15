import type { Submission } from "../../api/types";
import { Facts } from "../../components/Facts";

/** What a reader must know before the numbers, each with its reason; nothing where there is none. */
export function Flags({ submission }: { submission: Submission }) {
  const flags = flagsOf(submission);
  if (flags.length === 0) return null;
  return (
    <section aria-labelledby="flags">
      <h2 id="flags">Flags</h2>
      <Facts facts={flags} />
    </section>
  );
}

export function flagsOf(entry: Submission): [string, string][] {
  const flags: [boolean, string, string][] = [
    [entry.is_reference, "Reference", "One of the board’s frozen references: scores in the reference view run over it."],
    [
      entry.adversarially_trained,
      "Adversarially trained",
      "Its authors say that it was trained on attacks. Robustness may be to those it has seen.",
    ],
    [entry.family.startsWith("other:"), "Own method", "Its method is not one of the library’s; what it does is in its description."],
    [entry.withdrawn, "Withdrawn", "Its owner took it out of the rankings."],
    [entry.hidden, "Hidden", "An admin took it out of the rankings."],
    [
      entry.visibility !== "public",
      "Not public",
      "Only its owner and admins see it. It moves nobody’s rank.",
    ],
  ];
  return flags.flatMap(([holds, name, why]): [string, string][] => (holds ? [[name, why]] : []));
}
