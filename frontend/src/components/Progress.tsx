import { useId } from "react";

interface ProgressProps {
  label: string;
  done: number;
  total: number;
  /** What is counted, as in "steps". */
  unit: string;
}

/** How far something is: a bar, and the same in words. */
export function Progress({ label, done, total, unit }: ProgressProps) {
  const id = useId();
  const known = total > 0;
  return (
    <div className="progress">
      <span id={id}>{label}</span>
      <progress aria-labelledby={id} {...(known ? { value: done, max: total } : {})} />
      <span className="progress-count">{known ? `${done} of ${total} ${unit}` : "starting"}</span>
    </div>
  );
}
