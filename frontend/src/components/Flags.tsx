import type { Entry, FlagKind, Side } from "../api/types";
import { VisibilityTag } from "./VisibilityTag";

/** What a reader must know of an entry beside its numbers, each as a word that opens what it means. */
export function Flags({ entry, kinds, side }: { entry: Entry; kinds: readonly FlagKind[]; side: Side }) {
  return (
    <span className="entry">
      <VisibilityTag of={entry} />
      {flagsOf(entry, kinds).map((kind) => (
        <button
          key={kind.code}
          type="button"
          className="tag flag"
          data-severity={kind.severity}
          popoverTarget={popoverOf(side, kind)}
        >
          {kind.title}
        </button>
      ))}
      {entry.not_finite !== null && (
        <span
          className="tag"
          title={`${entry.not_finite.targets} targets without a finite output in one repeat; in ${entry.not_finite.cells} of its cells there are such`}
        >
          {entry.not_finite.targets} not finite
        </span>
      )}
      {!entry.is_reference && entry.attempts > 1 && (
        <span className="small">
          attempt {entry.attempt} of {entry.attempts}
        </span>
      )}
    </span>
  );
}

/** The flags of an entry that a ranking names: those of the context are on its own page. */
export function flagsOf({ flags }: Entry, kinds: readonly FlagKind[]): FlagKind[] {
  return kinds.filter(({ code, severity }) => severity !== "context" && flags.includes(code));
}

/** What the words of `Flags` open: once for each kind, not for each row. */
export function FlagMeanings({ kinds, side }: { kinds: readonly FlagKind[]; side: Side }) {
  return kinds.map((kind) => (
    <div
      key={kind.code}
      id={popoverOf(side, kind)}
      popover="auto"
      className="meaning"
      role="dialog"
      aria-label={kind.title}
    >
      <p>
        <strong>{kind.title}</strong>
      </p>
      <p>{kind.meaning}</p>
      <p>
        <a href={flagAddress(kind.code)}>Its threshold, and what it proves</a>
      </p>
    </div>
  ));
}

/** Where the guide explains a flag. */
export function flagAddress(code: string): string {
  return `/guide/flags#${code}`;
}

function popoverOf(side: Side, { code }: FlagKind): string {
  return `${side}-flag-${code}`;
}
