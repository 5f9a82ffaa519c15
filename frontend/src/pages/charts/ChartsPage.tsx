import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearchParams } from "react-router";

import { boardAddress, useChoice } from "../../address";
import type { Choice } from "../../api/queries";
import { chartsQuery, type Charts } from "../../api/tables";
import { scaleName, useBoard, useChoices } from "../../board";
import "../../charts/charts.css";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { DIFFICULTY_NAMES, VIEWS, VIEW_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";
import { BoardId, OfBoard } from "../OfBoard";
import { chartsAddress, COSTS, COST_NAMES, costOf, type Cost } from "./addresses";
import { ByCost, ByDifficulty, OverTime, Repeats, TradeOff } from "./drawings";

/** What the numbers of a board look like. */
export function ChartsPage() {
  const { dataset = "", scenario = "" } = useParams();
  const id = `${dataset}/${scenario}`;
  return <ChartsOf key={id} id={id} />; // nothing of another board is kept
}

function ChartsOf({ id }: { id: string }) {
  return (
    <Page
      title={`Charts of ${id}`}
      heading="Charts"
      above={
        <>
          <Link to="/">Boards</Link> / <Link to={boardAddress(id)}><BoardId id={id} /></Link>
        </>
      }
    >
      <OfBoard id={id}>
        <Chosen id={id} />
      </OfBoard>
    </Page>
  );
}

function Chosen({ id }: { id: string }) {
  const [search] = useSearchParams();
  const choice = useChoice();
  const charts = useQuery(chartsQuery(id, choice));
  return (
    <Loaded query={charts} what="the charts" missing={<Missing kind="board" id={id} />}>
      {(data) => <Content charts={data} board={id} choice={choice} cost={costOf(search)} />}
    </Loaded>
  );
}

interface ContentProps {
  charts: Charts;
  board: string;
  choice: Choice;
  cost: Cost;
}

function Content({ charts, board, choice, cost }: ContentProps) {
  const choices = useChoices();
  const scale = scaleName(useBoard());
  const file = `${charts.board.replaceAll(/[^a-z0-9]+/g, "-")}-${charts.difficulty}-${charts.view}`;
  if (charts.defenses.length === 0) {
    return <Notice kind="note">No defense is registered yet, so there is nothing to draw.</Notice>;
  }
  return (
    <>
      <div className="choices">
        <ChoiceLinks
          label={scale}
          names={DIFFICULTY_NAMES}
          options={choices}
          chosen={choice.difficulty}
          address={(difficulty) => chartsAddress(board, { ...choice, difficulty }, cost)}
        />
        <ChoiceLinks
          label="Counterparts"
          names={VIEW_NAMES}
          options={VIEWS}
          chosen={choice.view}
          address={(view) => chartsAddress(board, { ...choice, view }, cost)}
        />
        <ChoiceLinks
          label="Cost"
          names={COST_NAMES}
          options={COSTS}
          chosen={cost}
          address={(wanted) => chartsAddress(board, choice, wanted)}
        />
        <p className="small">
          {choice.view === "reference"
            ? "Scored over the board's frozen references."
            : "Scored over every registered entry of the other side."}
        </p>
      </div>
      <TradeOff charts={charts} file={file} />
      <ByDifficulty charts={charts} file={file} />
      <ByCost charts={charts} file={file} cost={cost} />
      <OverTime charts={charts} file={file} />
      <Repeats charts={charts} file={file} />
    </>
  );
}
