import { useState } from "react";
import { useSearchParams } from "react-router";

import { useAdminChange, useAdminQuery } from "../../api/admin";
import { proposalsQuery, type Season } from "../../api/arena";
import { Choose } from "../../components/Choose";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Loaded } from "../../components/Loaded";
import { ReasonDialog } from "../../components/ReasonDialog";
import { SeasonTable } from "../arena/SeasonTable";
import { AdminFrame } from "./AdminFrame";
import { BoardChoice } from "./BoardChoice";

/** The next references of a board, and which entries count as one. */
export function SeasonsPage() {
  const [search] = useSearchParams();
  const seasons = useAdminQuery(proposalsQuery(search.get("board") ?? ""));
  return (
    <AdminFrame heading="Seasons">
      <ProposeForm />
      <Loaded query={seasons} what="the seasons">
        {({ seasons: found }) =>
          found.length === 0 ? (
            <p>No season has begun, and none is proposed.</p>
          ) : (
            found.map((season) => <OneSeason key={season.id} season={season} />)
          )
        }
      </Loaded>
      <DuplicateForm />
    </AdminFrame>
  );
}

function ProposeForm() {
  const change = useAdminChange();
  return (
    <section aria-labelledby="propose">
      <h2 id="propose">The next season</h2>
      <p>
        References that are effective, distinct and disclosed are proposed, one of each family. Nothing
        changes until a proposal is accepted.
      </p>
      <Form
        action="Propose references"
        busy={change.isPending}
        error={change.error}
        onSend={(values) => {
          const body = { board: text(values, "board").trim() };
          change.mutate({ method: "POST", path: "/admin/seasons", body });
        }}
      >
        {(fault) => (
          <BoardChoice every={false} fault={fault("board")} />
        )}
      </Form>
    </section>
  );
}

function OneSeason({ season }: { season: Season }) {
  const [asked, setAsked] = useState<"accept" | "refuse" | null>(null);
  return (
    <section aria-label={`Season ${season.number ?? season.id}`}>
      <SeasonTable season={season} references={season.references} />
      {season.state === "proposed" && (
        <>
          {season.left_out.length > 0 && (
            <details>
              <summary>Considered and left out: {season.left_out.length}</summary>
              <ul>
                {season.left_out.map(({ entry, side, reasons }) => (
                  <li key={entry.id}>
                    {entry.name} ({side}): {reasons.join("; ")}
                  </li>
                ))}
              </ul>
            </details>
          )}
          <p className="actions">
            <button type="button" onClick={() => { setAsked("accept"); }}>
              Accept
            </button>
            <button type="button" onClick={() => { setAsked("refuse"); }}>
              Refuse
            </button>
          </p>
        </>
      )}
      {asked !== null && (
        <DecideDialog season={season} action={asked} onClose={() => { setAsked(null); }} />
      )}
    </section>
  );
}

interface DecideDialogProps {
  season: Season;
  action: "accept" | "refuse";
  onClose: () => void;
}

function DecideDialog({ season, action, onClose }: DecideDialogProps) {
  const change = useAdminChange(onClose);
  const accepts = action === "accept";
  return (
    <ReasonDialog
      title={accepts ? `Begin this season of ${season.board}?` : "Put this proposal away?"}
      action={accepts ? "Begin it" : "Refuse it"}
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
      onSend={(reason) => {
        const path = `/admin/seasons/${season.id}/${action}`;
        change.mutate({ method: "POST", path, body: { reason } });
      }}
    >
      {accepts
        ? "Official scores are over its references from then on; the season before stays readable. Everybody may read the reason."
        : "The board stays as it is."}
    </ReasonDialog>
  );
}

function DuplicateForm() {
  const [done, setDone] = useState("");
  const change = useAdminChange(() => { setDone("It is decided."); });
  return (
    <section aria-labelledby="decide">
      <h2 id="decide">Near-duplicates</h2>
      <p>
        Entries that were taken for copies, and are none, stand alone from then on; others may be made
        to count as one. The open arena shows what was decided.
      </p>
      <p role="status">{done}</p>
      <Form
        action="Decide"
        busy={change.isPending}
        error={change.error}
        onSend={(values) => {
          setDone("");
          const entries = text(values, "entries").split(/[\s,]+/).filter((id) => id !== "");
          const body = {
            board: text(values, "board").trim(),
            kind: text(values, "kind"),
            entries,
            reason: text(values, "reason").trim(),
          };
          change.mutate({ method: "POST", path: "/admin/duplicates", body });
        }}
      >
        {(fault) => (
          <>
            <BoardChoice every={false} fault={fault("board")} />
            <Choose
              label="What holds"
              name="kind"
              options={[
                ["split", "each stands alone"],
                ["merge", "they count as one"],
              ]}
            />
            <Field
              label="Entries"
              name="entries"
              hint="Their ids, with spaces between."
              fault={fault("entries")}
            />
            <Field
              label="Reason"
              name="reason"
              maxLength={1000}
              hint="It is kept in the audit log."
              fault={fault("reason")}
            />
          </>
        )}
      </Form>
    </section>
  );
}
