import { useQuery } from "@tanstack/react-query";

import { sessionsQuery, useChange } from "../../api/account";
import { DataTable } from "../../components/DataTable";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Time } from "../../components/Time";
import { sentence } from "../../format";

/** Where one is signed in, and how to end that. */
export function SessionSection() {
  const sessions = useQuery(sessionsQuery);
  const end = useChange();
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {end.error !== null && <Notice kind="error">{sentence(end.error.message)}</Notice>}
      <Loaded query={sessions} what="your sessions">
        {(found) => (
          <>
            <DataTable name="sessions" caption="The browsers in which you are signed in.">
              <thead>
                <tr>
                  <th scope="col">Browser</th>
                  <th scope="col">Since</th>
                  <th scope="col">Last used</th>
                  <th scope="col">End</th>
                </tr>
              </thead>
              <tbody>
                {found.sessions.map((session) => (
                  <tr key={session.id}>
                    <th scope="row">{session.agent || "(unnamed)"}</th>
                    <td>
                      <Time at={session.created_at} />
                    </td>
                    <td>
                      <Time at={session.seen_at} />
                    </td>
                    <td>
                      {session.current ? (
                        "this one"
                      ) : (
                        <button
                          type="button"
                          aria-label={`End the session in ${session.agent || "the unnamed browser"}`}
                          disabled={end.isPending}
                          onClick={() => {
                            end.mutate({ method: "DELETE", path: `/me/sessions/${session.id}` });
                          }}
                        >
                          End
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </DataTable>
            {found.sessions.length > 1 && (
              <p>
                <button
                  type="button"
                  disabled={end.isPending}
                  onClick={() => {
                    end.mutate({ method: "DELETE", path: "/me/sessions" });
                  }}
                >
                  Sign out everywhere but here
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
