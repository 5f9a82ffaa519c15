import { Link } from "react-router";

import { cellAddress } from "../../address";
import type { Comparison, Value } from "../../api/tables";
import { ValueText } from "../paper/ValueText";

interface BothProps {
  value: Value | null | undefined;
  cell?: string | null | undefined;
  first: boolean;
  side: Comparison["side"];
}

/** A number, marked where it is the best of its row, and below it the difference from the first. */
export function Both({ value, cell, first, side }: BothProps) {
  // of the marks only those of the side that is compared tell something here
  const own =
    value == null
      ? value
      : side === "defense"
        ? { ...value, best_attack: false }
        : { ...value, best_defense: false };
  const number = <ValueText value={own} />;
  return (
    <span className="both">
      {cell == null ? number : <Link to={cellAddress(cell)}>{number}</Link>}
      {!first && value != null && <Difference value={value} />}
    </span>
  );
}

/** How far a number is from that of the first entry. */
function Difference({ value }: { value: Value }) {
  return (
    <span className="small">
      <span className="unseen">difference </span>
      <ValueText value={value} distance="absolute" marks={false} />
    </span>
  );
}
