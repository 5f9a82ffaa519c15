import { useId, type SelectHTMLAttributes } from "react";

interface ChooseProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "id"> {
  label: string;
  /** Values and what they are called; the empty value is everything. */
  options: readonly (readonly [string, string])[];
}

/** One choice out of several, with its label. */
export function Choose({ label, options, ...select }: ChooseProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} {...select}>
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
