import { usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useParams, useSearchParams } from "react-router";

import { changed, metricOf, sheets, useChoice, usePlaces, viewOf } from "../../address";
import {
  STEPS,
  boardInterval,
  boardQuery,
  gridQuery,
  historyQuery,
  isMoving,
  leaderboardQuery,
  newestQuery,
  type Choice,
} from "../../api/queries";
import type { Board, Difficulty } from "../../api/types";
import { BoardContext, choicesOf, scaleName, scaleOf } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { Exports } from "../../components/Exports";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Pages } from "../../components/Pages";
import { PreparationProgress } from "../../components/PreparationProgress";
import { StateTag } from "../../components/StateTag";
import { SubmissionTable } from "../../components/SubmissionTable";
import {
  DIFFICULTY_NAMES,
  METRICS,
  METRIC_NAMES,
  VIEWS,
  VIEW_NAMES,
  isAbsent,
} from "../../words";
import { Missing } from "../NotFoundPage";
import { BoardCite } from "./BoardCite";
import { BoardFacts } from "./BoardFacts";
import { BoardLinks } from "./BoardLinks";
import { BoardHistory, ComingNotice } from "./BoardHistory";
import { MatrixGrid } from "./matrix/MatrixGrid";
import { RankingSection } from "./ranking/RankingSection";
import { firstPart, isSettled, useRanking } from "./ranking/useRanking";

/** Another choice begins at the first entries. */
const FIRST = { defenses: null, attacks: null, row: null, column: null };

/** One board: its rules, both rankings, and the matrix between them. */
export function BoardPage() {
  const { dataset = "", scenario = "" } = useParams();
  const id = `${dataset}/${scenario}`;
  const board = useQuery(boardQuery(id));
  useEarly(id);
  return (
    <Page
      title={board.data?.title ?? id}
      heading={board.data?.title ?? id}
      above={
        <>
          <Link to="/">Boards</Link> / {board.data?.id ?? id}
        </>
      }
      beside={board.data && <StateTag state={board.data.state} />}
    >
      <Loaded query={board} what="the board" missing={<Missing kind="board" id={id} />}>
        {(data) => (
          <BoardContext value={data}>
            <BoardContent key={data.id} board={data} />
          </BoardContext>
        )}
      </Loaded>
    </Page>
  );
}

/**
 * What the page is about to show is asked for beside the board, not after it.  Where the address says a
 * difficulty that the board lacks, that was in vain.
 */
function useEarly(id: string): void {
  const [search] = useSearchParams();
  const known = Object.keys(DIFFICULTY_NAMES) as Difficulty[];
  const difficulty = known.find((name) => name === search.get("difficulty")) ?? scaleOf(id).ranked;
  const choice = { difficulty, view: viewOf(search) };
  const metric = metricOf(search);
  usePrefetchQuery(leaderboardQuery(...firstPart(id, search, { ...choice, side: "defense", metric }), 0));
  usePrefetchQuery(leaderboardQuery(...firstPart(id, search, { ...choice, side: "attack", metric }), 0));
  usePrefetchQuery(gridQuery(id, choice, usePlaces(), 0));
  usePrefetchQuery(historyQuery(id));
}

function BoardContent({ board }: { board: Board }) {
  const choice = useChoice();
  return (
    <>
      <BoardFacts board={board} difficulty={choice.difficulty} />
      {board.preparation !== null && (
        <section className="panel" aria-label="Preparation">
          {board.preparation.failed == null && (
            <p>The board's references are being made. It takes submissions already.</p>
          )}
          <PreparationProgress preparation={board.preparation} />
        </section>
      )}
      <BoardLinks board={board.id} />
      {board.state === "no-data" && (
        <Notice kind="note">
          The dataset's files are not on this service, so the board takes no submissions.
          {board.hint !== null && (
            <>
              {" "}
              For its operator: <code>{board.hint}</code>
            </>
          )}
        </Notice>
      )}
      {!isAbsent(board) && <Rankings board={board} choice={choice} />}
    </>
  );
}

function Rankings({ board, choice: { difficulty, view } }: { board: Board; choice: Choice }) {
  const interval = boardInterval(board);
  const [search] = useSearchParams();
  const metric = metricOf(search);
  const choice = useMemo(() => ({ difficulty, view }), [difficulty, view]);
  const defenses = useRanking(board.id, { side: "defense", ...choice, metric }, interval);
  const attacks = useRanking(board.id, { side: "attack", ...choice, metric }, interval);
  const newest = useQuery(newestQuery(board.id, interval));
  const history = useQuery(historyQuery(board.id));
  const waiting = newest.data?.submissions.filter(isMoving) ?? [];
  const chosen = (parts: Partial<Choice>) => changed(search, { ...choice, ...parts, ...FIRST });
  return (
    <>
      {history.data?.coming && <ComingNotice coming={history.data.coming} />}
      <div className="choices">
        <ChoiceLinks
          label={scaleName(board)}
          names={DIFFICULTY_NAMES}
          options={choicesOf(board)}
          chosen={difficulty}
          address={(name) => chosen({ difficulty: name })}
        />
        <ChoiceLinks
          label="Counterparts"
          names={VIEW_NAMES}
          options={VIEWS}
          chosen={view}
          address={(name) => chosen({ view: name })}
        />
        <ChoiceLinks
          label="Metric"
          names={METRIC_NAMES}
          options={METRICS}
          chosen={metric}
          address={(name) =>
            changed(search, { ...choice, metric: name === "weighted" ? null : name, ...FIRST })
          }
        />
        <p className="small">
          {view === "reference"
            ? "Scored over the board's frozen references: no upload moves anybody's score."
            : "Scored over every registered entry of the other side."}
        </p>
      </div>
      {/* one after the other, so that nothing that is read moves */}
      <RankingSection {...defenses} />
      {isSettled(defenses) && <RankingSection {...attacks} />}
      {isSettled(defenses) && isSettled(attacks) && (
        <MatrixSection id={board.id} choice={choice} interval={interval} />
      )}
      {waiting.length > 0 && (
        <section aria-labelledby="progress">
          <h2 id="progress">In progress</h2>
          <SubmissionTable
            caption="These take part in the rankings once all of their cells are done."
            submissions={waiting}
          />
        </section>
      )}
      {history.data && <BoardHistory history={history.data} />}
      {isSettled(defenses) && isSettled(attacks) && <BoardCite board={board.id} />}
    </>
  );
}

/** So many attacks and defenses stand in a table for LaTeX. */
const PRINTED = 100;

interface MatrixSectionProps {
  id: string;
  choice: Choice;
  interval: number;
}

function MatrixSection({ id, choice, interval }: MatrixSectionProps) {
  const places = usePlaces();
  const [search] = useSearchParams();
  const matrix = useQuery(gridQuery(id, choice, places, interval));
  const pages = (name: "row" | "column") => ({
    first: places[name],
    step: STEPS[name],
    address: (place: number) =>
      changed(search, { ...choice, [name]: place > 0 ? String(place) : null }),
  });
  const table = useMemo(
    () => matrix.data && <MatrixGrid grid={matrix.data} busy={matrix.isPlaceholderData} />,
    [matrix.data, matrix.isPlaceholderData],
  );
  return (
    <section className="part" aria-labelledby="matrix">
      <h2 id="matrix">Attacks against defenses</h2>
      <Loaded query={matrix} what="the matrix">
        {(data) => (
          <>
            <div className="windows">
              <Pages what="Attacks" label="Rows of the matrix" total={data.total_rows} {...pages("row")} />
              <Pages what="Defenses" label="Columns of the matrix" total={data.total_columns} {...pages("column")} />
            </div>
            {table}
            <Exports what="The whole matrix" files={sheets(id, choice)} />
            {Math.max(data.total_rows, data.total_columns) > PRINTED && (
              <p className="small">
                LaTeX has the first {PRINTED} of either side, JSON the first {STEPS.row}; CSV has all.
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
