import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearchParams } from "react-router";

import { boardAddress } from "../../address";
import { boardsQuery } from "../../api/queries";
import { comparisonQuery, tableQuery, type Comparison, type Table } from "../../api/tables";
import type { Side } from "../../api/types";
import { scaleName, useBoard, useChoices } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { Exports } from "../../components/Exports";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { DIFFICULTY_NAMES, VIEWS, VIEW_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";
import { OfBoard } from "../OfBoard";
import { Chips } from "../paper/Chips";
import { ComparisonTable, MetricTable, WinsTable } from "./ComparisonTable";
import { DegreeSection } from "./DegreeTable";
import { DifferenceSection } from "./DifferenceTable";
import {
  MOST,
  boardOf,
  compareAddress,
  comparedOf,
  comparisonFiles,
  winsFiles,
  type Compared,
} from "./addresses";

/** Two to five entries of one side, side by side. */
export function ComparePage() {
  const [search] = useSearchParams();
  const board = boardOf(search);
  return (
    <Page
      title="Compare"
      heading="Compare entries"
      above={
        <>
          <Link to="/">Boards</Link>
          {board !== "" && (
            <>
              {" "}
              / <Link to={boardAddress(board)}>{board}</Link>
            </>
          )}
        </>
      }
    >
      {board === "" ? (
        <Boards />
      ) : (
        <OfBoard id={board}>
          <Chosen key={board} />
        </OfBoard>
      )}
    </Page>
  );
}

/** Entries are compared on one board: which one? */
function Boards() {
  const boards = useQuery(boardsQuery);
  return (
    <Loaded query={boards} what="the boards">
      {(data) => {
        const comparable = data.filter((board) => board.attacks > 1 || board.defenses > 1);
        if (comparable.length === 0) {
          return <Notice kind="note">No board has two entries of one side yet.</Notice>;
        }
        return (
          <>
            <p>Entries of one board are compared. Which one?</p>
            <ul>
              {comparable.map((board) => (
                <li key={board.id}>
                  <Link to={compareAddress(board.id)}>{board.title}</Link>
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Loaded>
  );
}

const OFFER = { preset: "brief", attacks: [], defenses: [], difficulties: null, base: null } as const;

function Chosen() {
  const [search] = useSearchParams();
  const compared = comparedOf(search, useBoard());
  const { board, ids, view } = compared;
  const offer = useQuery(tableQuery(board, OFFER));
  const comparison = useQuery(comparisonQuery(board, ids, view));
  return (
    <Loaded query={offer} what="the entries of the board" missing={<Missing kind="board" id={board} />}>
      {(data) => (
        <>
          <Chooser compared={compared} offer={data} />
          {ids.length === 0 ? (
            <Notice kind="note">Choose two to five attacks, or two to five defenses.</Notice>
          ) : (
            <Loaded query={comparison} what="the comparison">
              {(found) => (
                <Content found={found} compared={compared} busy={comparison.isPlaceholderData} />
              )}
            </Loaded>
          )}
        </>
      )}
    </Loaded>
  );
}

const SIDES: readonly Side[] = ["defense", "attack"];

function Chooser({ compared, offer }: { compared: Compared; offer: Table }) {
  const navigate = useNavigate();
  const { board, ids } = compared;
  const choices = useChoices();
  const scale = scaleName(useBoard());
  const available = { attack: offer.available_attacks, defense: offer.available_defenses };
  const known = SIDES.filter((side) => available[side].some((entry) => ids.includes(entry.id)));
  const sides = known.length === 0 ? SIDES : known;
  return (
    <div className="choices paper-choices">
      {sides.map((side) => (
        <Chips
          key={side}
          label={side === "attack" ? "Attacks" : "Defenses"}
          word={side === "attack" ? "an attack" : "a defense"}
          chosen={ids.flatMap((id) => available[side].filter((entry) => entry.id === id))}
          available={available[side]}
          most={MOST}
          choose={(chosen) =>
            void navigate(compareAddress(board, chosen, compared), { preventScrollReset: true })
          }
        />
      ))}
      <ChoiceLinks
        label={scale}
        names={DIFFICULTY_NAMES}
        options={choices}
        chosen={compared.difficulty}
        address={(difficulty) => compareAddress(board, ids, { ...compared, difficulty })}
      />
      <ChoiceLinks
        label="Counterparts"
        names={VIEW_NAMES}
        options={VIEWS}
        chosen={compared.view}
        address={(view) => compareAddress(board, ids, { ...compared, view })}
      />
    </div>
  );
}

function Content({ found, compared, busy }: { found: Comparison; compared: Compared; busy: boolean }) {
  const { entries, missing, counterparts, total, side } = found;
  const shown = counterparts.filter(({ id }) => id !== "clean").length;
  return (
    <>
      {missing.length > 0 && (
        <Notice kind="note">
          Left out, since they are no ranked {side}s of this board: <code>{missing.join(", ")}</code>
        </Notice>
      )}
      {entries.length < 2 ? (
        <Notice kind="note">Choose one more: a comparison needs two entries of one side.</Notice>
      ) : (
        <>
          {shown < total && (
            <Notice kind="note">
              Over the {shown} best ranked of {total} counterparts.
            </Notice>
          )}
          <h2>Scores</h2>
          <MetricTable found={found} difficulty={compared.difficulty} busy={busy} />
          <h2>Who wins</h2>
          <DifferenceSection found={found} compared={compared} />
          <WinsTable found={found} busy={busy} />
          <Exports what="Where each is best" files={winsFiles(compared)} />
          <h2>{side === "defense" ? "Under each attack" : "Against each defense"}</h2>
          <ComparisonTable found={found} difficulty={compared.difficulty} busy={busy} />
          <DegreeSection found={found} compared={compared} />
          <Exports what="This comparison" files={comparisonFiles(compared)} />
        </>
      )}
    </>
  );
}
