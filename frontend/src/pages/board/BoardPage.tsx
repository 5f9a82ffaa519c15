import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { boardAddress, sheetAddress, submissionsAddress, useChoice, usePlaces } from "../../address";
import {
  STEPS,
  boardInterval,
  boardQuery,
  historyQuery,
  isMoving,
  leaderboardQuery,
  matrixQuery,
  newestQuery,
  type Choice,
  type Places,
} from "../../api/queries";
import type { Board } from "../../api/types";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Pages } from "../../components/Pages";
import { PreparationProgress } from "../../components/PreparationProgress";
import { StateTag } from "../../components/StateTag";
import { SubmissionTable } from "../../components/SubmissionTable";
import { DIFFICULTIES, DIFFICULTY_NAMES, VIEWS, VIEW_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";
import { AttackTable } from "./AttackTable";
import { BoardFacts } from "./BoardFacts";
import { BoardLinks } from "./BoardLinks";
import { BoardHistory, ComingNotice } from "./BoardHistory";
import { DefenseTable } from "./DefenseTable";
import { MatrixTable } from "./MatrixTable";

/** One board: its rules, both rankings, and the matrix between them. */
export function BoardPage() {
  const { dataset = "", scenario = "" } = useParams();
  const id = `${dataset}/${scenario}`;
  const board = useQuery(boardQuery(id));
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
        {(data) => <BoardContent board={data} />}
      </Loaded>
    </Page>
  );
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
      {board.state === "no-data" ? (
        <Notice kind="note">
          The dataset's files are not on this service, so the board takes no submissions.
          {board.hint !== null && (
            <>
              {" "}
              For its operator: <code>{board.hint}</code>
            </>
          )}
        </Notice>
      ) : (
        <Rankings board={board} choice={choice} />
      )}
    </>
  );
}

function Rankings({ board, choice }: { board: Board; choice: Choice }) {
  const interval = boardInterval(board);
  const places = usePlaces();
  const defenses = useQuery(
    leaderboardQuery(board.id, "defense", choice, places.defenses, interval),
  );
  const attacks = useQuery(leaderboardQuery(board.id, "attack", choice, places.attacks, interval));
  const matrix = useQuery(matrixQuery(board.id, choice, places, interval));
  const pages = (name: keyof Places) => ({
    first: places[name],
    step: STEPS[name],
    address: (place: number) => boardAddress(board.id, choice, { ...places, [name]: place }),
  });
  const newest = useQuery(newestQuery(board.id, interval));
  const history = useQuery(historyQuery(board.id));
  const waiting = newest.data?.submissions.filter(isMoving) ?? [];
  return (
    <>
      {history.data?.coming && <ComingNotice coming={history.data.coming} />}
      <div className="choices">
        <ChoiceLinks
          label="Difficulty"
          names={DIFFICULTY_NAMES}
          options={DIFFICULTIES}
          chosen={choice.difficulty}
          address={(difficulty) => boardAddress(board.id, { ...choice, difficulty })}
        />
        <ChoiceLinks
          label="Counterparts"
          names={VIEW_NAMES}
          options={VIEWS}
          chosen={choice.view}
          address={(view) => boardAddress(board.id, { ...choice, view })}
        />
        <p className="small">
          {choice.view === "reference"
            ? "Scored over the board's frozen references: no upload moves anybody's score."
            : "Scored over every registered entry of the other side."}
        </p>
      </div>
      <section aria-labelledby="defenses">
        <h2 id="defenses">Defenses</h2>
        <Loaded query={defenses} what="the ranking of defenses">
          {(data) => (
            <>
              <Pages what="Defenses" label="Parts of the ranking of defenses" total={data.total} {...pages("defenses")} />
              <DefenseTable leaderboard={data} busy={defenses.isPlaceholderData} />
              <Sheet words="The ranking of defenses as CSV" href={sheetAddress(board.id, choice, "defense")} />
            </>
          )}
        </Loaded>
      </section>
      <section aria-labelledby="attacks">
        <h2 id="attacks">Attacks</h2>
        <Loaded query={attacks} what="the ranking of attacks">
          {(data) => (
            <>
              <Pages what="Attacks" label="Parts of the ranking of attacks" total={data.total} {...pages("attacks")} />
              <AttackTable leaderboard={data} busy={attacks.isPlaceholderData} />
              <Sheet words="The ranking of attacks as CSV" href={sheetAddress(board.id, choice, "attack")} />
            </>
          )}
        </Loaded>
      </section>
      <section aria-labelledby="matrix">
        <h2 id="matrix">Attacks against defenses</h2>
        <Loaded query={matrix} what="the matrix">
          {(data) => (
            <>
              <div className="windows">
                <Pages what="Attacks" label="Rows of the matrix" total={data.total_rows} {...pages("row")} />
                <Pages what="Defenses" label="Columns of the matrix" total={data.total_columns} {...pages("column")} />
              </div>
              <MatrixTable matrix={data} busy={matrix.isPlaceholderData} />
              <Sheet words="The whole matrix as CSV" href={sheetAddress(board.id, choice)} />
            </>
          )}
        </Loaded>
      </section>
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
      <p>
        <Link to={submissionsAddress(board.id)}>All submissions to this board</Link>
      </p>
    </>
  );
}

/** A link to a table as a file. */
function Sheet({ words, href }: { words: string; href: string }) {
  const other = (kind: string) => href.replace(".csv?", `${kind}?`);
  return (
    <p className="small">
      <a href={href} download>
        {words}
      </a>{" "}
      ·{" "}
      <a href={other(".tex")} download aria-label={words.replace("CSV", "LaTeX")}>
        LaTeX
      </a>{" "}
      ·{" "}
      <a href={other("")} aria-label={words.replace("CSV", "JSON")}>
        JSON
      </a>
    </p>
  );
}
