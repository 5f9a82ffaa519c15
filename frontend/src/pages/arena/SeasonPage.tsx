import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { arenaAddress, boardAddress, filesOf, useChoice } from "../../address";
import { seasonQuery, type SeasonRanking } from "../../api/arena";
import type { Side } from "../../api/types";
import { scaleName, useBoard, useChoices, useScores } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Exports } from "../../components/Exports";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { DASH, count } from "../../format";
import { orderOf } from "../../scores";
import { DIFFICULTY_NAMES, SIDE_NAMES, at } from "../../words";
import { Missing } from "../NotFoundPage";
import { OfBoard } from "../OfBoard";

/** Everybody over the references of one season, and over the targets that it hid. */
export function SeasonPage() {
  const { dataset = "", scenario = "", number = "" } = useParams();
  const board = `${dataset}/${scenario}`;
  const isNumber = /^[1-9]\d{0,5}$/.test(number);
  return (
    <Page
      title={`Season ${number} of ${board}`}
      heading={`Season ${number}`}
      above={
        <>
          <Link to="/">Boards</Link> / <Link to={boardAddress(board)}>{board}</Link> /{" "}
          <Link to={`${arenaAddress(board)}#seasons`}>Seasons</Link>
        </>
      }
    >
      {isNumber ? (
        <OfBoard id={board}>
          <Season board={board} number={number} />
        </OfBoard>
      ) : (
        <Missing kind="season" id={number} />
      )}
    </Page>
  );
}

function Season({ board, number }: { board: string; number: string }) {
  const { difficulty } = useChoice();
  const ranking = useQuery(seasonQuery(board, Number(number), difficulty));
  return (
    <Loaded query={ranking} what="the season" missing={<Missing kind="season" id={number} />}>
      {(found) => <Content ranking={found} />}
    </Loaded>
  );
}

function Content({ ranking }: { ranking: SeasonRanking }) {
  const { season, difficulty, defenses, attacks } = ranking;
  const choices = useChoices();
  const scale = scaleName(useBoard());
  const told = [...defenses, ...attacks].some(({ hidden }) => hidden !== null);
  const path = `${boardAddress(season.board)}/seasons/${season.number}`;
  const references = `${arenaAddress(season.board)}#seasons`;
  return (
    <>
      <p>
        Since {season.decided_at === null ? DASH : <Time at={season.decided_at} />}
        {season.ended_at !== null && (
          <>
            {" "}
            until <Time at={season.ended_at} />
          </>
        )}
        . Everybody who is ranked now, by Weighted over the {count(season.references.length)}{" "}
        <Link to={references}>references of this season</Link>.
      </p>
      {told && (
        <p>
          Hidden: the same score over the targets that were hidden until the season was over, of
          entries that were received before its end.{" "}
          <Link to="/guide/ranking#hidden-halves-and-the-ladder">What that tells</Link>
        </p>
      )}
      <div className="choices">
        <ChoiceLinks
          label={scale}
          names={DIFFICULTY_NAMES}
          options={choices}
          chosen={difficulty}
          address={(wanted) => `?difficulty=${wanted}`}
        />
      </div>
      <Ranking side="defense" ranking={ranking} told={told} />
      <Ranking side="attack" ranking={ranking} told={told} />
      <Exports what="Both rankings" files={filesOf(`${path}/ranking`, `?difficulty=${difficulty}`, path)} />
    </>
  );
}

interface RankingProps {
  side: Side;
  ranking: SeasonRanking;
  /** Whether anybody's hidden score is known. */
  told: boolean;
}

function Ranking({ side, ranking, told }: RankingProps) {
  const { season, difficulty } = ranking;
  const rows = side === "defense" ? ranking.defenses : ranking.attacks;
  const scores = useScores();
  return (
    <section aria-labelledby={`${side}s`}>
      <h2 id={`${side}s`}>{SIDE_NAMES[side]}s</h2>
      {rows.length === 0 ? (
        <p>None is ranked.</p>
      ) : (
        <DataTable
          name={`${side}s`}
          caption={`Every ${side} over the references of season ${season.number}, ${at(difficulty)}; ${orderOf(side, scores)}.`}
        >
          <thead>
            <tr>
              <th scope="col" className="number">
                Rank
              </th>
              <th scope="col">{SIDE_NAMES[side]}</th>
              <th scope="col" className="number">
                Weighted{scores.unit}
              </th>
              {told && (
                <th scope="col" className="number">
                  Hidden{scores.unit}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ entry, rank, weighted, hidden }) => (
              <tr key={entry.id}>
                <td className="number rank">{rank ?? DASH}</td>
                <th scope="row">
                  <EntryLink entry={entry} />
                </th>
                <td className="number">{scores.write(weighted)}</td>
                {told && <td className="number">{scores.write(hidden)}</td>}
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </section>
  );
}
