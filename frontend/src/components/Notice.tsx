import type { ReactNode } from "react";

interface NoticeProps {
  kind: "note" | "warning" | "error";
  children: ReactNode;
}

/** A boxed message; warnings and errors are announced. */
export function Notice({ kind, children }: NoticeProps) {
  const role = kind === "error" ? "alert" : kind === "warning" ? "status" : undefined;
  return (
    <div className="notice" data-kind={kind} role={role}>
      {children}
    </div>
  );
}
