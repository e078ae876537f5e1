/** How many of how many. */
export interface Share {
  of: number;
  count: number;
}

/** The bounds of a share with 95 % certainty, in percent (Wilson's score interval). */
export function interval({ count, of }: Share): [number, number] {
  if (of === 0) return [0, 100];
  const z = 1.96;
  const share = count / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return [Math.max(0, middle - half) * 100, Math.min(1, middle + half) * 100];
}

/** "448 of 448 (99.1–100 %)". */
export function shareWords(share: Share): string {
  const [low, high] = interval(share);
  const round = (number: number) => Number(number.toFixed(1));
  return `${share.count} of ${share.of} (95 %: ${round(low)}–${round(high)} %)`;
}
