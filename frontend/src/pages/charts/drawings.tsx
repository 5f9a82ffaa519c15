/** The five drawings of a board, each with its numbers as a table. */
import type { ChartEntry, Charts } from "../../api/tables";
import type { Score } from "../../api/types";
import { scaleName, useBoard, useScores } from "../../board";
import { Figure } from "../../charts/Figure";
import { Lines } from "../../charts/Lines";
import { Scatter, type Point } from "../../charts/Scatter";
import { Strip, stripHeight } from "../../charts/Strip";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Notice } from "../../components/Notice";
import { ScoreValue } from "../../components/ScoreValue";
import { Time } from "../../components/Time";
import { DASH, count, seconds } from "../../format";
import { heading, type Scores } from "../../scores";
import { DIFFICULTY_NAMES, difficultyWord } from "../../words";
import type { Cost } from "./addresses";

interface DrawingProps {
  charts: Charts;
  /** The beginning of the names of its files. */
  file: string;
}

const tick = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A score as a number of an axis: accuracies are there in percent. */
function onAxis({ errors }: Scores): (value: number) => string {
  return (value) => tick.format(errors ? value : 100 * value);
}

function weighted(entry: ChartEntry, charts: Charts): Score | undefined {
  return entry.metrics[charts.difficulty]?.weighted;
}

function Name({ entry }: { entry: { id: string; name: string } }) {
  return (
    <th scope="row">
      <EntryLink entry={entry} />
    </th>
  );
}

/** Clean against robust accuracy. */
export function TradeOff({ charts, file }: DrawingProps) {
  const scores = useScores();
  const [across, up, better] = scores.errors ? ["left", "down", "nearer the truth"] : ["right", "up", "more accurate"];
  const shown = charts.defenses.filter((entry) => entry.clean && weighted(entry, charts));
  const points = shown.map((entry): Point => {
    const score = weighted(entry, charts);
    return {
      ...entry,
      x: entry.clean?.mean ?? 0,
      y: score?.mean ?? 0,
      spread: score?.std ?? null,
      marked: entry.is_reference,
    };
  });
  return (
    <Figure
      title="What robustness costs on clean graphs"
      summary={`Each point is a defense: to the ${across} is ${better} without an attack, ${up} is more robust. Filled points are references; lines are ± over repeats. ${many(shown.length, charts.total_defenses, "defenses")}`}
      file={`${file}-trade-off`}
      height={400}
      draw={(width) => (
        <Scatter
          points={points}
          width={width}
          height={400}
          x={`Clean ${scores.one}${scores.unit}`}
          y={`Weighted${scores.unit}`}
          formatX={onAxis(scores)}
          formatY={onAxis(scores)}
          diagonal={{ words: "nothing lost", side: scores.errors ? "below" : "above" }}
        />
      )}
      table={
        <DataTable name="trade-off" className="compact" caption={`Clean ${scores.one} and Weighted, ${scores.in}.`}>
          <thead>
            <tr>
              <th scope="col">Defense</th>
              <th scope="col" className="number">
                Clean{scores.unit}
              </th>
              <th scope="col" className="number">
                Weighted{scores.unit}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <tr key={entry.id}>
                <Name entry={entry} />
                <td className="number">{scores.write(entry.clean?.mean)}</td>
                <td className="number">
                  <ScoreValue score={weighted(entry, charts)} />
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      }
    />
  );
}

const LINES = 6;

/** Weighted at each difficulty. */
export function ByDifficulty({ charts, file }: DrawingProps) {
  const board = useBoard();
  const { difficulties } = board;
  const scores = useScores();
  const scale = scaleName(board);
  const step = scale.toLowerCase();
  const shown = charts.defenses.filter((entry) => weighted(entry, charts)).slice(0, LINES);
  const lines = shown.map((entry) => ({
    ...entry,
    points: difficulties.flatMap((difficulty, x) => {
      const score = entry.metrics[difficulty]?.weighted;
      const name = `${entry.name}, ${difficultyWord(difficulty)}`;
      return score === undefined ? [] : [{ x, y: score.mean, name }];
    }),
  }));
  return (
    <Figure
      title={`${heading({ ...scores, unit: "" })} by ${step}`}
      summary={`Weighted of the best ${shown.length} defenses at each ${step}. ${scale === "Budget" ? "A budget is how much of each graph may be changed." : "Easy targets have few neighbours, hard ones many; full is all of them together."}`}
      file={`${file}-difficulties`}
      height={360}
      draw={(width) => (
        <Lines
          lines={lines}
          width={width}
          height={360}
          x={scale}
          y={`Weighted${scores.unit}`}
          steps={difficulties.map((name) => DIFFICULTY_NAMES[name])}
          formatY={onAxis(scores)}
        />
      )}
      table={
        <DataTable name="difficulties" className="compact" caption={`Weighted at each ${step}, ${scores.in}.`}>
          <thead>
            <tr>
              <th scope="col">Defense</th>
              {difficulties.map((name) => (
                <th scope="col" className="number" key={name}>
                  {DIFFICULTY_NAMES[name]}{scores.unit}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <tr key={entry.id}>
                <Name entry={entry} />
                {difficulties.map((name) => (
                  <td className="number" key={name}>
                    <ScoreValue score={entry.metrics[name]?.weighted} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </DataTable>
      }
    />
  );
}

/** The score against what a defense costs. */
export function ByCost({ charts, file, cost }: DrawingProps & { cost: Cost }) {
  const scores = useScores();
  const shown = charts.defenses.filter((entry) => entry[cost] !== null && weighted(entry, charts));
  const what = cost === "parameters" ? "Parameters" : "Seconds for a cell";
  const title = cost === "parameters" ? "Score against parameters" : "Score against seconds";
  const show = (value: number | null) => (cost === "parameters" ? count(value) : seconds(value));
  if (shown.length === 0) {
    return <Notice kind="note">Nothing is known of the {cost} of these defenses.</Notice>;
  }
  const points = shown.map((entry): Point => {
    const score = weighted(entry, charts);
    return {
      ...entry,
      x: Math.max(entry[cost] ?? 0, cost === "parameters" ? 1 : 0.001),
      y: score?.mean ?? 0,
      spread: score?.std ?? null,
      marked: entry.is_reference,
    };
  });
  return (
    <Figure
      title={title}
      summary={`Each point is a defense, by ${cost === "parameters" ? "how many weights it has" : "how long the evaluation of one of its cells took on average, on whatever device it ran"}. The scale across is logarithmic. ${many(shown.length, charts.total_defenses, "defenses")}`}
      file={`${file}-${cost}`}
      height={380}
      draw={(width) => (
        <Scatter
          points={points}
          width={width}
          height={380}
          x={cost === "parameters" ? what : `${what} (s)`}
          y={`Weighted${scores.unit}`}
          formatX={(value) => tick.format(value)}
          formatY={onAxis(scores)}
          logarithmic
        />
      )}
      table={
        <DataTable name="cost" className="compact" caption={`${what} and Weighted.`}>
          <thead>
            <tr>
              <th scope="col">Defense</th>
              <th scope="col" className="number">
                {what}
              </th>
              <th scope="col" className="number">
                Weighted{scores.unit}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <tr key={entry.id}>
                <Name entry={entry} />
                <td className="number">{show(entry[cost])}</td>
                <td className="number">
                  <ScoreValue score={weighted(entry, charts)} />
                </td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      }
    />
  );
}

/** How the best grew. */
export function OverTime({ charts, file }: DrawingProps) {
  const scores = useScores();
  const [better, stronger] = scores.errors ? ["lower", "higher"] : ["higher", "lower"];
  const sides = [
    { id: "defenses", name: "Best defense", found: charts.best_defenses },
    { id: "attacks", name: "Strongest attack", found: charts.best_attacks },
  ].filter(({ found }) => found.length > 0);
  const lines = sides.map(({ id, name, found }) => ({
    id,
    name,
    points: found.map((one) => ({ x: Date.parse(one.at), y: one.score, name: one.name })),
  }));
  const until = Math.max(
    ...[...charts.defenses, ...charts.attacks].map((entry) => Date.parse(entry.registered_at)),
  );
  return (
    <Figure
      title="The best over time"
      summary={`Weighted of each entry that was the best of its side when it was registered, by today's scores: a defense by a ${better} score, an attack by a ${stronger} one.`}
      file={`${file}-history`}
      height={340}
      draw={(width) => (
        <Lines
          lines={lines}
          width={width}
          height={340}
          x="Registered"
          y={`Weighted${scores.unit}`}
          formatY={onAxis(scores)}
          until={until}
        />
      )}
      table={
        <DataTable name="records" className="compact" caption="Entries that were the best of their side when they came.">
          <thead>
            <tr>
              <th scope="col">Entry</th>
              <th scope="col">Side</th>
              <th scope="col">Registered</th>
              <th scope="col" className="number">
                Weighted{scores.unit}
              </th>
            </tr>
          </thead>
          <tbody>
            {sides.flatMap(({ id, found }) =>
              found.map((one) => (
                <tr key={one.id}>
                  <Name entry={one} />
                  <td>{id}</td>
                  <td>
                    <Time at={one.at} />
                  </td>
                  <td className="number">{scores.write(one.score)}</td>
                </tr>
              )),
            )}
          </tbody>
        </DataTable>
      }
    />
  );
}

const ROWS = 15;

/** Weighted in each repeat. */
export function Repeats({ charts, file }: DrawingProps) {
  const scores = useScores();
  const shown = charts.defenses.filter((entry) => entry.weighted_repeats.length > 0).slice(0, ROWS);
  if (shown.length === 0) {
    return <Notice kind="note">Every score is of a single repeat, so there is no spread.</Notice>;
  }
  const rows = shown.map((entry) => ({
    ...entry,
    mean: weighted(entry, charts)?.mean ?? 0,
    values: entry.weighted_repeats,
  }));
  return (
    <Figure
      title="Spread over repeats"
      summary={`Weighted of the best ${shown.length} defenses in each repeat (circles), with their mean (strokes). Where rows overlap, ranks may be a matter of luck.`}
      file={`${file}-repeats`}
      height={stripHeight(rows.length)}
      draw={(width) => <Strip rows={rows} width={width} x={`Weighted${scores.unit}`} format={onAxis(scores)} />}
      table={
        <DataTable name="repeats" className="compact" caption={`Weighted in each repeat, ${scores.in}.`}>
          <thead>
            <tr>
              <th scope="col">Defense</th>
              <th scope="col" className="number">
                Mean{scores.unit}
              </th>
              {Array.from({ length: charts.repeats }, (_, repeat) => (
                <th scope="col" className="number" key={repeat}>
                  Repeat {repeat + 1}{scores.unit}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((entry) => (
              <tr key={entry.id}>
                <Name entry={entry} />
                <td className="number">{scores.write(entry.mean)}</td>
                {Array.from({ length: charts.repeats }, (_, repeat) => (
                  <td className="number" key={repeat}>
                    {entry.values[repeat] === undefined ? DASH : scores.write(entry.values[repeat])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </DataTable>
      }
    />
  );
}

function many(shown: number, total: number, what: string): string {
  return shown === total ? `All ${count(total)} ${what}.` : `${count(shown)} of ${count(total)} ${what}.`;
}
