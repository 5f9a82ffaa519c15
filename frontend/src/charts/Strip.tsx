import { scaleLinear } from "@visx/scale";

import { Below, ends, type Frame, type Scale } from "./axes";

export interface Row {
  id: string;
  name: string;
  mean: number;
  values: readonly number[];
}

interface StripProps {
  rows: readonly Row[];
  width: number;
  x: string;
  format: (value: number) => string;
}

const STEP = 24;

/** How high the drawing of so many rows is. */
export function stripHeight(rows: number): number {
  return rows * STEP + 64;
}

/** A line for each entry: a circle for each repeat, a stroke for their mean. */
export function Strip({ rows, width, x, format }: StripProps) {
  const height = stripHeight(rows.length);
  const left = width < 480 ? 110 : 170;
  const frame: Frame = { width, height, left, right: 20, top: 10, bottom: 44 };
  const across: Scale = scaleLinear({
    domain: ends(rows.flatMap((row) => row.values)),
    range: [left, width - frame.right],
  });
  const letters = width < 480 ? 15 : 24;
  return (
    <>
      {rows.map(({ id, name, mean, values }, place) => {
        const y = frame.top + (place + 0.5) * STEP;
        return (
          <g key={id}>
            <line className="grid" x1={left} x2={width - frame.right} y1={y} y2={y} />
            <text className="label" x={left - 10} y={y + 4} textAnchor="end">
              {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
            </text>
            <line className="mean" x1={across(mean)} x2={across(mean)} y1={y - 8} y2={y + 8} />
            {values.map((value, repeat) => (
              <circle key={repeat} className="point" cx={across(value)} cy={y} r={4}>
                <title>{`${name}, repeat ${repeat + 1}: ${format(value)}`}</title>
              </circle>
            ))}
          </g>
        );
      })}
      <Below frame={frame} scale={across} name={x} format={format} count={width < 480 ? 4 : 8} />
    </>
  );
}
