import { useId, type ReactNode, type SelectHTMLAttributes } from "react";

interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "id"> {
  label: string;
  hint?: ReactNode;
  fault?: string | undefined;
}

/** A choice among many, with its label, a hint, and what is wrong with it. */
export function SelectField({ label, hint, fault, children, ...select }: SelectFieldProps) {
  const id = useId();
  const about = [hint === undefined ? "" : `${id}-hint`, fault === undefined ? "" : `${id}-fault`];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={about.join(" ").trim() || undefined}
        {...select}
      >
        {children}
      </select>
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
