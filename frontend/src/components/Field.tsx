import { useId, type InputHTMLAttributes, type ReactNode } from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "id"> {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value, told beside it. */
  fault?: string | undefined;
}

/** One input with its label, a hint, and what is wrong with it. */
export function Field({ label, hint, fault, ...input }: FieldProps) {
  const id = useId();
  const about = [hint === undefined ? "" : `${id}-hint`, fault === undefined ? "" : `${id}-fault`];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={about.join(" ").trim() || undefined}
        {...input}
      />
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
