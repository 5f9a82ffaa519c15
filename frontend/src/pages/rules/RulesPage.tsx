import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Fragment } from "react";
import { Link, useParams } from "react-router";

import { boardAddress } from "../../address";
import { boardQuery } from "../../api/queries";
import { rulesQuery, type Rules } from "../../api/texts";
import type { Board } from "../../api/types";
import { scoresOf } from "../../board";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { OutsideLink } from "../../components/OutsideLink";
import { Page } from "../../components/Page";
import { DASH, bytes, count, exact } from "../../format";
import { Missing } from "../NotFoundPage";
import { sizesOf } from "../board/BoardFacts";
import { BudgetTable } from "../board/BudgetTable";
import { FileMembers } from "../submit/FileFormat";
import { DegreePlot } from "./DegreePlot";
import { ThreatModel } from "./ThreatModel";

/** What the studies of a board say, by their kind; those over splits are of no board. */
const STUDIES = {
  robustness: "How much of a score here is the luck of one split",
  expressive: "How models hold when each is attacked itself, white box",
};

/** What an attacker may do on a board, on which nodes, and what a score there says. */
export function RulesPage() {
  const { dataset = "", scenario = "" } = useParams();
  const id = `${dataset}/${scenario}`;
  const board = useQuery(boardQuery(id));
  const rules = useQuery(rulesQuery(id));
  const title = board.data?.title ?? id;
  return (
    <Page
      title={`Rules of ${title}`}
      heading={`Rules of ${title}`}
      above={
        <>
          <Link to="/">Boards</Link> / <Link to={boardAddress(id)}>{id}</Link>
        </>
      }
    >
      <Loaded query={board} what="the board" missing={<Missing kind="board" id={id} />}>
        {(found) => (
          <>
            <ThreatModel board={found} />
            <section aria-labelledby="budgets">
              <h2 id="budgets">Budgets</h2>
              <div className="narrow">
                <BudgetTable board={found} />
              </div>
              {found.dataset_details.graphs > 0 && (
                <p>
                  The same graphs are attacked at every budget. An attack brings all budgets, and each
                  entry is ranked by the mean over them.
                </p>
              )}
            </section>
            {found.dataset_details.graphs === 0 && <Degrees rules={rules} />}
            <Dataset board={found} />
            <section aria-labelledby="entries">
              <h2 id="entries">Entries</h2>
              <Loaded query={rules} what="the rules">
                {(known) => <EntryRules board={found} rules={known} />}
              </Loaded>
            </section>
            <Meaning board={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Degrees({ rules }: { rules: UseQueryResult<Rules> }) {
  return (
    <section aria-labelledby="degrees">
      <h2 id="degrees">Degrees of the targets</h2>
      <p>
        Nodes are ranked by degree, and the lowest and the highest 5 % are set aside. Easy, medium and
        hard draw from the bands of low, middle and high degree: a node with many neighbours is harder to
        mislead. Full is their union.
      </p>
      <Loaded query={rules} what="the degrees">
        {({ degrees }) =>
          degrees === null ? (
            <p>The data of this board was never on this service, so they are not known.</p>
          ) : (
            <DegreePlot bins={degrees} />
          )
        }
      </Loaded>
    </section>
  );
}

function Dataset({ board: { dataset_details: data } }: { board: Board }) {
  return (
    <section aria-labelledby="dataset">
      <h2 id="dataset">Dataset: {data.title}</h2>
      <p>{data.description}</p>
      <Facts
        facts={[
          ...sizesOf(data),
          ["Licence", data.licence],
          ["Source", <OutsideLink href={data.source} />],
        ]}
      />
    </section>
  );
}

function EntryRules({ board, rules }: { board: Board; rules: Rules }) {
  const whole = board.dataset_details.graphs > 0;
  const range = board.feature_range;
  return (
    <>
      <Facts
        facts={[
          ["File of an attack", `one .npz of at most ${bytes(board.attack_bytes)}`],
          ["What it holds", <FileMembers key="members" scenario={board.scenario} />],
          ["File of a defense", `one .safetensors of at most ${bytes(board.defense_bytes)}`],
          ["Repeats", `${board.repeats}; an attack may bring one ${whole ? "set of changes" : "graph"} for all of them`],
          ["One cell takes at most", `${count(rules.cell_seconds)} s`],
          ["Work of a defense", `at most ${rules.work_factor} times that of the board’s ${whole ? "GINE" : "GCN"}`],
          ...(whole
            ? []
            : [
                [
                  "Feature range",
                  range === null ? DASH : `${range.map(exact).join(" to ")}, tolerance ${board.feature_tolerance}`,
                ] as [string, string],
              ]),
          ["Architectures", board.architectures.join(", ")],
          ["Protocol", rules.protocol === null ? DASH : <code>{rules.protocol}</code>],
          ["Evaluator, metrics", `version ${rules.evaluator}, version ${rules.metric}`],
        ]}
      />
      {board.ladder_step !== null && (
        <p>
          Half of the targets is hidden: every number is over the other half alone, until a season is
          over. The best of a submitter’s entries of a family moves only by more than{" "}
          {exact(100 * board.ladder_step)} percentage points.{" "}
          <Link to="/guide/ranking#hidden-halves-and-the-ladder">What that means</Link>.
        </p>
      )}
      {Object.entries(STUDIES).map(([kind, words]) => {
        const found = rules.studies.filter((study) => study.kind === kind);
        return (
          found.length > 0 && (
            <p key={kind}>
              {words}:{" "}
              {found.map((study, place) => (
                <Fragment key={study.name}>
                  {place > 0 && ", "}
                  <a href={study.page}>{study.title}</a>
                </Fragment>
              ))}
              .
            </p>
          )
        );
      })}
      <p>
        Files of public entries may be downloaded by everybody. An entry may be private, or under an{" "}
        <Link to="/guide/rules#private-entries-and-embargoes">embargo</Link> until a date: until then
        neither it nor its file is seen by others, and it moves no rank.
      </p>
    </>
  );
}

function Meaning({ board }: { board: Board }) {
  const scores = scoresOf(board);
  const graphs = board.dataset_details.graphs > 0;
  return (
    <section aria-labelledby="meaning">
      <h2 id="meaning">What a score does and does not prove</h2>
      <ul>
        <li>
          It is an {scores.one}{scores.errors && `, ${scores.in},`} on{" "}
          {graphs ? "the test graphs" : "the targets of this graph"}, under attacks
          that are listed on the board, by one evaluator for all.
          {board.ladder_step !== null
            ? " It is over half of the targets, so nobody can compute it again alone."
            : " Everybody can compute it again from the files."}
        </li>
        <li>
          The counterparts are finitely many, and were made without knowledge of the defense. A defense
          that ranks first has not been shown to withstand an attack that is made for it.
        </li>
        <li>
          An attack that ranks first is the strongest against the defenses of this board, within this
          budget. With another budget or {graphs ? "other graphs" : "another graph"} the order may be another.
        </li>
        <li>
          In the reference view the counterparts are the board’s frozen references, so nobody’s upload
          moves anybody’s official score. ± is the spread over repeats: entries that lie within it of
          each other are not told apart.
        </li>
      </ul>
      <p>
        <Link to="/guide/rules">The rules of all boards</Link> say how files are checked and how the
        score is made.
      </p>
    </section>
  );
}
