/** Which rows and columns of a large matrix are drawn: those in sight, and some around them. */
import { useCallback, useMemo, useSyncExternalStore } from "react";

import type { Place, Size } from "./moves";

/** Pixels of the heads and of a cell; they grow with the size of the letters. */
export interface Sizes {
  head: { width: number; height: number };
  cell: { width: number; height: number };
}

/** Of errors, which have a digit more, cells are wider. */
function sizesOf(narrow: boolean, rem: number, errors: boolean): Sizes {
  const [least, head] = narrow ? [7.2, 6.5] : [7.5, 11];
  const width = least + (errors ? 0.9 : 0);
  return {
    head: { width: head * rem, height: 5.2 * rem },
    cell: { width: width * rem, height: 3.4 * rem },
  };
}

function remOf(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

function onResize(changed: () => void): () => void {
  window.addEventListener("resize", changed);
  return () => { window.removeEventListener("resize", changed); };
}

export function useSizes(errors: boolean): Sizes {
  const rem = useSyncExternalStore(onResize, remOf);
  const narrow = useSyncExternalStore(onResize, () => window.innerWidth <= 40 * remOf());
  return useMemo(() => sizesOf(narrow, rem, errors), [narrow, rem, errors]);
}

/** Up to so many cells all are drawn: find-in-page, printing and screen readers have the whole. */
const FEW = 1500;

/** So many rows or columns are drawn beyond what is in sight, on either side. */
const AROUND = 3;

/** First and last of the places that are drawn. */
export interface Drawn {
  first: number;
  last: number;
}

/** What is drawn of `count` places of `size` pixels, where `room` pixels are seen from `offset` on. */
export function drawn(offset: number, room: number, size: number, count: number): Drawn {
  const first = Math.max(Math.floor(offset / size) - AROUND, 0);
  return { first, last: Math.min(Math.ceil((offset + room) / size) + AROUND, count) - 1 };
}

/** The offset from which a place is wholly in sight, the nearest to this one. */
export function scrolledTo(place: number, size: number, offset: number, room: number): number {
  return Math.min(Math.max(offset, (place + 1) * size - room), place * size);
}

/** The drawn places, and the one that has the focus, wherever it is. */
export function placesOf({ first, last }: Drawn, active: number, count: number): number[] {
  const places = Array.from({ length: Math.max(last - first + 1, 0) }, (_, place) => first + place);
  if (active >= 0 && active < first) return [active, ...places];
  return active > last && active < count ? [...places, active] : places;
}

function roomOf({ clientWidth, clientHeight }: Element, { head, cell }: Sizes) {
  return {
    // the row without an attack covers as much as a cell; what has no size yet may become large
    height: (clientHeight || 1000) - head.height - cell.height,
    width: (clientWidth || 1280) - head.width,
  };
}

interface Window {
  rows: Drawn;
  columns: Drawn;
}

function windowOf(region: Element, sizes: Sizes, { rows, columns }: Size): Window {
  const { width, height } = roomOf(region, sizes);
  return {
    rows: drawn(region.scrollTop, height, sizes.cell.height, rows),
    columns: drawn(region.scrollLeft, width, sizes.cell.width, columns),
  };
}

function onMove(region: Element | null, moved: () => void): () => void {
  if (region === null) return () => undefined;
  region.addEventListener("scroll", moved, { passive: true });
  const observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(moved);
  observer?.observe(region);
  return () => {
    region.removeEventListener("scroll", moved);
    observer?.disconnect();
  };
}

/** The rows and columns that are drawn in a region that scrolls: none before it is there. */
export function useWindow(region: Element | null, sizes: Sizes, { rows, columns }: Size): Window {
  const subscribe = useCallback((moved: () => void) => onMove(region, moved), [region]);
  // a text, which is the same as long as its content is
  const seen = useSyncExternalStore(subscribe, () => {
    if (rows * columns <= FEW) return [0, rows - 1, 0, columns - 1].join();
    if (region === null) return "0,-1,0,-1";
    const found = windowOf(region, sizes, { rows, columns });
    return [found.rows.first, found.rows.last, found.columns.first, found.columns.last].join();
  });
  const [top = 0, bottom = -1, left = 0, right = -1] = seen.split(",").map(Number);
  return { rows: { first: top, last: bottom }, columns: { first: left, last: right } };
}

/** Brings a place into sight; heads and the row without an attack always are. */
export function show(region: Element, { row, column }: Place, sizes: Sizes, rows: number): void {
  const { width, height } = roomOf(region, sizes);
  const { cell } = sizes;
  if (row >= 0 && row < rows) region.scrollTop = scrolledTo(row, cell.height, region.scrollTop, height);
  if (column >= 0) region.scrollLeft = scrolledTo(column, cell.width, region.scrollLeft, width);
}
