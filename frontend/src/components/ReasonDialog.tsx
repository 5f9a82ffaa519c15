import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

import { Field } from "./Field";
import { Form, text } from "./Form";

interface ReasonDialogProps {
  title: string;
  /** What its button says. */
  action: string;
  busy: boolean;
  error: Error | null;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  /** More fields, above the reason. */
  fields?: (fault: (name: string) => string | undefined) => ReactNode;
  /** Whether a reason is asked for; it is kept in the audit log. */
  reason?: boolean;
  onSend: (reason: string, values: FormData) => void;
  onClose: () => void;
}

/**
 * Asks before something is done, and why.  A native modal dialog: it takes the focus, Escape closes it,
 * and the focus goes back to where it was, or to the content where that is gone.
 */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, action, busy, error, children, fields, reason = true, onSend, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // closed before it is taken out of the page, so that the browser gives the focus back
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (shown !== null && !shown.open) shown.showModal();
    return () => {
      shown?.close();
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        document.getElementById("content")?.focus({ preventScroll: true });
      });
    };
  }, []);

  return (
    <dialog
      className="dialog"
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className="dialog-text">{children}</div>
      <Form
        action={action}
        busy={busy}
        error={error}
        onSend={(values) => {
          onSend(text(values, "reason").trim(), values);
        }}
      >
        {(fault) => (
          <>
            {fields?.(fault)}
            {reason && (
              <Field
                label="Reason"
                name="reason"
                autoComplete="off"
                maxLength={1000}
                hint="It is kept in the audit log."
                fault={fault("reason")}
              />
            )}
          </>
        )}
      </Form>
      <p>
        <button type="button" onClick={onClose}>
          Leave it as it is
        </button>
      </p>
    </dialog>
  );
}
