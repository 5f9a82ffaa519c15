/** Axes with ticks, names and units; scales map numbers to pixels. */

export interface Scale {
  (value: number): number;
  ticks: (count: number) => number[];
}

/** The room of a drawing: axes stand at its lower and its left edge. */
export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface AxisProps {
  frame: Frame;
  scale: Scale;
  name: string;
  format: (value: number) => string;
  count: number;
  /** Only some ticks have a number, such as the powers of ten. */
  numbered?: (value: number) => boolean;
}

export function Below({ frame, scale, name, format, count, numbered = () => true }: AxisProps) {
  const y = frame.height - frame.bottom;
  return (
    <g>
      <line className="axis" x1={frame.left} x2={frame.width - frame.right} y1={y} y2={y} />
      {scale.ticks(count).map((value) => (
        <g key={value}>
          <line className="axis" x1={scale(value)} x2={scale(value)} y1={y} y2={y + 5} />
          {numbered(value) && (
            <text className="tick" x={scale(value)} y={y + 18} textAnchor="middle">
              {format(value)}
            </text>
          )}
        </g>
      ))}
      <text
        className="axis-name"
        x={(frame.left + frame.width - frame.right) / 2}
        y={frame.height - 6}
        textAnchor="middle"
      >
        {name}
      </text>
    </g>
  );
}

export function Beside({ frame, scale, name, format, count }: AxisProps) {
  return (
    <g>
      {scale.ticks(count).map((value) => (
        <g key={value}>
          <line
            className="grid"
            x1={frame.left}
            x2={frame.width - frame.right}
            y1={scale(value)}
            y2={scale(value)}
          />
          <text className="tick" x={frame.left - 8} y={scale(value) + 4} textAnchor="end">
            {format(value)}
          </text>
        </g>
      ))}
      {/* above the axis: nobody has to turn their head */}
      <text className="axis-name" x={4} y={14}>
        {name}
      </text>
    </g>
  );
}

/** The least and the most of these numbers, with a margin, as the ends of an axis. */
export function ends(values: readonly number[], margin = 0.06): [number, number] {
  if (values.length === 0) return [0, 1];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = (high - low || Math.abs(high) || 1) * margin;
  return [low - room, high + room];
}
