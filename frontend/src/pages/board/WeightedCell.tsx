import type { CSSProperties } from "react";

import type { Score } from "../../api/types";
import { ScoreValue } from "../../components/ScoreValue";

/** The score that ranks, with a thin bar of its length below the number. */
export function WeightedCell({ score }: { score: Score | undefined }) {
  const style = { "--share": score?.mean ?? 0 } as CSSProperties;
  return (
    <td className="number weighted" style={style}>
      <ScoreValue score={score} />
    </td>
  );
}
