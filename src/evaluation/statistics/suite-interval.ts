import { criticalValue } from "./normal.ts";
import { seededRandom } from "./random.ts";
import { type Interval, wilsonInterval } from "./wilson.ts";

/** How often one case passed, of the trials that count. */
export interface Tally {
  passed: number;
  trials: number;
}

/** How many samples of the cases are drawn. */
const samples = 2_000;

/** The pass rate of a suite: every case counts the same, however many trials it had. Undefined where none had any. */
export function suiteRate(tallies: readonly Tally[]): number | undefined {
  const rates = ratesOf(tallies);
  return rates.length === 0 ? undefined : mean(rates);
}

/**
 * The interval of a suite's pass rate. Cases are drawn with replacement (percentile bootstrap, widened for small numbers as
 * in Hesterberg 2015), since trials of one case resemble each other. As resampling cases that all passed would prove
 * everything, the interval never says more than Wilson's over all trials does. The same seed gives the same interval.
 */
export function suiteInterval(tallies: readonly Tally[], { confidence = 0.95, seed = 1 } = {}): Interval {
  const rates = ratesOf(tallies);
  const trials = tallies.reduce((sum, tally) => sum + tally.trials, 0);
  if (rates.length === 0) return { low: 0, high: 1 };
  const rate = mean(rates);
  const pooled = wilsonInterval(rate * trials, trials, confidence);
  if (rates.length === 1) return pooled;
  const drawn = resampledMeans(rates, seed);
  const outside = outsideShare(rates.length, confidence);
  return {
    low: Math.min(pooled.low, at(drawn, outside)),
    high: Math.max(pooled.high, at(drawn, 1 - outside)),
  };
}

function ratesOf(tallies: readonly Tally[]): number[] {
  return tallies.flatMap(({ passed, trials }) => (trials > 0 ? [passed / trials] : []));
}

function resampledMeans(rates: readonly number[], seed: number): number[] {
  const random = seededRandom(seed);
  const means = Array.from({ length: samples }, () => {
    let sum = 0;
    for (let draw = 0; draw < rates.length; draw += 1) sum += rates[Math.floor(random() * rates.length)] ?? 0;
    return sum / rates.length;
  });
  return means.toSorted((a, b) => a - b);
}

/** Which share of the drawn means lies below the interval: less than half of 1 - confidence where there are few cases. */
function outsideShare(cases: number, confidence: number): number {
  const z = criticalValue(confidence);
  const degrees = cases - 1;
  // Student's t by Cornish and Fisher's expansion.
  const t = z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2);
  return normalTail(t * Math.sqrt(cases / degrees));
}

/** The probability of a standard normal variable above x ≥ 0 (Abramowitz and Stegun 26.2.17, to 7.5e-8). */
function normalTail(x: number): number {
  const t = 1 / (1 + 0.2316419 * x);
  const sum = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce((so, each) => so * t + each, 0);
  return (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum * t;
}

function at(sorted: readonly number[], share: number): number {
  const place = Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))));
  return sorted[place] ?? 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
