import { useChange, type Auth } from "../../api/account";
import { Notice } from "../../components/Notice";
import { sentence } from "../../format";

interface ProviderButtonsProps {
  providers: Auth["providers"];
  /** Add who one is there to the account that is signed in. */
  link?: boolean;
  /** Where to go on afterwards. */
  next?: string;
}

/** A button for each place where one may sign in. */
export function ProviderButtons({ providers, link = false, next = "/account" }: ProviderButtonsProps) {
  const change = useChange<{ url: string }>(({ url }) => {
    window.location.assign(url);
  });
  if (providers.length === 0) return null;
  return (
    <div className="form">
      {change.error !== null && <Notice kind="error">{sentence(change.error.message)}</Notice>}
      {providers.map(({ id, name }) => (
        <p key={id}>
          <button
            type="button"
            disabled={change.isPending}
            onClick={() => {
              const body = { next, link };
              change.mutate({ method: "POST", path: `/auth/providers/${id}`, body });
            }}
          >
            {link ? `Link ${name}` : `Sign in with ${name}`}
          </button>
        </p>
      ))}
    </div>
  );
}
