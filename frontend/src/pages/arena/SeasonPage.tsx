import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { arenaAddress, boardAddress, filesOf, useChoice } from "../../address";
import { seasonQuery, type SeasonRanking } from "../../api/arena";
import type { Side } from "../../api/types";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Exports } from "../../components/Exports";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { DASH, count, percent } from "../../format";
import { DIFFICULTIES, DIFFICULTY_NAMES, SIDE_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";

/** Everybody over the references of one season, and over the targets that it hid. */
export function SeasonPage() {
  const { dataset = "", scenario = "", number = "" } = useParams();
  const board = `${dataset}/${scenario}`;
  const { difficulty } = useChoice();
  const isNumber = /^[1-9]\d{0,5}$/.test(number);
  const ranking = useQuery({ ...seasonQuery(board, Number(number), difficulty), enabled: isNumber });
  const missing = <Missing kind="season" id={number} />;
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
        <Loaded query={ranking} what="the season" missing={missing}>
          {(found) => <Content ranking={found} />}
        </Loaded>
      ) : (
        missing
      )}
    </Page>
  );
}

function Content({ ranking }: { ranking: SeasonRanking }) {
  const { season, difficulty, defenses, attacks } = ranking;
  const told = [...defenses, ...attacks].some(({ hidden }) => hidden !== null);
  const at = `${boardAddress(season.board)}/seasons/${season.number}`;
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
          label="Difficulty"
          names={DIFFICULTY_NAMES}
          options={DIFFICULTIES}
          chosen={difficulty}
          address={(wanted) => `?difficulty=${wanted}`}
        />
      </div>
      <Ranking side="defense" ranking={ranking} told={told} />
      <Ranking side="attack" ranking={ranking} told={told} />
      <Exports what="Both rankings" files={filesOf(`${at}/ranking`, `?difficulty=${difficulty}`, at)} />
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
  const order = side === "defense" ? "higher is better" : "lower is stronger";
  return (
    <section aria-labelledby={`${side}s`}>
      <h2 id={`${side}s`}>{SIDE_NAMES[side]}s</h2>
      {rows.length === 0 ? (
        <p>None is ranked.</p>
      ) : (
        <DataTable
          name={`${side}s`}
          caption={`Every ${side} over the references of season ${season.number}, at ${difficulty}; ${order}.`}
        >
          <thead>
            <tr>
              <th scope="col" className="number">
                Rank
              </th>
              <th scope="col">{SIDE_NAMES[side]}</th>
              <th scope="col" className="number">
                Weighted (%)
              </th>
              {told && (
                <th scope="col" className="number">
                  Hidden (%)
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
                <td className="number">{percent(weighted)}</td>
                {told && <td className="number">{percent(hidden)}</td>}
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
    </section>
  );
}
