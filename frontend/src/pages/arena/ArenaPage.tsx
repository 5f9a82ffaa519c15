import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { boardAddress, useChoice } from "../../address";
import { arenaQuery, seasonsQuery } from "../../api/arena";
import type { Difficulty, Side } from "../../api/types";
import { scaleName, useBoard, useChoices } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { DIFFICULTY_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";
import { BoardId, OfBoard } from "../OfBoard";
import { ArenaSection } from "./ArenaSection";
import { DuplicateTable } from "./DuplicateTable";
import { FrontierTable } from "./FrontierTable";
import { SeasonTable } from "./SeasonTable";

/** Everybody against everybody, and who counts. */
export function ArenaPage() {
  const { dataset = "", scenario = "" } = useParams();
  const id = `${dataset}/${scenario}`;
  return <ArenaOf key={id} id={id} />;
}

function ArenaOf({ id }: { id: string }) {
  return (
    <Page
      title={`The open arena of ${id}`}
      heading="The open arena"
      above={
        <>
          <Link to="/">Boards</Link> / <Link to={boardAddress(id)}><BoardId id={id} /></Link>
        </>
      }
    >
      <p className="lead">
        Everybody against everybody, by GRB’s formula and by one that copies can’t move. Official ranks
        are those over the <Link to={boardAddress(id)}>frozen references</Link>.{" "}
        <Link to="/guide/arena">How this is computed</Link>
      </p>
      <OfBoard id={id}>
        <Sides id={id} />
      </OfBoard>
    </Page>
  );
}

function Sides({ id }: { id: string }) {
  const { difficulty } = useChoice();
  const choices = useChoices();
  const scale = scaleName(useBoard());
  const defenses = useQuery(arenaQuery(id, "defense", difficulty));
  return (
    <Loaded query={defenses} what="the arena" missing={<Missing kind="board" id={id} />}>
      {(found) => (
        <>
          <div className="choices">
            <ChoiceLinks
              label={scale}
              names={DIFFICULTY_NAMES}
              options={choices}
              chosen={difficulty}
              address={(wanted) => `?difficulty=${wanted}`}
            />
          </div>
          <ArenaSection board={id} arena={found} />
          <Other board={id} side="attack" difficulty={difficulty} />
          <FrontierTable frontier={found.frontier} />
          <DuplicateTable arena={found} />
          <Seasons board={id} />
        </>
      )}
    </Loaded>
  );
}

function Other({ board, side, difficulty }: { board: string; side: Side; difficulty: Difficulty }) {
  const arena = useQuery(arenaQuery(board, side, difficulty));
  return (
    <Loaded query={arena} what={`the ${side}s`}>
      {(found) => <ArenaSection board={board} arena={found} />}
    </Loaded>
  );
}

function Seasons({ board }: { board: string }) {
  const seasons = useQuery(seasonsQuery(board));
  return (
    <section aria-labelledby="seasons">
      <h2 id="seasons">Seasons</h2>
      <Loaded query={seasons} what="the seasons">
        {({ seasons: found }) =>
          found.length === 0 ? (
            <p>
              No season has begun: the references are still being made, or nobody else is ranked yet.
            </p>
          ) : (
            found.map((season) => (
              <SeasonTable key={season.id} season={season} references={season.references} />
            ))
          )
        }
      </Loaded>
    </section>
  );
}
