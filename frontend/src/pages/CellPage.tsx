import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useParams } from "react-router";

import { boardAddress, cellAddress, filesOf } from "../address";
import { cellQuery } from "../api/queries";
import type { Cell, MatrixEntry } from "../api/types";
import { scaleName, scoresOf, useBoard, useScores } from "../board";
import { Command } from "../components/Command";
import { DataTable } from "../components/DataTable";
import { EntryLink } from "../components/EntryLink";
import { Exports } from "../components/Exports";
import { Facts } from "../components/Facts";
import { Loaded } from "../components/Loaded";
import { Notice } from "../components/Notice";
import { Page } from "../components/Page";
import { ScoreValue } from "../components/ScoreValue";
import { StateTag } from "../components/StateTag";
import { Time } from "../components/Time";
import { DASH, count, number, seconds } from "../format";
import { heading } from "../scores";
import { CELL_STATES, CLEAN, CLEAN_NAME, DIFFICULTY_NAMES, FAULTS } from "../words";
import { CellBreakdown } from "./CellBreakdown";
import { CellConfusion } from "./CellConfusion";
import { CellHistory, ReplacedNotice } from "./CellHistory";
import { Missing } from "./NotFoundPage";
import { OfBoard } from "./OfBoard";
import { useMeasured } from "./measured";

/** One attack against one defense: what was counted, and how to count it again. */
export function CellPage() {
  const { id = "" } = useParams();
  const cell = useQuery(cellQuery(id));
  const { data } = cell;
  return (
    <Page
      title={data ? `${nameOf(data.attack)} against ${nameOf(data.defense)}` : "Cell"}
      heading={
        data ? (
          <>
            <EntryLink entry={data.attack} /> against <EntryLink entry={data.defense} />
          </>
        ) : (
          "Cell"
        )
      }
      above={
        <>
          <Link to="/">Boards</Link>
          {data && (
            <>
              {" "}
              / <Link to={boardAddress(data.board)}>{data.board}</Link> / Cell
            </>
          )}
        </>
      }
      beside={data && <StateTag state={data.state} />}
    >
      <Loaded query={cell} what="the cell" missing={<Missing kind="cell" id={id} />}>
        {(found) => (
          <OfBoard id={found.board} former={found.metric}>
            <CellContent key={found.id} cell={found} />
          </OfBoard>
        )}
      </Loaded>
    </Page>
  );
}

function nameOf(entry: MatrixEntry): string {
  return entry.id === CLEAN ? CLEAN_NAME : entry.name;
}

function CellContent({ cell }: { cell: Cell }) {
  const at = cellAddress(cell.id);
  const scores = useScores();
  const broken = cell.state === "failed" || cell.state === "dead";
  return (
    <>
      <p role="status" className="lead">
        {CELL_STATES[cell.state]}
      </p>
      <ReplacedNotice cell={cell} />
      {cell.reason !== null && (
        <Notice kind={broken ? "error" : "warning"}>{cell.reason}</Notice>
      )}
      <Words cell={cell} />
      {cell.state === "done" && (
        <section aria-labelledby="counts">
          <h2 id="counts">{scores.errors ? "Error" : "Accuracy"}</h2>
          <CountTable cell={cell} />
          <Exports what={scores.errors ? "These errors" : "These counts"} files={filesOf(`${at}/results`, "", at)} />
          {!scores.errors && <NotByClass cell={cell} />}
          <NotFinite cell={cell} />
        </section>
      )}
      {cell.state === "done" && !scores.errors && <CellBreakdown cell={cell} />}
      {cell.state === "done" && !scores.errors && <CellConfusion cell={cell} />}
      <CellHistory cell={cell} />
      <section aria-labelledby="provenance">
        <h2 id="provenance">Where the numbers come from</h2>
        <Facts facts={provenance(cell)} />
      </section>
      <section aria-labelledby="command">
        <h2 id="command">Compute it yourself</h2>
        {cell.command === null ? (
          <p>
            A file that it takes was deleted with its entry, the board has left the catalog, or it hides
            half of its targets: numbers made at home would be over all.
          </p>
        ) : (
          <>
            <p>These lines download the files and recompute the numbers at home.</p>
            <Command label="The command that recomputes this cell">{cell.command}</Command>
          </>
        )}
      </section>
    </>
  );
}

/** Whose fault it was, and what the evaluator wrote in the try that failed last. */
function Words({ cell }: { cell: Cell }) {
  const { error_code, error_family, log } = cell;
  if (error_code === null && log === null) return null;
  return (
    <section aria-labelledby="error">
      <h2 id="error">What went wrong</h2>
      {error_code !== null && (
        <p>
          Error <code>{error_code}</code>
          {error_family !== null && `, through a fault of ${FAULTS[error_family]}`}; {attempts(cell)}.
        </p>
      )}
      {log === null ? (
        <p className="small">The evaluator wrote nothing.</p>
      ) : (
        <details className="log" open={cell.state === "failed" || cell.state === "dead"}>
          <summary>The last lines that the evaluator wrote</summary>
          <pre role="region" tabIndex={0} aria-label="The last lines that the evaluator wrote">
            {log}
          </pre>
        </details>
      )}
    </section>
  );
}

/** How many tries were spoiled; a fault of the submission is final at once. */
function attempts({ attempts: spoiled, max_attempts }: Cell): string {
  if (spoiled === 0) return "it is final at the first try";
  return `${count(spoiled)} of at most ${count(max_attempts)} tries ended without a result`;
}

const BY_CLASS = [
  ["macro_f1", "Macro-F1 (%)"],
  ["balanced_accuracy", "Balanced accuracy (%)"],
] as const;

const COUNTED =
  "Targets classified correctly, of all targets, in each repeat; and their mean ± standard deviation in percent.";
const ERRED =
  "Mean error over all targets, in standard deviations of their labels, in each repeat; and their mean ± standard deviation.";

function CountTable({ cell }: { cell: Cell }) {
  const board = useBoard();
  const scores = scoresOf(board);
  const carried = useMeasured(cell);
  const columns = [["accuracy", heading(scores)] as const, ...(scores.errors ? [] : BY_CLASS)];
  const repeats = Math.max(
    ...Object.values(scores.errors ? cell.errors : cell.correct).map((values) => values.length),
    0,
  );
  const counted = Array.from({ length: repeats }, (_, repeat) => repeat);
  return (
    <DataTable name="counts" caption={scores.errors ? ERRED : COUNTED}>
      <thead>
        <tr>
          <th scope="col">{scaleName(board)}</th>
          {columns.map(([name, words]) => (
            <th scope="col" className="number" key={name}>
              {words}
            </th>
          ))}
          {counted.map((repeat) => (
            <th scope="col" className="number" key={repeat}>
              Repeat {repeat}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {carried.map((difficulty) => (
          <tr key={difficulty}>
            <th scope="row">{DIFFICULTY_NAMES[difficulty]}</th>
            {columns.map(([name]) => (
              <td className="number" key={name}>
                <ScoreValue score={cell[name][difficulty]} />
              </td>
            ))}
            {counted.map((repeat) => (
              <td className="number" key={repeat}>
                {scores.errors ? (
                  number(cell.errors[difficulty]?.[repeat])
                ) : (
                  <Counted correct={cell.correct[difficulty]?.[repeat]} total={cell.total[difficulty]} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** Hits of so many targets; of a mean there are none. */
function Counted({ correct, total }: Record<"correct" | "total", number | undefined>) {
  if (correct === undefined) return <span className="none">{DASH}</span>;
  return `${count(correct)} of ${count(total)}`;
}

/** Said of results that were measured before counts by class were kept. */
function NotByClass({ cell }: { cell: Cell }) {
  if (Object.keys(cell.macro_f1).length > 0) return null;
  return (
    <p>
      Macro-F1 and balanced accuracy are not known: for which class targets were taken was not kept. A
      re-evaluation keeps it.
    </p>
  );
}

function NotFinite({ cell }: { cell: Cell }) {
  const { errors } = useScores();
  const predictions = Object.values(cell.not_finite).flat();
  const total = predictions.reduce((sum, misses) => sum + misses, 0);
  if (total === 0) return null;
  return (
    <p>
      On {count(total)} predictions the logits were not finite; they count as{" "}
      {errors ? "errors of 1,000 standard deviations" : "misses"}.
    </p>
  );
}

function provenance(cell: Cell): [string, ReactNode][] {
  const { protocol, evaluator_version, device, versions, attack_sha256, defense_sha256 } =
    cell.provenance;
  const software = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    ["Protocol", <code key="protocol">{protocol}</code>],
    ["Evaluator version", count(evaluator_version)],
    ["Software", software.join(", ") || DASH],
    ["Device", device ?? DASH],
    ["Time taken", seconds(cell.provenance.seconds)],
    ["Failed attempts", count(cell.attempts)],
    ["Queued", <Time key="queued" at={cell.queued_at} />],
    ["Started", <Time key="started" at={cell.started_at} />],
    ["Finished", <Time key="finished" at={cell.finished_at} />],
    ["Attack, SHA-256", attack_sha256 === null ? DASH : <code key="a">{attack_sha256}</code>],
    ["Defense, SHA-256", defense_sha256 === null ? DASH : <code key="d">{defense_sha256}</code>],
    ["Identifier", <code key="id">{cell.id}</code>],
  ];
}
