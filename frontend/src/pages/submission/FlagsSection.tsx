import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import { authQuery } from "../../api/account";
import type { Flag, Submission } from "../../api/types";
import { Facts } from "../../components/Facts";
import { flagAddress } from "../../components/Flags";
import { Time } from "../../components/Time";
import { FlagDialog } from "./FlagDialog";

/** What a reader must know before the numbers, each with its reason; nothing where there is none. */
export function FlagsSection({ submission }: { submission: Submission }) {
  const admin = useQuery(authQuery).data?.session?.role === "admin";
  if (submission.flags.length === 0) return null;
  return (
    <section aria-labelledby="flags">
      <h2 id="flags">Flags</h2>
      <Facts
        className="reasons"
        facts={submission.flags.map((flag) => [
          flag.title,
          <Reason key={flag.code} flag={flag} of={submission} admin={admin} />,
        ])}
      />
    </section>
  );
}

function Reason({ flag, of, admin }: { flag: Flag; of: Submission; admin: boolean }) {
  const { code, meaning, reason, figures, dismissed } = flag;
  const measured = reason !== meaning; // else it is declared
  return (
    <>
      {dismissed !== null && (
        <p>
          <span className="tag">dismissed</span> An admin found it to be wrong here (
          <Time at={dismissed.at} />): {dismissed.reason}
        </p>
      )}
      <p>{reason}</p>
      {measured && <p className="hint">{meaning}</p>}
      {figures.length > 0 && (
        <Facts className="figures" facts={figures.map(({ name, text }) => [name, text])} />
      )}
      <p>
        <Link to={flagAddress(code)}>{measured ? "Its threshold, and what it proves" : "More of flags"}</Link>
      </p>
      {admin && measured && <Dismiss flag={flag} of={of} />}
    </>
  );
}

function Dismiss({ flag, of }: { flag: Flag; of: Submission }) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <button type="button" onClick={() => { setAsked(true); }}>
        {flag.dismissed === null ? "Dismiss it" : "Raise it again"}
      </button>
      {asked && <FlagDialog flag={flag} of={of} onClose={() => { setAsked(false); }} />}
    </>
  );
}
