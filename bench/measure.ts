/** One row of the table: what was measured, ours against a bare version of the same work in the same run. */
export interface Row {
  name: string;
  /** Our figure, in `unit`. */
  value: number;
  unit: string;
  /** The bare loop's figure, where there is one. */
  baseline?: number;
  /** value ÷ baseline. */
  ratio?: number;
  /** What we aim at, in words, and whether this run met it. */
  goal: string;
  met: boolean;
}

/** What of the command line is for the benches. */
export interface BenchOptions {
  /** The user's own model, `<provider>:<model>`, with the file of credentials and which of them. */
  model?: string;
  credentials?: string;
  credential?: string;
  /** Directory of a build of the site to compare this one with. */
  before?: string;
  /** For how many seconds a transaction stays open. */
  openSeconds?: number;
  /** Words that are in the names of the scenarios to play. */
  scenario?: string;
  /** Folder with files to try, after a `--` of its own. */
  folder?: string;
}

/** The options are not understood; the message says what to do. */
export class OptionsRefused extends Error {}

/** A group of rows that share their set-up. */
export interface Bench {
  id: string;
  title: string;
  /** It needs something that only some people have, so a run of all leaves it out. */
  onlyWhenNamed?: boolean;
  /** Another title for some options. */
  titleOf?(options: BenchOptions): string | undefined;
  run(options?: BenchOptions): Promise<Row[]>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Milliseconds that `work` takes. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Medians in milliseconds, and of the ratio turn by turn: a slow moment that hits both leaves that as it is. */
interface Measured {
  ours: number;
  bare: number;
  ratio?: number;
}

/** Turns that count, and those before them that are thrown away. */
interface Turns {
  turns: number;
  warmUp: number;
}

/**
 * Times two kinds of work that take turns, so that a slow moment of the machine hits both; who goes first changes, since the
 * second pays for the first one's garbage.
 */
async function inTurns(
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  { turns, warmUp }: Turns,
): Promise<{ oursTimes: number[]; bareTimes: number[] }> {
  const oursTimes: number[] = [];
  const bareTimes: number[] = [];
  for (let turn = 0; turn < warmUp + turns; turn++) {
    const oursFirst = turn % 2 === 1 ? await time(ours) : undefined;
    const bareTime = await time(bare);
    const oursTime = oursFirst ?? (await time(ours));
    if (turn < warmUp) continue;
    bareTimes.push(bareTime);
    oursTimes.push(oursTime);
  }
  return { oursTimes, bareTimes };
}

/** Medians of two kinds of work that take turns. */
export async function compare(
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  turns: Turns,
): Promise<Measured> {
  const { oursTimes, bareTimes } = await inTurns(ours, bare, turns);
  const ratios = oursTimes.map((oursTime, turn) => oursTime / (bareTimes[turn] ?? Number.NaN));
  return { ours: median(oursTimes), bare: median(bareTimes), ratio: median(ratios) };
}

/** How long two kinds of work take that take turns, in milliseconds: usually, and in all but one of twenty turns. */
export interface Spread {
  ours: { median: number; p95: number };
  bare: { median: number; p95: number };
}

/** As `compare`, for work whose slow turns matter as well. */
export async function compareSpread(
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  turns: Turns,
): Promise<Spread> {
  const { oursTimes, bareTimes } = await inTurns(ours, bare, turns);
  return { ours: spreadOf(oursTimes), bare: spreadOf(bareTimes) };
}

function spreadOf(values: readonly number[]): { median: number; p95: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: median(values), p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN };
}

/** A row that holds ours against a bare loop: met while the ratio stays within `limit`. */
export function ratioRow(name: string, measured: Measured, limit: number): Row {
  const ratio = measured.ratio ?? measured.ours / measured.bare;
  return {
    name,
    value: measured.ours,
    unit: "ms",
    baseline: measured.bare,
    ratio,
    goal: `≤ ${limit} × bare`,
    met: ratio <= limit,
  };
}

/** A row that holds ours against a fixed limit. */
export function limitRow(name: string, value: number, unit: string, limit: number): Row {
  return { name, value, unit, goal: `≤ ${limit} ${unit}`, met: value <= limit };
}

/** What of a goal counts as reached: a measurement of a rate loses a frame or two at its ends. */
const near = 0.97;

/**
 * A row for frames per second beside a bare page's: held against `goal` where the design names one, against nine tenths of
 * the bare page where it names none.
 */
export function rateRow(name: string, value: number, baseline: number, goal?: number): Row {
  return {
    name,
    value,
    unit: "fps",
    baseline,
    ratio: value / baseline,
    goal: goal === undefined ? "≥ 0.9 × bare" : `≥ ${goal} fps`,
    met: value >= (goal === undefined ? 0.9 * baseline : near * goal),
  };
}
