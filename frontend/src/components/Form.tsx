import { useEffect, useRef, type ReactNode } from "react";

import { Refusal } from "../api/client";
import { sentence } from "../format";
import { Notice } from "./Notice";

interface FormProps {
  /** What its button says. */
  action: string;
  busy: boolean;
  error: Error | null;
  onSend: (values: FormData) => void;
  /** Gives what is wrong with a field of this name, if something is. */
  children?: (fault: (name: string) => string | undefined) => ReactNode;
}

/** A form whose errors stand beside its fields; the first wrong one gets the focus. */
export function Form({ action, busy, error, onSend, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const faults = error instanceof Refusal ? error.faults : new Map<string, string>();

  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);

  return (
    <form
      className="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSend(new FormData(event.currentTarget));
      }}
    >
      {error !== null && faults.size === 0 && (
        <Notice kind="error">{sentence(error.message)}</Notice>
      )}
      {children?.((name) => faults.get(name))}
      <p>
        {/* not disabled: it would lose the focus */}
        <button type="submit" aria-disabled={busy || undefined}>
          {action}
        </button>
      </p>
    </form>
  );
}

/** The text of a field; empty where there is none. */
export function text(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}
