import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";

interface Said {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value, told beside it. */
  fault?: string | undefined;
}

/** One input with its label, a hint, and what is wrong with it. */
export function Field(props: Said & Omit<InputHTMLAttributes<HTMLInputElement>, "id">) {
  const { label, hint, fault, ...input } = props;
  const id = useId();
  return (
    <Around id={id} {...{ label, hint, fault }}>
      <input {...described(id, hint, fault)} {...input} />
    </Around>
  );
}

/** A text of several lines. */
export function TextField(props: Said & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id">) {
  const { label, hint, fault, ...area } = props;
  const id = useId();
  return (
    <Around id={id} {...{ label, hint, fault }}>
      <textarea {...described(id, hint, fault)} {...area} />
    </Around>
  );
}

/** A choice among many. */
export function SelectField(props: Said & Omit<SelectHTMLAttributes<HTMLSelectElement>, "id">) {
  const { label, hint, fault, ...select } = props;
  const id = useId();
  return (
    <Around id={id} {...{ label, hint, fault }}>
      <select {...described(id, hint, fault)} {...select} />
    </Around>
  );
}

function described(id: string, hint: ReactNode, fault: string | undefined) {
  const about = [hint === undefined ? "" : `${id}-hint`, fault === undefined ? "" : `${id}-fault`];
  return {
    id,
    "aria-invalid": fault !== undefined,
    "aria-describedby": about.join(" ").trim() || undefined,
  };
}

function Around({ id, label, hint, fault, children }: Said & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p className="field-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
