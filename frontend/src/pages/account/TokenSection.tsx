import { useQuery } from "@tanstack/react-query";

import { SCOPES, tokensQuery, useChange, type TokenMade, type TokenScope } from "../../api/account";
import { Command } from "../../components/Command";
import { DataTable } from "../../components/DataTable";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Time } from "../../components/Time";
import { sentence } from "../../format";

/** Tokens: listed, made, revoked. */
export function TokenSection({ role }: { role: "user" | "admin" }) {
  const tokens = useQuery(tokensQuery);
  const revoke = useChange();
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      <p>
        The commands of <code>grb</code> and the API take a token in place of your password.
      </p>
      {revoke.error !== null && <Notice kind="error">{sentence(revoke.error.message)}</Notice>}
      <Loaded query={tokens} what="your tokens">
        {(found) =>
          found.tokens.length === 0 ? (
            <Notice kind="note">You have no tokens yet.</Notice>
          ) : (
            <DataTable name="tokens" caption="What each may do; none can be read again.">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">May</th>
                  <th scope="col">Made</th>
                  <th scope="col">Last used</th>
                  <th scope="col">Ends</th>
                  <th scope="col">Revoke</th>
                </tr>
              </thead>
              <tbody>
                {found.tokens.map((token) => (
                  <tr key={token.id}>
                    <th scope="row">{token.name || "(without a name)"}</th>
                    <td>{token.scopes.join(", ")}</td>
                    <td>
                      <Time at={token.created_at} />
                    </td>
                    <td>
                      <Time at={token.last_used_at} />
                    </td>
                    <td>
                      <Time at={token.expires_at} />
                    </td>
                    <td>
                      <button
                        type="button"
                        aria-label={`Revoke ${token.name || "the token without a name"}`}
                        disabled={revoke.isPending}
                        onClick={() => {
                          revoke.mutate({ method: "DELETE", path: `/me/tokens/${token.id}` });
                        }}
                      >
                        Revoke
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </DataTable>
          )
        }
      </Loaded>
      <NewToken role={role} />
    </section>
  );
}

function NewToken({ role }: { role: "user" | "admin" }) {
  const make = useChange<TokenMade>();
  const scopes = (Object.keys(SCOPES) as TokenScope[]).filter(
    (scope) => scope !== "admin" || role === "admin",
  );
  return (
    <>
      <h3>Make a token</h3>
      {make.data !== undefined && (
        <Notice kind="done">
          <p>This is {make.data.name}. It is shown only now: copy it.</p>
          <Command label="The new token">{make.data.token}</Command>
        </Notice>
      )}
      <Form
        action="Make a token"
        busy={make.isPending}
        error={make.error}
        onSend={(values) => {
          const days = text(values, "expires_in_days");
          const body = {
            name: text(values, "name"),
            scopes: values.getAll("scopes"),
            expires_in_days: days === "" ? null : Number(days),
          };
          make.mutate({ method: "POST", path: "/me/tokens", body });
        }}
      >
        {(fault) => (
          <>
            <Field label="Name of the token" name="name" autoComplete="off" fault={fault("name")} />
            <fieldset aria-describedby={fault("scopes") === undefined ? undefined : "scopes-fault"}>
              <legend>What it may do</legend>
              {scopes.map((scope) => (
                <label key={scope} className="check">
                  <input
                    type="checkbox"
                    name="scopes"
                    value={scope}
                    defaultChecked={scope === "read" || scope === "submit"}
                  />
                  {scope}: {SCOPES[scope]}
                </label>
              ))}
              {fault("scopes") !== undefined && (
                <p className="field-fault" id="scopes-fault">
                  {fault("scopes")}
                </p>
              )}
            </fieldset>
            <Field
              label="Days until it ends"
              name="expires_in_days"
              type="number"
              min={1}
              max={366}
              defaultValue={90}
              hint="Empty: it does not end by itself."
              fault={fault("expires_in_days")}
            />
          </>
        )}
      </Form>
    </>
  );
}
