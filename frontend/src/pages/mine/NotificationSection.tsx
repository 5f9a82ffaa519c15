import { useQuery } from "@tanstack/react-query";

import {
  meQuery,
  useChange,
  type Notifications,
  type NotificationsSet,
  type Tests,
} from "../../api/account";
import { Command } from "../../components/Command";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { sentence } from "../../format";
import { NoticeTable } from "./NoticeTable";

/** Where one is told what became of a submission. */
export function NotificationSection() {
  const me = useQuery(meQuery);
  return (
    <section aria-labelledby="notifications">
      <h2 id="notifications">Notifications</h2>
      <p>You are told when a submission of yours is ranked, rejected or failed.</p>
      <Loaded query={me} what="where you are told">
        {({ notifications }) => (
          <>
            <Settings
              key={`${notifications.webhook_url ?? ""} ${notifications.email ?? ""}`}
              now={notifications}
            />
            <Test now={notifications} />
          </>
        )}
      </Loaded>
      <NoticeTable />
    </section>
  );
}

function Settings({ now }: { now: Notifications }) {
  const change = useChange<NotificationsSet>();
  return (
    <>
      <Changed answer={change.data} />
      <Form
        action="Save"
        busy={change.isPending}
        error={change.error}
        onSend={(values) => {
          const body: Record<string, string | null> = {};
          const webhook = text(values, "webhook_url").trim() || null;
          const email = text(values, "email").trim() || null;
          if (webhook !== now.webhook_url) body.webhook_url = webhook;
          if (now.mail_available && email !== now.email) {
            body.email = email;
            body.password = text(values, "password") || null;
          }
          change.mutate({ method: "PUT", path: "/me/notifications", body });
        }}
      >
        {(fault) => (
          <>
            <Field
              label="Webhook"
              name="webhook_url"
              type="url"
              placeholder="https://…"
              defaultValue={now.webhook_url ?? ""}
              hint="A POST goes there, signed with a secret. Empty: none."
              fault={fault("webhook_url")}
            />
            {now.mail_available ? (
              <>
                <Field
                  label="Mail address"
                  name="email"
                  type="email"
                  autoComplete="email"
                  defaultValue={now.email ?? ""}
                  hint={
                    now.email === null || now.email_confirmed
                      ? "Used once the link that is sent there was followed."
                      : "It waits for the link that was sent there to be followed."
                  }
                  fault={fault("email")}
                />
                <Field
                  label="Your password, to set another address"
                  name="password"
                  type="password"
                  autoComplete="current-password"
                  fault={fault("password")}
                />
              </>
            ) : (
              <p className="small">This service sends no mail; a webhook is told.</p>
            )}
          </>
        )}
      </Form>
    </>
  );
}

/** What is said only once. */
function Changed({ answer }: { answer: NotificationsSet | undefined }) {
  if (answer === undefined) return null;
  return (
    <Notice kind="done">
      <p>Saved.</p>
      {answer.webhook_secret !== null && (
        <>
          <p>This is the secret of the webhook. It is shown only now: copy it.</p>
          <Command label="The secret of the webhook">{answer.webhook_secret}</Command>
        </>
      )}
      {answer.mail_sent && <p>A mail with a link is on its way to {answer.email}.</p>}
      {answer.mail_problem !== null && <p>No mail could be sent: {answer.mail_problem}</p>}
    </Notice>
  );
}

function Test({ now }: { now: Notifications }) {
  const change = useChange<Tests>();
  const none = now.webhook_url === null && !(now.email !== null && now.email_confirmed);
  if (none) return null;
  return (
    <>
      <p>
        <button
          type="button"
          disabled={change.isPending}
          onClick={() => { change.mutate({ method: "POST", path: "/me/notifications/test" }); }}
        >
          Send a test now
        </button>
      </p>
      {change.error !== null && <Notice kind="error">{sentence(change.error.message)}</Notice>}
      {change.data?.results.map(({ channel, delivered, answer }) => (
        <Notice key={channel} kind={delivered ? "done" : "error"}>
          {channel}: {delivered ? "delivered" : "not delivered"}. {sentence(answer)}
        </Notice>
      ))}
    </>
  );
}
