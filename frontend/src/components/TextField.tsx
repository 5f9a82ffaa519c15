import { useId, type ReactNode, type TextareaHTMLAttributes } from "react";

interface TextFieldProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id"> {
  label: string;
  hint?: ReactNode;
  fault?: string | undefined;
}

/** A text of several lines, with its label, a hint, and what is wrong with it. */
export function TextField({ label, hint, fault, ...area }: TextFieldProps) {
  const id = useId();
  const about = [hint === undefined ? "" : `${id}-hint`, fault === undefined ? "" : `${id}-fault`];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={about.join(" ").trim() || undefined}
        {...area}
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
