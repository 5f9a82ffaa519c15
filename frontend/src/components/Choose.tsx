import type { ComponentProps } from "react";

import { SelectField } from "./Field";

interface ChooseProps extends Omit<ComponentProps<typeof SelectField>, "children"> {
  /** Values and what they are called; the empty value is everything. */
  options: readonly (readonly [string, string])[];
}

/** One choice out of several, given as a list. */
export function Choose({ options, ...select }: ChooseProps) {
  return (
    <SelectField {...select}>
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
