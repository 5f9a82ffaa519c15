import { DASH, time } from "../format";

/** A moment in the reader's time zone; the exact one on hover. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <span className="none">{DASH}</span>;
  return (
    <time dateTime={at} title={at}>
      {time(at)}
    </time>
  );
}
