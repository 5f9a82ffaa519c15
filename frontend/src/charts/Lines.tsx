import { scaleLinear, scaleTime } from "@visx/scale";

import { Below, Beside, ends, type Frame, type Scale } from "./axes";

export interface Line {
  id: string;
  name: string;
  points: readonly { x: number; y: number; name: string }[];
}

interface LinesProps {
  lines: readonly Line[];
  width: number;
  height: number;
  x: string;
  y: string;
  /** Names of whole numbers on the x axis; times in milliseconds where there are none. */
  steps?: readonly string[];
  formatY: (value: number) => string;
  /** A value holds until the next one: the line goes in steps, to this end. */
  until?: number;
}

const COLOURS = 6;
const LISTED = 18; // the height of a line of names, where there is no room beside
const DAY = 86_400_000;
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "2-digit" });
const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const hour = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** A line for each entry with its name at the end; forms and colours differ. */
export function Lines({ lines, width, height, x, y, steps, formatY, until }: LinesProps) {
  const named = width >= 480;
  const listed = named ? 0 : Math.ceil(lines.length / 2) * LISTED;
  const frame: Frame = { width, height, left: 44, right: named ? 150 : 24, top: 30, bottom: 44 + listed };
  const range = [frame.left, width - frame.right] as [number, number];
  const xs = lines.flatMap(({ points }) => points.map((point) => point.x));
  const across: Scale =
    steps !== undefined
      ? Object.assign(scaleLinear({ domain: [-0.15, steps.length - 0.85], range }), {
          ticks: () => steps.map((_, place) => place),
        })
      : timesOf(ends([...xs, ...(until === undefined ? [] : [until])], 0.02), range);
  const up: Scale = scaleLinear({
    domain: ends(lines.flatMap(({ points }) => points.map((point) => point.y))),
    range: [height - frame.bottom, frame.top],
  });
  const places = labelPlaces(lines, up);
  const times = timeFormat(Math.max(...xs, until ?? 0) - Math.min(...xs));
  return (
    <>
      <Beside frame={frame} scale={up} name={y} format={formatY} count={6} />
      <Below
        frame={{ ...frame, height: height - listed, bottom: 44 }}
        scale={across}
        name={x}
        format={(value) => steps?.[value] ?? times.format(value)}
        count={named ? 5 : 2}
      />
      {lines.map(({ id, name, points }, place) => (
        <g key={id} className={`series-${place % COLOURS}`}>
          <path
            className="line"
            d={until === undefined ? straight(points, across, up) : stepped(points, across, up, until)}
          />
          {points.map((point) => (
            <circle key={point.x} className="knot" cx={across(point.x)} cy={up(point.y)} r={4}>
              <title>{`${point.name}: ${formatY(point.y)}`}</title>
            </circle>
          ))}
          <text
            className="label"
            x={named ? width - frame.right + 8 : 8 + (place % 2) * (width / 2)}
            y={
              named
                ? (places.get(id) ?? 0) + 4
                : height - listed + (Math.floor(place / 2) + 0.8) * LISTED
            }
          >
            {named ? "" : "— "}
            {name.length > 20 ? `${name.slice(0, 19)}…` : name}
          </text>
        </g>
      ))}
    </>
  );
}

/** Times of ticks that differ, for so many milliseconds between the first and the last. */
export function timeFormat(span: number): Intl.DateTimeFormat {
  if (span < DAY / 96) return minute;
  return span < 4 * DAY ? hour : day;
}

function timesOf(domain: [number, number], range: [number, number]): Scale {
  const scale = scaleTime({ domain, range });
  return Object.assign((value: number) => scale(value), {
    ticks: (count: number) => scale.ticks(count).map((tick) => tick.getTime()),
  });
}

type Points = Line["points"];

function straight(points: Points, across: Scale, up: Scale): string {
  return points.map((p, place) => `${place === 0 ? "M" : "L"}${across(p.x)} ${up(p.y)}`).join("");
}

function stepped(points: Points, across: Scale, up: Scale, until: number): string {
  const [first] = points;
  if (first === undefined) return "";
  const rest = points.slice(1).map((p) => `H${across(p.x)}V${up(p.y)}`);
  return `M${across(first.x)} ${up(first.y)}${rest.join("")}H${across(until)}`;
}

/** Heights of the names, each near the end of its line and none over another. */
export function labelPlaces(lines: readonly Line[], up: (value: number) => number): Map<string, number> {
  const wanted = lines
    .flatMap(({ id, points }) => {
      const last = points.at(-1);
      return last === undefined ? [] : [{ id, top: up(last.y) }];
    })
    .sort((a, b) => a.top - b.top);
  const places = new Map<string, number>();
  let before = -Infinity;
  for (const { id, top } of wanted) {
    before = Math.max(top, before + 15);
    places.set(id, before);
  }
  return places;
}
