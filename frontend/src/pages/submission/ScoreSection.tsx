import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { cellAddress, useChoice } from "../../address";
import { scoreQuery, type Choice } from "../../api/queries";
import type { Submission, SubmissionScore } from "../../api/types";
import { scaleName, scoresOf, useBoard, useChoices, useScores } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { Command } from "../../components/Command";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { ScoreValue } from "../../components/ScoreValue";
import { DASH, count, percent, seconds } from "../../format";
import { heading, metricName } from "../../scores";
import { CLEAN, DIFFICULTY_NAMES, SIDE_NAMES, VIEWS, VIEW_NAMES, atDifficulty } from "../../words";
import { reproduction } from "./cite";

/** What an entry's score is made of, at the difficulty and in the view of the address. */
export function ScoreSection({ submission }: { submission: Submission }) {
  const choice = useChoice();
  const choices = useChoices();
  const scale = scaleName(useBoard());
  const score = useQuery(scoreQuery(submission.id, choice));
  return (
    <section aria-labelledby="score">
      <h2 id="score">What its score is made of</h2>
      <div className="choices">
        <ChoiceLinks
          label={scale}
          names={DIFFICULTY_NAMES}
          options={choices}
          chosen={choice.difficulty}
          address={(difficulty) => address({ ...choice, difficulty })}
        />
        <ChoiceLinks
          label="Counterparts"
          names={VIEW_NAMES}
          options={VIEWS}
          chosen={choice.view}
          address={(view) => address({ ...choice, view })}
        />
      </div>
      <Loaded query={score} what="the score">
        {(found) => <Score submission={submission} score={found} busy={score.isPlaceholderData} />}
      </Loaded>
    </section>
  );
}

function address({ difficulty, view }: Choice): string {
  return `?difficulty=${difficulty}&view=${view}#score`;
}

interface ScoreProps {
  submission: Submission;
  score: SubmissionScore;
  busy: boolean;
}

function Score({ submission, score, busy }: ScoreProps) {
    const { metrics, parts, provenance, rank } = score;
  const board = useBoard();
  const halved = board.ladder_step !== null;
  const scores = scoresOf(board);
  const over = !board.difficulties.includes(score.difficulty);
  if (metrics === null || provenance === null) {
    return <p>It has no score {atDifficulty(score.difficulty)} among these counterparts.</p>;
  }
  const defense = submission.side === "defense";
  const ids = parts.map(({ counterpart }) => counterpart.id).filter((id) => id !== CLEAN);
  return (
    <>
      <Facts
        className="strip"
        facts={[
          ["Rank", count(rank)],
          [`Weighted${scores.unit}`, <ScoreValue key="weighted" score={metrics.weighted} />],
          [`Average${scores.unit}`, <ScoreValue key="average" score={metrics.average} />],
          [
            `${metricName("three", submission.side, scores)}${scores.unit}`,
            <ScoreValue key="three" score={metrics.three} />,
          ],
          ["Rows behind it", count(metrics.n)],
        ]}
      />
      <p>
        In each repeat {over && "of each budget "}the {defense ? "attacks" : "defenses"} are sorted by {scores.one}, the{" "}
        {defense ? scores.worst : scores.best} first, and weighted by 1/i². The shares add up to Weighted.
      </p>
      <PartTable side={submission.side} score={score} busy={busy} />
      <h3>Where the numbers come from</h3>
      <Facts
        facts={[
          ["Protocol", <code key="protocol">{provenance.protocol}</code>],
          ["Evaluator version", provenance.evaluator_versions.join(", ")],
          ["Software", provenance.software.join(", ") || DASH],
          ["Device", provenance.devices.join(", ") || DASH],
          ["Time taken", `${seconds(provenance.seconds)} for these cells`],
        ]}
      />
      {halved && (
        <p>The board hides half of its targets: numbers made at home would be over all.</p>
      )}
      {!submission.deleted && !halved && (
        <>
          <h3>Compute it yourself</h3>
          <Command label="The commands that measure these cells again">
            {reproduction(submission, ids, window.location.origin)}
          </Command>
        </>
      )}
    </>
  );
}

function captionOf(what: string, repeats: boolean): string {
  const values = repeats ? " in each repeat with its place there" : "";
  return `${what}${values}, mean weight, and share of the score; what counts most comes first.`;
}

interface PartTableProps {
  side: Submission["side"];
  score: SubmissionScore;
  busy: boolean;
}

function PartTable({ side, score, busy }: PartTableProps) {
  const scores = useScores();
  // at the mean over budgets there are the repeats of each of them: too many to read
  const shown = useBoard().difficulties.includes(score.difficulty) ? score.repeats : 0;
  const repeats = Array.from({ length: shown }, (_, repeat) => repeat);
  return (
    <DataTable
      name="score"
      busy={busy}
      caption={captionOf(heading({ ...scores, unit: "" }), shown > 0)}
    >
      <thead>
        <tr>
          <th scope="col">{SIDE_NAMES[side === "defense" ? "attack" : "defense"]}</th>
          <th scope="col" className="number">
            {heading(scores)}
          </th>
          {repeats.map((repeat) => (
            <th scope="col" className="number" key={repeat}>
              Repeat {repeat}{scores.unit}
            </th>
          ))}
          <th scope="col" className="number">
            Weight (%)
          </th>
          <th scope="col" className="number">
            Share{!scores.errors && " (points)"}
          </th>
        </tr>
      </thead>
      <tbody>
        {score.parts.map((part) => (
          <tr key={part.cell} className={part.counterpart.id === CLEAN ? "clean" : ""}>
            <th scope="row">
              <EntryLink entry={part.counterpart} />
            </th>
            <td className="number">
              <Link className="plain" to={cellAddress(part.cell)}>
                <ScoreValue score={part.accuracy} />
              </Link>
            </td>
            {repeats.map((repeat) => (
              <td className="number" key={repeat}>
                {scores.write(part.accuracies[repeat] ?? part.accuracies[0])}{" "}
                <span className="small">no. {part.places[repeat]}</span>
              </td>
            ))}
            <td className="number">{percent(part.weight)}</td>
            <td className="number">{scores.write(part.share)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Weighted</th>
          <td colSpan={repeats.length + 2} />
          <td className="number">{scores.write(score.metrics?.weighted.mean)}</td>
        </tr>
      </tfoot>
    </DataTable>
  );
}
