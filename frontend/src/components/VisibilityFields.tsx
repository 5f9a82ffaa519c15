import { useState } from "react";

import type { Submission } from "../api/types";
import { day } from "../format";
import { Field } from "./Field";

type Visibility = Submission["visibility"];

const CHOICES: Record<Visibility, string> = {
  public: "Public: everybody sees it and may download its file, for good.",
  private: "Private: only you and admins see it, until you make it public.",
  embargoed: "Under an embargo: only you and admins see it until a date, then everybody does.",
};

const DAY = 86_400_000;

interface VisibilityFieldsProps {
  chosen?: Visibility;
  /** The end of the embargo so far. */
  until?: string | null;
  fault: (name: string) => string | undefined;
}

/** Who sees an entry; the form has `visibility` and, for an embargo, `public_at`. */
export function VisibilityFields({ chosen = "public", until = null, fault }: VisibilityFieldsProps) {
  const [visibility, setVisibility] = useState(chosen);
  const [now] = useState(() => Date.now());
  return (
    <>
      <fieldset>
        <legend>Who sees it</legend>
        {(Object.keys(CHOICES) as Visibility[]).map((choice) => (
          <label key={choice} className="check">
            <input
              type="radio"
              name="visibility"
              value={choice}
              checked={choice === visibility}
              onChange={() => { setVisibility(choice); }}
            />
            <span>{CHOICES[choice]}</span>
          </label>
        ))}
        {fault("visibility") !== undefined && <p className="field-fault">{fault("visibility")}</p>}
      </fieldset>
      {visibility === "embargoed" && (
        <Field
          label="Public from"
          name="public_at"
          type="date"
          required
          min={day(new Date(now + DAY).toISOString())}
          max={day(new Date(now + 365 * DAY).toISOString())}
          defaultValue={until === null ? "" : day(until)}
          hint="At 0:00 UTC of this day, at most a year ahead."
          fault={fault("public_at")}
        />
      )}
    </>
  );
}

/** What the API takes of these fields. */
export function visibilityOf(values: FormData): { visibility: Visibility; public_at: string } {
  const visibility = values.get("visibility") as Visibility;
  const date = values.get("public_at");
  const at = typeof date === "string" && date !== "" ? `${date}T00:00:00Z` : "";
  return { visibility, public_at: visibility === "embargoed" ? at : "" };
}
