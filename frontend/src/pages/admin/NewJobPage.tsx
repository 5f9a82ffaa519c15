import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";

import { useAdminChange, type Job, type Plan, type Selection } from "../../api/admin";
import { boardsQuery } from "../../api/queries";
import { Choose } from "../../components/Choose";
import { Facts } from "../../components/Facts";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { count, duration } from "../../format";
import { AdminFrame } from "./AdminFrame";
import { BoardChoice } from "./BoardChoice";
import { EntryPicker } from "./EntryPicker";
import { FIELDS, STATES, selectionOf, words } from "./selection";

const SIDES = [
  ["", "both, the row without an attack included"],
  ["attack", "attacks"],
  ["defense", "defenses"],
] as const;

interface Chosen {
  board: string;
  selection: Selection;
}

/** The wizard: select, see how much it is, start. */
export function NewJobPage() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const boards = useQuery(boardsQuery);
  const plan = useAdminChange<Plan>();
  const selected = useRef(0); // counts what was selected: a plan of an earlier selection is not kept
  const forget = () => {
    selected.current += 1;
    setChosen(null);
  };
  return (
    <AdminFrame heading="Compute results once more">
      <section aria-labelledby="select">
        <h2 id="select">1. Select cells</h2>
        <p>
          Finished cells of one board. Every field narrows them; what is left empty takes all. Nothing
          is written before you start it.
        </p>
        <Loaded query={boards} what="the boards">
          {() => (
            <div onChange={forget}>
              <Form
                action="How much is it?"
                busy={plan.isPending}
                error={plan.error}
                onSend={(values) => {
                  const asked = {
                    board: text(values, "board"),
                    selection: selectionOf(values, Date.now()),
                  };
                  const body = { ...asked, reason: "a dry run", dry_run: true };
                  const number = selected.current;
                  plan.mutate(
                    { method: "POST", path: "/admin/reevaluations", body },
                    {
                      onSuccess: () => {
                        if (number === selected.current) setChosen(asked);
                      },
                    },
                  );
                }}
              >
                {(fault) => <SelectionFields fault={fault} onLess={forget} />}
              </Form>
            </div>
          )}
        </Loaded>
      </section>
      <section aria-labelledby="plan">
        <h2 id="plan">2. See how much it is, and start</h2>
        <div aria-live="polite">
          {chosen === null || plan.data === undefined ? (
            <p className="small">Select cells first.</p>
          ) : (
            <PlanFacts plan={plan.data} />
          )}
        </div>
        {chosen !== null && plan.data !== undefined && plan.data.cells > 0 && (
          <Start chosen={chosen} cells={plan.data.cells} />
        )}
      </section>
    </AdminFrame>
  );
}

interface SelectionFieldsProps {
  fault: (name: string) => string | undefined;
  onLess: () => void;
}

function SelectionFields({ fault, onLess }: SelectionFieldsProps) {
  const [search] = useSearchParams();
  const [board, setBoard] = useState(search.get("board"));
  const boards = useQuery(boardsQuery).data?.filter(({ state }) => state !== "no-data");
  const shown = board ?? boards?.[0]?.id; // as the list shows the first of them
  const given = Object.fromEntries(FIELDS.map((name) => [name, search.get(name) ?? ""]));
  const states = search.getAll("state");
  return (
    <>
      <div
        onChange={(event) => {
          if (event.target instanceof HTMLSelectElement) setBoard(event.target.value);
        }}
      >
        <BoardChoice chosen={given.board} every={false} />
      </div>
      {fault("selection") !== undefined && <Notice kind="error">{fault("selection")}</Notice>}
      {shown !== undefined && (
        <EntryPicker
          key={shown}
          board={shown}
          given={shown === given.board ? words(given.submissions ?? "") : []}
          onLess={onLess}
        />
      )}
      <Field
        label="Families"
        name="families"
        defaultValue={given.families}
        autoComplete="off"
        hint="Such as GCN, TDGIA; several between commas."
      />
      <Choose
        label="Entries and families count on"
        name="side"
        defaultValue={given.side}
        options={SIDES}
      />
      <fieldset>
        <legend>Cells in state</legend>
        {STATES.map((state) => (
          <label key={state} className="check">
            <input
              type="checkbox"
              name="state"
              value={state}
              defaultChecked={states.length === 0 ? state === "done" : states.includes(state)}
            />
            {state}
          </label>
        ))}
      </fieldset>
      <Field
        label="Older than, in days"
        name="older_than_days"
        type="number"
        min={0}
        step="any"
        defaultValue={given.older_than_days}
      />
      <details open={["protocol", "evaluator_before", "torch", "device"].some((name) => given[name])}>
        <summary>By what they were measured with</summary>
        <div className="form">
          <Field
            label="Protocol"
            name="protocol"
            defaultValue={given.protocol}
            autoComplete="off"
            hint="The board’s own if none is given."
          />
          <Field
            label="By an evaluator older than version"
            name="evaluator_before"
            type="number"
            min={1}
            defaultValue={given.evaluator_before}
          />
          <Field label="With PyTorch" name="torch" defaultValue={given.torch} autoComplete="off" />
          <Field label="On device" name="device" defaultValue={given.device} autoComplete="off" />
        </div>
      </details>
    </>
  );
}

function PlanFacts({ plan }: { plan: Plan }) {
  return (
    <>
      <Facts
        className="strip"
        facts={[
          ["Cells", count(plan.cells)],
          ["Attacks", count(plan.attacks)],
          ["Defenses", count(plan.defenses)],
          ["One worker takes about", duration(plan.seconds)],
          ["The workers alive take about", duration(plan.expected)],
        ]}
      />
      {plan.cells === 0 && <Notice kind="note">No cell of {plan.board} is selected by this.</Notice>}
      {plan.cells > 0 && plan.expected === null && (
        <Notice kind="warning">
          No worker that takes this board is alive, or nothing was measured: it would wait.
        </Notice>
      )}
    </>
  );
}

function Start({ chosen, cells }: { chosen: Chosen; cells: number }) {
  const navigate = useNavigate();
  const start = useAdminChange<Job>((job) => void navigate(`/admin/reevaluations/${job.id}`));
  return (
    <Form
      action={cells === 1 ? "Compute this cell" : `Compute these ${count(cells)} cells`}
      busy={start.isPending}
      error={start.error}
      onSend={(values) => {
        const body = { ...chosen, reason: text(values, "reason") };
        start.mutate({ method: "POST", path: "/admin/reevaluations", body });
      }}
    >
      {(fault) => (
        <Field
          label="Reason"
          name="reason"
          autoComplete="off"
          maxLength={1000}
          hint="Everybody reads it on the board once it is applied."
          fault={fault("reason")}
        />
      )}
    </Form>
  );
}
