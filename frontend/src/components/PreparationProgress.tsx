import type { Preparation } from "../api/types";
import { Notice } from "./Notice";
import { Progress } from "./Progress";

/** How far the making of a board's references is, or why it stopped. */
export function PreparationProgress({ preparation }: { preparation: Preparation }) {
  const { step, done, total, failed } = preparation;
  if (failed != null) {
    return (
      <Notice kind="warning">
        The preparation stopped at “{step}”: {failed}
      </Notice>
    );
  }
  return <Progress label={step} done={done} total={total} unit="steps" />;
}
