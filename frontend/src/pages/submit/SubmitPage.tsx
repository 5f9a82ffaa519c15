import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useSearchParams } from "react-router";

import { changed, signInAddress } from "../../address";
import { authQuery } from "../../api/account";
import { boardQuery, boardsQuery } from "../../api/queries";
import type { BoardSummary, Side } from "../../api/types";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { SelectField } from "../../components/Field";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { SIDE_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";
import { Sent } from "./Sent";
import { Submit } from "./Submit";

const SIDES: readonly Side[] = ["defense", "attack"];

/** Submit a file: the board and the side in the address, the rest in a form. */
export function SubmitPage() {
  const [search] = useSearchParams();
  const sent = search.get("sent");
  return (
    <Page title="Submit" heading="Submit an attack or a defense">
      {sent === null ? <Choosing /> : <Sent id={sent} again={search.has("again")} />}
    </Page>
  );
}

function Choosing() {
  const boards = useQuery(boardsQuery);
  const auth = useQuery(authQuery);
  return (
    <Loaded query={boards} what="the list of boards">
      {(list) => (
        <Loaded query={auth} what="who is signed in">
          {({ session }) => <Chosen boards={list} token={session?.csrf_token ?? null} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function Chosen({ boards, token }: { boards: BoardSummary[]; token: string | null }) {
  const [search, setSearch] = useSearchParams();
  const { pathname, search: query } = useLocation();
  const id = search.get("board") ?? boards.find(({ state }) => state === "ready")?.id ?? "";
  const side: Side = search.get("side") === "attack" ? "attack" : "defense";
  const board = useQuery({ ...boardQuery(id), enabled: id !== "" });
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(changed(search, { [name]: value }));
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const address = (option: Side) => changed(search, { side: option });
  if (boards.length === 0) return <Notice kind="note">This service has no boards yet.</Notice>;
  return (
    <>
      {token === null && (
        <Notice kind="warning">
          <p>
            Submitting takes an account. <Link to={signInAddress(pathname + query)}>Sign in</Link>,
            and you come back here; or use a token with the commands below.
          </p>
        </Notice>
      )}
      <div className="form wide">
        <SelectField
          label="Board"
          value={id}
          onChange={(event) => { choose("board", event.target.value); }}
        >
          {!boards.some((known) => known.id === id) && <option value={id}>{id}</option>}
          {boards.map((known) => (
            <option key={known.id} value={known.id}>
              {known.id}
              {known.state === "no-data" ? " (takes no uploads)" : ""}
            </option>
          ))}
        </SelectField>
        <ChoiceLinks
          label="Side"
          names={SIDE_NAMES}
          options={SIDES}
          chosen={side}
          address={address}
        />
      </div>
      <Loaded query={board} what="the board" missing={<Missing kind="board" id={id} />}>
        {(found) => (
          <Submit
            key={found.id}
            board={found}
            side={side}
            token={token}
            onSide={(told) => { choose("side", told); }}
          />
        )}
      </Loaded>
    </>
  );
}
