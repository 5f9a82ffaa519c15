import { scaleLinear, scaleLog } from "@visx/scale";

import { Below, Beside, ends, type Frame, type Scale } from "./axes";

export interface Point {
  id: string;
  name: string;
  x: number;
  y: number;
  /** Half the length of the line through it: the standard deviation. */
  spread: number | null;
  marked: boolean;
}

interface ScatterProps {
  points: readonly Point[];
  width: number;
  height: number;
  x: string;
  y: string;
  formatX: (value: number) => string;
  formatY: (value: number) => string;
  logarithmic?: boolean;
  /** A line where both are the same, with its words on the side where no point can be expected. */
  diagonal?: { words: string; side: "above" | "below" };
}

const NAMED = 12;

/** Of the ticks of a logarithmic axis powers of ten have a number; where these are few, 2 and 5 too. */
export function isNumbered(value: number, ticks: readonly number[]): boolean {
  if (ticks.length < 8) return true;
  const first = (tick: number) => Math.round(tick / 10 ** Math.floor(Math.log10(tick) + 1e-9));
  const powers = ticks.filter((tick) => first(tick) === 1).length;
  return first(value) === 1 || (powers < 3 && [2, 5].includes(first(value)));
}

/** A point for each entry, its ± as a line; the first ones are named. */
export function Scatter(props: ScatterProps) {
  const { points, width, height, x, y, formatX, formatY, logarithmic = false, diagonal } = props;
  const frame: Frame = { width, height, left: 44, right: 24, top: 30, bottom: 44 };
  const range = {
    x: [frame.left, width - frame.right] as [number, number],
    y: [height - frame.bottom, frame.top] as [number, number],
  };
  const xs = points.map((point) => point.x);
  const across: Scale = logarithmic
    ? scaleLog({ domain: [Math.min(...xs) / 1.3, Math.max(...xs) * 1.3], range: range.x })
    : scaleLinear({ domain: ends(xs), range: range.x });
  const ys = points.flatMap(({ y: value, spread }) => [value - (spread ?? 0), value + (spread ?? 0)]);
  const up: Scale = scaleLinear({ domain: ends(ys), range: range.y });
  return (
    <>
      <Beside frame={frame} scale={up} name={y} format={formatY} count={6} />
      <Below
        frame={frame}
        scale={across}
        name={x}
        format={formatX}
        count={width < 480 ? 4 : 8}
        numbered={(value) => !logarithmic || isNumbered(value, across.ticks(8))}
      />
      {diagonal !== undefined && <Diagonal across={across} up={up} range={range} {...diagonal} />}
      {points.map((point) => (
        <line
          key={point.id}
          className="spread"
          x1={across(point.x)}
          x2={across(point.x)}
          y1={up(point.y - (point.spread ?? 0))}
          y2={up(point.y + (point.spread ?? 0))}
        />
      ))}
      {points.map((point) => (
        <circle
          key={point.id}
          className={point.marked ? "point" : "point other"}
          cx={across(point.x)}
          cy={up(point.y)}
          r={4.5}
        >
          <title>{`${point.name}: ${formatX(point.x)}, ${formatY(point.y)}`}</title>
        </circle>
      ))}
      {apart(points.slice(0, NAMED), across, up).map(({ point, left, top }) => {
        const outside = left > width - frame.right - 90;
        return (
          <text
            key={point.id}
            className="label"
            x={outside ? left - 9 : left + 9}
            y={top + 4}
            textAnchor={outside ? "end" : "start"}
          >
            {point.name}
          </text>
        );
      })}
    </>
  );
}

interface Placed {
  point: Point;
  left: number;
  top: number;
}

/** The points whose names don't cover one another, earlier ones first. */
export function apart(points: readonly Point[], across: Scale, up: Scale): Placed[] {
  const placed: Placed[] = [];
  for (const point of points) {
    const [left, top] = [across(point.x), up(point.y)];
    const free = placed.every(
      (other) => Math.abs(other.top - top) > 13 || Math.abs(other.left - left) > 120,
    );
    if (free) placed.push({ point, left, top });
  }
  return placed;
}

interface DiagonalProps {
  across: Scale;
  up: Scale;
  range: { x: [number, number]; y: [number, number] };
  words: string;
  side: "above" | "below";
}

/** Pixels that the words of a diagonal take. */
const WORDS = 80;

function Diagonal({ across, up, range, words, side }: DiagonalProps) {
  const inside = (value: number) =>
    across(value) >= range.x[0] && across(value) <= range.x[1] && up(value) <= range.y[0] && up(value) >= range.y[1];
  const places = Array.from({ length: 201 }, (_, place) => place / 200).filter(inside);
  const first = places[0];
  const last = places.at(-1);
  if (first === undefined || last === undefined || first === last) return null;
  const [left, low] = [across(first), up(first)];
  const begun =
    left - range.x[0] > WORDS
      ? { x: left - 6, y: low - 4, textAnchor: "end" as const } // before it begins
      : { x: left + 6, y: low + 14, textAnchor: "start" as const };
  const place = side === "below" ? begun : { x: across(last) - 4, y: up(last) - 6, textAnchor: "end" as const };
  return (
    <>
      <line className="guide" x1={across(first)} y1={up(first)} x2={across(last)} y2={up(last)} />
      <text className="tick" {...place}>
        {words}
      </text>
    </>
  );
}
