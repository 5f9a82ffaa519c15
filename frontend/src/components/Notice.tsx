import type { ReactNode } from "react";

interface NoticeProps {
  /** `done`: what was asked for has happened. */
  kind: "note" | "done" | "warning" | "error";
  children: ReactNode;
}

const ROLES = { note: undefined, done: "status", warning: "status", error: "alert" };

/** A boxed message; all but notes are announced. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div className="notice" data-kind={kind} role={ROLES[kind]}>
      {children}
    </div>
  );
}
