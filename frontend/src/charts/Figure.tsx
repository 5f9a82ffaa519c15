import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { painted, save, svgText } from "./save";

interface FigureProps {
  title: string;
  /** What the drawing shows, in a sentence or two, for those who see it and those who don't. */
  summary: string;
  /** The beginning of the names of its files. */
  file: string;
  height: number;
  draw: (width: number) => ReactNode;
  /** The same numbers as a table. */
  table: ReactNode;
}

/** A drawing with its title, its words, its numbers as a table, and both kinds of files. */
export function Figure({ title, summary, file, height, draw, table }: FigureProps) {
  const id = useId();
  const [room, width] = useWidth();
  const drawing = useRef<SVGSVGElement>(null);
  const saveAs = (kind: "svg" | "png") => {
    const found = drawing.current;
    if (found === null) return;
    if (kind === "svg") {
      save(new Blob([svgText(found)], { type: "image/svg+xml" }), `${file}.svg`);
    } else {
      painted(found).toBlob((content) => {
        if (content !== null) save(content, `${file}.png`);
      });
    }
  };
  return (
    <figure className="figure" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <p className="small">{summary}</p>
      </figcaption>
      <div ref={room}>
        <svg
          ref={drawing}
          className="drawing"
          role="img"
          aria-label={`${title}. ${summary}`}
          viewBox={`0 0 ${width} ${height}`}
          height={height}
        >
          {draw(width)}
        </svg>
      </div>
      <div className="figure-foot">
        <details>
          <summary>The numbers of “{title}”</summary>
          {table}
        </details>
        <span>
          <button type="button" onClick={() => { saveAs("svg"); }} aria-label={`Save “${title}” as SVG`}>
            SVG
          </button>{" "}
          <button type="button" onClick={() => { saveAs("png"); }} aria-label={`Save “${title}” as PNG`}>
            PNG
          </button>
        </span>
      </div>
    </figure>
  );
}

/** The width of an element in whole pixels, as it changes. */
function useWidth(): [(element: HTMLElement | null) => void, number] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(720);
  useEffect(() => {
    if (element === null || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(Math.floor(entry.contentRect.width), 240));
    });
    observer.observe(element);
    return () => { observer.disconnect(); };
  }, [element]);
  return [setElement, width];
}
