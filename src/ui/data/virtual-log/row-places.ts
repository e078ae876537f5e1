/** A row whose height is known only once it is in the page. */
export interface SizedRow {
  /** Stays with the row when others are added or removed. */
  key: string;
  /** Its height in pixels as far as that can be told from its content and the width that it has. */
  estimate(width: number): number;
}

/** Measured heights by key; rows that were never in the page have none. */
export type MeasuredSizes = ReadonlyMap<string, number>;

/** Rows laid one under the other. */
export interface RowPlaces {
  /** The top of each row and, as one more entry, where the last one ends. */
  tops: Float64Array;
  indexOf: ReadonlyMap<string, number>;
}

export function indexRows(rows: readonly SizedRow[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ key }, index) => [key, index]));
}

/** Lays out rows by their measured heights, and by their estimates where there is none; the first begins at `start`. */
export function placeRows(
  rows: readonly SizedRow[],
  sizes: MeasuredSizes,
  { start, width }: { start: number; width: number },
): Float64Array {
  const tops = new Float64Array(rows.length + 1);
  let top = start;
  rows.forEach((row, index) => {
    tops[index] = top;
    top += sizes.get(row.key) ?? row.estimate(width);
  });
  tops[rows.length] = top;
  return tops;
}

/** The row that covers a height; the first or last one for a height beyond them, -1 where there is none. */
export function rowAt(tops: Float64Array, y: number): number {
  let low = 0;
  let high = tops.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return high < 0 ? -1 : low;
}

/** What must not move on the screen while heights above it become known: a row, and where the view cuts it. */
export interface Anchor {
  key: string;
  /** From the row's top down to the top of the view. */
  fromTop: number;
  /** From the top of the view down to the row's end. */
  fromEnd: number;
  measured: boolean;
}

/** The row at the top of the view. */
export function anchorAt(
  rows: readonly SizedRow[],
  tops: Float64Array,
  sizes: MeasuredSizes,
  y: number,
): Anchor | null {
  const index = rowAt(tops, y);
  const row = rows[index];
  if (row === undefined) return null;
  const [top = 0, end = 0] = tops.subarray(index, index + 2);
  return { key: row.key, fromTop: y - top, fromEnd: end - y, measured: sizes.has(row.key) };
}

/**
 * Where the view has to begin so that the anchor stays where it is; null when its row is gone. A row that the view cuts
 * grows below the cut, as streamed text does; one that was only estimated was entered from below and keeps its end.
 */
export function topKeeping(anchor: Anchor, places: RowPlaces, sizes: MeasuredSizes): number | null {
  const index = places.indexOf.get(anchor.key);
  if (index === undefined) return null;
  const [top = 0, end = 0] = places.tops.subarray(index, index + 2);
  return !anchor.measured && sizes.has(anchor.key) && anchor.fromTop > 0 ? end - anchor.fromEnd : top + anchor.fromTop;
}

/** The rows from which `from` to `to` (pixels) is filled, and those in `kept` with their neighbours, in order. */
export function mountedRows(
  tops: Float64Array,
  { from, to }: { from: number; to: number },
  kept: readonly number[],
): number[] {
  const count = tops.length - 1;
  const first = rowAt(tops, from);
  const last = rowAt(tops, to);
  const indices = new Set<number>();
  for (let index = Math.max(0, first); index <= last; index += 1) indices.add(index);
  // The keyboard finds the next button beside the focused one.
  for (const index of kept)
    for (const each of [index - 1, index, index + 1]) if (each >= 0 && each < count) indices.add(each);
  return [...indices].toSorted((a, b) => a - b);
}
