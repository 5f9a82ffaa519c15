import { useEffect, useRef, type ReactNode } from "react";

import { Refusal } from "../../api/client";
import type { Board, Side } from "../../api/types";
import { Field, SelectField, TextField } from "../../components/Field";
import { VisibilityFields, visibilityOf } from "../../components/VisibilityFields";
import { text } from "../../components/Form";

const OTHER = "other:";

const TEXTS = ["name", "authors", "team", "description", "paper_url", "code_url", "surrogate"];

/** What the form says, as the API takes it; what is empty is left out. */
export function fieldsOf(values: FormData, side: Side): Record<string, string> {
  const said: Record<string, string> = { ...visibilityOf(values) };
  for (const name of TEXTS) said[name] = text(values, name).trim();
  if (side === "attack") {
    const method = text(values, "method");
    said.family = method === OTHER ? `${OTHER}${text(values, "other").trim()}` : method;
  } else if (values.has("adversarially_trained")) {
    said.adversarially_trained = "true";
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ""));
}

interface SubmitFormProps {
  board: Board;
  side: Side;
  /** Whether `other:` is chosen, whose name is asked for. */
  isOther: boolean;
  error: Error | null;
  disabled: boolean;
  file: ReactNode;
  onChange: (values: FormData) => void;
  onSend: (values: FormData) => void;
}

/** What is said of a file, beside the file. */
export function SubmitForm(props: SubmitFormProps) {
  const { board, side, isOther, error, disabled, file, onChange, onSend } = props;
  const form = useRef<HTMLFormElement>(null);
  const faults = error instanceof Refusal && error.code === "invalid-fields" ? error.faults : null;
  const fault = (name: string) => faults?.get(name);

  useEffect(() => {
    if (faults !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [faults]);

  return (
    <form
      ref={form}
      className="form wide"
      noValidate
      onChange={(event) => { onChange(new FormData(event.currentTarget)); }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) onSend(new FormData(event.currentTarget));
      }}
    >
      {file}
      <Field
        label="Name"
        name="name"
        maxLength={80}
        autoComplete="off"
        hint="What the leaderboard calls it."
        fault={fault("name")}
      />
      <Field label="Authors" name="authors" maxLength={400} autoComplete="off" fault={fault("authors")} />
      <Field label="Team (optional)" name="team" maxLength={80} autoComplete="off" fault={fault("team")} />
      {side === "attack" ? (
        <AttackFields board={board} isOther={isOther} fault={fault} />
      ) : (
        <label className="check">
          <input type="checkbox" name="adversarially_trained" value="true" />
          <span>It was trained on attacks (adversarially).</span>
        </label>
      )}
      <Field label="Paper (optional)" name="paper_url" type="url" placeholder="https://…" fault={fault("paper_url")} />
      <Field label="Code (optional)" name="code_url" type="url" placeholder="https://…" fault={fault("code_url")} />
      <TextField
        label="Description (optional)"
        name="description"
        rows={5}
        maxLength={20_000}
        hint="Markdown: how it works, and what it takes to make it again."
        fault={fault("description")}
      />
      <VisibilityFields fault={fault} />
      <p>
        <button type="submit" className="primary" disabled={disabled}>
          Submit the {side}
        </button>
      </p>
    </form>
  );
}

interface AttackFieldsProps {
  board: Board;
  isOther: boolean;
  fault: (name: string) => string | undefined;
}

function AttackFields({ board, isOther, fault }: AttackFieldsProps) {
  return (
    <>
      <SelectField label="Method" name="method" fault={isOther ? undefined : fault("family")}>
        {board.attack_methods.map((method) => (
          <option key={method} value={method}>
            {method}
          </option>
        ))}
        <option value={OTHER}>another one</option>
      </SelectField>
      {isOther && (
        <Field
          label="Name of the method"
          name="other"
          maxLength={70}
          autoComplete="off"
          fault={fault("family")}
        />
      )}
      <Field
        label="Surrogate (optional)"
        name="surrogate"
        maxLength={80}
        autoComplete="off"
        hint="The model that the attack differentiated."
        fault={fault("surrogate")}
      />
    </>
  );
}
