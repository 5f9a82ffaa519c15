import { useId, type ReactNode } from "react";

interface DataTableProps {
  /** What the table holds, in one word, for programs that read the page. */
  name: string;
  caption: ReactNode;
  className?: string;
  /** Older figures are shown while newer ones are read. */
  busy?: boolean;
  children: ReactNode;
}

/** A real table in its own region, which scrolls sideways by itself and by keyboard. */
export function DataTable({ name, caption, className = "", busy = false, children }: DataTableProps) {
  const id = useId();
  return (
    <div className="scroll" role="region" aria-labelledby={id} aria-busy={busy} tabIndex={0}>
      <table className={className} data-table={name}>
        <caption>
          <span className="caption" id={id}>
            {caption}
          </span>
        </caption>
        {children}
      </table>
    </div>
  );
}
