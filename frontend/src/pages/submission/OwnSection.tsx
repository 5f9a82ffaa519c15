import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { authQuery, everything, useChange } from "../../api/account";
import { submissionKey } from "../../api/queries";
import type { Submission } from "../../api/types";
import { Field, TextField } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Notice } from "../../components/Notice";
import { ReasonDialog } from "../../components/ReasonDialog";
import { VisibilityFields, visibilityOf } from "../../components/VisibilityFields";
import { EntryDialog } from "../admin/EntryDialog";

/** What its owner or an admin may change of an entry; nothing for anybody else. */
export function OwnSection({ submission }: { submission: Submission }) {
  const session = useQuery(authQuery).data?.session;
  const admin = session?.role === "admin";
  if (session == null || submission.deleted || !(submission.yours || admin)) return null;
  return (
    <section aria-labelledby="own">
      <h2 id="own">{submission.yours ? "Yours to change" : "An admin’s to change"}</h2>
      {!submission.withdrawn && <Edit submission={submission} />}
      {submission.is_reference ? (
        <p>
          It is a reference of its board: everybody’s official score rests on it, so it can be neither
          withdrawn nor deleted. An admin may hide it.
        </p>
      ) : (
        <>
          {submission.withdrawn ? (
            <p>It was withdrawn, which can’t be undone.</p>
          ) : (
            <Withdraw submission={submission} />
          )}
          {submission.yours ? <DeleteOwn submission={submission} /> : <Delete submission={submission} />}
        </>
      )}
    </section>
  );
}

/** Sends a change of this entry, and shows the entry that comes back. */
function useEntryChange(id: string, done: () => void) {
  const client = useQueryClient();
  return useChange<Submission>((answer) => {
    client.setQueryData(submissionKey(id), answer);
    done();
  }, everything);
}

const TEXTS = ["name", "authors", "team", "paper_url", "code_url", "description"] as const;

function Edit({ submission }: { submission: Submission }) {
  const [open, setOpen] = useState(false);
  const change = useEntryChange(submission.id, () => { setOpen(false); });
  // what everybody has seen ranked stays public
  const fixed = submission.visibility === "public" && submission.published_at !== null;
  return (
    <>
      {change.isSuccess && !open && <Notice kind="done">Saved.</Notice>}
      <details open={open} onToggle={(event) => { setOpen(event.currentTarget.open); }}>
        <summary>Change what is said of it, or who sees it</summary>
        {open && (
          <Form
            action="Save the changes"
            busy={change.isPending}
            error={change.error}
            onSend={(values) => {
              const said = TEXTS.map((name) => [name, text(values, name).trim()] as const);
              const kept = said.filter(([name]) => !(submission.is_reference && name === "name"));
              const body = {
                ...Object.fromEntries(kept),
                ...(values.has("visibility") ? visibilityOf(values) : {}),
              };
              change.mutate({ method: "PATCH", path: `/submissions/${submission.id}`, body });
            }}
          >
            {(fault) => (
              <>
                {!submission.is_reference && (
                  <Field
                    label="Name"
                    name="name"
                    maxLength={80}
                    autoComplete="off"
                    defaultValue={submission.name}
                    fault={fault("name")}
                  />
                )}
                <Field
                  label="Authors"
                  name="authors"
                  maxLength={400}
                  autoComplete="off"
                  defaultValue={submission.authors}
                  fault={fault("authors")}
                />
                <Field
                  label="Team"
                  name="team"
                  maxLength={80}
                  autoComplete="off"
                  defaultValue={submission.team ?? ""}
                  fault={fault("team")}
                />
                <Field
                  label="Paper"
                  name="paper_url"
                  type="url"
                  defaultValue={submission.paper_url ?? ""}
                  fault={fault("paper_url")}
                />
                <Field
                  label="Code"
                  name="code_url"
                  type="url"
                  defaultValue={submission.code_url ?? ""}
                  fault={fault("code_url")}
                />
                <TextField
                  label="Description"
                  name="description"
                  rows={6}
                  maxLength={20_000}
                  defaultValue={submission.description}
                  hint="Markdown."
                  fault={fault("description")}
                />
                {!fixed && (
                  <VisibilityFields
                    chosen={submission.visibility}
                    until={submission.public_at}
                    fault={fault}
                  />
                )}
              </>
            )}
          </Form>
        )}
      </details>
    </>
  );
}

interface TakeBackProps {
  submission: Submission;
  /** What the button says, and the title and the button of the dialog. */
  words: Readonly<Record<"button" | "title" | "action", string>>;
  call: { method: "POST" | "DELETE"; path: string };
  children: ReactNode;
}

/** A button for what its owner can't undo, which asks once more. */
function TakeBack({ submission, words, call, children }: TakeBackProps) {
  const [asked, setAsked] = useState(false);
  const close = () => { setAsked(false); };
  const change = useEntryChange(submission.id, close);
  return (
    <>
      <p>
        <button type="button" onClick={() => { setAsked(true); }}>
          {words.button}
        </button>
      </p>
      {asked && (
        <ReasonDialog
          title={words.title}
          action={words.action}
          busy={change.isPending}
          error={change.error}
          reason={false}
          onClose={close}
          onSend={() => { change.mutate(call); }}
        >
          {children}
        </ReasonDialog>
      )}
    </>
  );
}

function Withdraw({ submission }: { submission: Submission }) {
  return (
    <TakeBack
      submission={submission}
      words={{
        button: "Withdraw it",
        title: `Withdraw ${submission.name}?`,
        action: "Withdraw it for good",
      }}
      call={{ method: "POST", path: `/submissions/${submission.id}/withdraw` }}
    >
      It leaves both rankings and its name is taken off; the attempt stays counted. This can’t be
      undone.
    </TakeBack>
  );
}

function DeleteOwn({ submission }: { submission: Submission }) {
  return (
    <TakeBack
      submission={submission}
      words={{
        button: "Delete it",
        title: `Delete ${submission.name}?`,
        action: "Delete it for good",
      }}
      call={{ method: "DELETE", path: `/submissions/${submission.id}` }}
    >
      Its file goes, and so do its name, its authors and all that is said of it. What stays is an
      anonymous attempt, counted as before ({submission.attempt} of {submission.attempts}), with the
      numbers of its finished cells. This can’t be undone.
    </TakeBack>
  );
}

function Delete({ submission }: { submission: Submission }) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <p>
        <button type="button" onClick={() => { setAsked(true); }}>
          Delete it
        </button>
      </p>
      {asked && (
        <EntryDialog entry={submission} action="delete" onClose={() => { setAsked(false); }} />
      )}
    </>
  );
}
