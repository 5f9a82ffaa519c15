import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";

import { FILES, boardAddress } from "../../address";
import { tableQuery, type Table } from "../../api/tables";
import { isOfGraphs, scaleName, scaleNames, tableName, useBoard, useChoices } from "../../board";
import { ChoiceLinks } from "../../components/ChoiceLinks";
import { Exports } from "../../components/Exports";
import { Loaded } from "../../components/Loaded";
import { Marks } from "../../components/Marks";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { count } from "../../format";
import { CLEAN, CLEAN_NAME, DIFFICULTY_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";
import { BoardId, OfBoard } from "../OfBoard";
import { Chips } from "./Chips";
import { PaperTable } from "./PaperTable";
import {
  DISTANCES,
  DISTANCE_NAMES,
  PRESETS,
  PRESET_NAMES,
  shownOf,
  tableAddress,
  tableFile,
  type Shown,
} from "./selection";

/** So many of a side are drawn without a pause; the API takes 100. */
const MOST = 50;

/** The table that readers of the paper know, over whatever they choose. */
export function PaperPage() {
  const { dataset = "", scenario = "" } = useParams();
  const id = `${dataset}/${scenario}`;
  return <PaperTableOf key={id} id={id} />; // nothing of another board is kept
}

function PaperTableOf({ id }: { id: string }) {
  return (
    <Page
      title={`${tableName(id)}: ${id}`}
      heading={tableName(id)}
      above={
        <>
          <Link to="/">Boards</Link> / <Link to={boardAddress(id)}><BoardId id={id} /></Link>
        </>
      }
    >
      <OfBoard id={id}>
        <Selected id={id} />
      </OfBoard>
    </Page>
  );
}

function Selected({ id }: { id: string }) {
  const [search] = useSearchParams();
  const shown = shownOf(search, useChoices());
  const table = useQuery(tableQuery(id, shown));
  return (
    <Loaded query={table} what="the table" missing={<Missing kind="board" id={id} />}>
      {(data) => <Content table={data} board={id} shown={shown} busy={table.isPlaceholderData} />}
    </Loaded>
  );
}

interface ContentProps {
  table: Table;
  board: string;
  shown: Shown;
  busy: boolean;
}

function Content({ table, board, shown, busy }: ContentProps) {
  const navigate = useNavigate();
  const go = (change: Partial<Shown>) =>
    void navigate(tableAddress(board, { ...shown, ...change }), { preventScrollReset: true });
  const scale = scaleName(useBoard()).toLowerCase();
  const attacks = table.attacks.filter(({ id }) => id !== CLEAN);
  const distance = table.base === null ? null : shown.distance;
  return (
    <>
      <div className="choices paper-choices">
        <ChoiceLinks
          label="Preset"
          names={PRESET_NAMES}
          options={PRESETS}
          chosen={table.preset}
          address={(preset) =>
            tableAddress(board, { ...shown, preset, attacks: null, defenses: null, difficulties: null })
          }
        />
        <Difficulties table={table} go={go} />
        <Base table={table} go={go} />
        {table.base !== null && (
          <ChoiceLinks
            label="Differences in"
            names={DISTANCE_NAMES}
            options={DISTANCES}
            chosen={shown.distance}
            address={(wanted) => tableAddress(board, { ...shown, distance: wanted })}
          />
        )}
        <Chips
          label="Attacks"
          word="an attack"
          chosen={attacks}
          available={table.available_attacks}
          most={MOST}
          choose={(ids) => { go({ attacks: ids }); }}
        />
        <Chips
          label="Defenses"
          word="a defense"
          chosen={table.defenses}
          available={table.available_defenses}
          most={MOST}
          choose={(ids) => { go({ defenses: ids }); }}
        />
      </div>
      {table.missing.length > 0 && (
        <Notice kind="note">
          Left out, since they are not ranked on this board: <code>{table.missing.join(", ")}</code>
        </Notice>
      )}
      {table.rows.length === 0 ? (
        <Notice kind="note">
          {table.available_defenses.length === 0
            ? "There is no defense yet, so nothing could be measured."
            : "Choose a defense: without one there is nothing to show."}
        </Notice>
      ) : (
        <>
          <Basis table={table} />
          <PaperTable table={table} distance={distance} busy={busy} />
          <p className="legend">
            <Marks where={`of those shown, at each ${scale}`} />
          </p>
          <Exports
            what="This table"
            files={FILES.map(([kind, end]) => [kind, tableFile(board, shown, end)])}
          />
        </>
      )}
    </>
  );
}

/** What the metrics are computed over, and whether they are those of the ranking. */
function Basis({ table }: { table: Table }) {
  const clean = isOfGraphs(useBoard()) ? "graphs" : "graph";
  const attacks = table.attacks.length - 1;
  const over = (official: boolean, what: string) =>
    official ? `${what}, the board's references: as in its ranking` : `${what} shown here only`;
  return (
    <div className="basis">
      <p>
        <strong>Shown</strong> {of(attacks, table.total_attacks, "attack")} and{" "}
        {of(table.columns, table.total_defenses, "defense")}, in the order of their ranks.
      </p>
      <p>
        <strong>Metrics of defenses</strong> {tag(table.official_defenses)} over{" "}
        {over(table.official_defenses, `${theOf(attacks, "attack")} and the clean ${clean}`)}.
      </p>
      <p>
        <strong>Metrics of attacks</strong> {tag(table.official_attacks)} over{" "}
        {over(table.official_attacks, theOf(table.columns, "defense"))}.
      </p>
    </div>
  );
}

function of(shown: number, total: number, what: string): string {
  if (shown === total && total <= 2) return total === 2 ? `both ${what}s` : theOf(total, what);
  return shown === total ? `all ${count(total)} ${what}s` : `${shown} of ${count(total)} ${what}s`;
}

function theOf(number: number, what: string): string {
  return number === 1 ? `the ${what}` : `the ${number} ${what}s`;
}

function tag(official: boolean) {
  return <span className="tag">{official ? "official" : "recomputed"}</span>;
}

interface PartProps {
  table: Table;
  go: (change: Partial<Shown>) => void;
}

function Difficulties({ table, go }: PartProps) {
  const chosen = table.difficulties;
  const choices = useChoices();
  const label = scaleNames(useBoard());
  return (
    <div className="chips" role="group" aria-label={label}>
      <span className="choice-label" aria-hidden="true">
        {label}
      </span>
      <ul>
        {choices.map((name) => {
          const pressed = chosen.includes(name);
          const left = pressed ? chosen.filter((one) => one !== name) : [...chosen, name];
          return (
            <li key={name}>
              <button
                type="button"
                className="chip"
                aria-pressed={pressed}
                disabled={left.length === 0}
                onClick={() => { go({ difficulties: choices.filter((one) => left.includes(one)) }); }}
              >
                {DIFFICULTY_NAMES[name]}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Base({ table, go }: PartProps) {
  const option = ({ id, name }: { id: string; name: string }) => (
    <option key={id} value={id}>
      {id === CLEAN ? CLEAN_NAME : name}
    </option>
  );
  return (
    <label className="chips">
      <span className="choice-label">Differences from</span>
      <select
        value={table.base ?? ""}
        onChange={({ target }) => { go({ base: target.value === "" ? null : target.value }); }}
      >
        <option value="">nothing: the numbers themselves</option>
        <optgroup label="An attack">{table.attacks.map(option)}</optgroup>
        <optgroup label="A defense">{table.defenses.map(option)}</optgroup>
      </select>
    </label>
  );
}
