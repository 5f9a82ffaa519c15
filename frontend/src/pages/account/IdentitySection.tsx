import { useQuery } from "@tanstack/react-query";

import { identitiesQuery, useChange, type Auth } from "../../api/account";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { sentence } from "../../format";
import { ProviderButtons } from "./ProviderButtons";

/** Where else one signs in; nothing where the service knows no such place. */
export function IdentitySection({ providers }: { providers: Auth["providers"] }) {
  const identities = useQuery({ ...identitiesQuery, enabled: providers.length > 0 });
  const unlink = useChange();
  if (providers.length === 0) return null;
  return (
    <section aria-labelledby="identities">
      <h2 id="identities">Signing in elsewhere</h2>
      {unlink.error !== null && <Notice kind="error">{sentence(unlink.error.message)}</Notice>}
      <Loaded query={identities} what="who you are elsewhere">
        {(found) => (
          <ul>
            {found.identities.map(({ id, issuer, label }) => (
              <li key={id}>
                {label} at {issuer}{" "}
                <button
                  type="button"
                  aria-label={`Unlink ${label} at ${issuer}`}
                  disabled={unlink.isPending}
                  onClick={() => {
                    unlink.mutate({ method: "DELETE", path: `/me/identities/${id}` });
                  }}
                >
                  Unlink
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <ProviderButtons providers={providers} link />
    </section>
  );
}
