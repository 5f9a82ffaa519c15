import type { DegreeBin } from "../../api/texts";
import type { Difficulty } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { count } from "../../format";
import { DIFFICULTY_NAMES } from "../../words";

/** Nodes are drawn by degree, so these are the difficulties of boards on the nodes of one graph. */
const DRAWN: readonly Difficulty[] = ["easy", "medium", "hard"];
const NUMBERED: readonly Difficulty[] = [...DRAWN, "full"];
const BAR = 40;
const GAP = 6;
const HEIGHT = 110;
const TOP = 18;
const BOTTOM = 20;

/** The degrees that a bin holds, as on the axis. */
export function binName({ low, high }: DegreeBin): string {
  return low === high ? `${low}` : `${low}–${high}`;
}

/** The bins from the first to the last that holds a node. */
export function occupied(bins: readonly DegreeBin[]): DegreeBin[] {
  const held = bins.map((bin) => bin.nodes > 0);
  return bins.slice(held.indexOf(true), held.lastIndexOf(true) + 1);
}

/** Bars of each difficulty over the degree, each in a plot of its own, and the same as a table. */
export function DegreePlot({ bins }: { bins: DegreeBin[] }) {
  const shown = occupied(bins);
  const most = Math.max(1, ...shown.flatMap((bin) => DRAWN.map((name) => bin.targets[name] ?? 0)));
  return (
    <>
      <div className="plots">
        {DRAWN.map((difficulty) => (
          <Bars key={difficulty} bins={shown} difficulty={difficulty} most={most} />
        ))}
      </div>
      <details>
        <summary>The same in numbers</summary>
        <DegreeTable bins={shown} />
      </details>
    </>
  );
}

interface BarsProps {
  bins: DegreeBin[];
  difficulty: Difficulty;
  /** The tallest bar of all difficulties, so that their heights compare. */
  most: number;
}

function Bars({ bins, difficulty, most }: BarsProps) {
  const width = bins.length * (BAR + GAP);
  const total = bins.reduce((sum, bin) => sum + (bin.targets[difficulty] ?? 0), 0);
  const name = DIFFICULTY_NAMES[difficulty];
  return (
    <figure className="plot">
      <figcaption>
        <strong>{name}</strong>: {count(total)} targets by degree
      </figcaption>
      <div className="scroll" role="region" tabIndex={0} aria-label={`${name}: targets by degree`}>
        <svg
          width={width}
          height={TOP + HEIGHT + BOTTOM}
          viewBox={`0 0 ${width} ${TOP + HEIGHT + BOTTOM}`}
          role="img"
          aria-label={bins
            .filter((bin) => (bin.targets[difficulty] ?? 0) > 0)
            .map((bin) => `degree ${binName(bin)}: ${bin.targets[difficulty] ?? 0}`)
            .join(", ")}
        >
          <line x1="0" x2={width} y1={TOP + HEIGHT + 0.5} y2={TOP + HEIGHT + 0.5} className="axis" />
          {bins.map((bin, place) => {
            const value = bin.targets[difficulty] ?? 0;
            const tall = (value / most) * HEIGHT;
            const x = place * (BAR + GAP) + GAP / 2;
            return (
              <g key={bin.low}>
                <rect x={x} y={TOP + HEIGHT - tall} width={BAR} height={tall} className="bar" />
                {value > 0 && (
                  <text x={x + BAR / 2} y={TOP + HEIGHT - tall - 4} className="value">
                    {count(value)}
                  </text>
                )}
                <text x={x + BAR / 2} y={TOP + HEIGHT + 15} className="tick">
                  {binName(bin)}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </figure>
  );
}

function DegreeTable({ bins }: { bins: DegreeBin[] }) {
  return (
    <DataTable
      name="degrees"
      className="compact"
      caption="Nodes of each degree: of the whole graph, and of the targets of each difficulty."
    >
      <thead>
        <tr>
          <th scope="col">Degree</th>
          <th scope="col" className="number">
            Nodes
          </th>
          {NUMBERED.map((difficulty) => (
            <th key={difficulty} scope="col" className="number">
              {DIFFICULTY_NAMES[difficulty]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr key={bin.low}>
            <th scope="row">{binName(bin)}</th>
            <td className="number">{count(bin.nodes)}</td>
            {NUMBERED.map((difficulty) => (
              <td key={difficulty} className="number">
                {count(bin.targets[difficulty])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
