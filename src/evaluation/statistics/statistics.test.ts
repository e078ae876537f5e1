import { describe, expect, it } from "vitest";
import { cohensKappa } from "./kappa.ts";
import { criticalValue, normalQuantile } from "./normal.ts";
import { pairedTest, type TalliedPair } from "./paired-test.ts";
import { passHat } from "./pass-hat.ts";
import { seededRandom } from "./random.ts";
import { suiteInterval, suiteRate, type Tally } from "./suite-interval.ts";
import { bestLowerBound, trialsToProve, wilsonInterval } from "./wilson.ts";
import { neededWords, percent, provenWords } from "./words.ts";
import { isWorse } from "./worse-case.ts";

const tally = (passed: number, trials: number): Tally => ({ passed, trials });
const pairOf = (before: [number, number], after: [number, number]): TalliedPair => ({
  before: tally(...before),
  after: tally(...after),
});

/** How many of `trials` succeed with a probability. */
function draw(random: () => number, trials: number, probability: number): number {
  let passed = 0;
  for (let trial = 0; trial < trials; trial += 1) if (random() < probability) passed += 1;
  return passed;
}

describe("quantiles of the normal distribution", () => {
  it.each([
    [0.5, 0],
    [0.9, 1.2815515655446004],
    [0.95, 1.6448536269514722],
    [0.975, 1.959963984540054],
    [0.995, 2.5758293035489004],
    [0.999, 3.090232306167813],
    [1e-6, -4.753424308822899],
    [1e-15, -7.941345326170997],
  ])("at %f are those of the tables", (probability, value) => {
    expect(normalQuantile(probability)).toBeCloseTo(value, 9);
  });

  it("give the usual critical values", () => {
    expect(criticalValue(0.95)).toBeCloseTo(1.959964, 6);
    expect(criticalValue(0.99)).toBeCloseTo(2.575829, 6);
  });
});

describe("Wilson's interval", () => {
  // Newcombe 1998, Statistics in Medicine 17, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %i of %i is the published one", (passed, trials, low, high) => {
    const found = wilsonInterval(passed, trials);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  it("says nothing without trials, and never leaves 0 to 1", () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(wilsonInterval(5, 5).high).toBe(1);
    expect(wilsonInterval(0, 5).low).toBe(0);
  });

  it("tells how many perfect trials a claim takes", () => {
    expect(trialsToProve(0.9)).toBe(35);
    expect(trialsToProve(0.5)).toBe(4);
    expect(trialsToProve(1)).toBe(Infinity);
    for (const rate of [0.3, 0.44, 0.8, 0.93, 0.99, 0.999]) {
      const trials = trialsToProve(rate);
      expect(bestLowerBound(trials)).toBeGreaterThanOrEqual(rate - 1e-9);
      expect(bestLowerBound(trials - 1)).toBeLessThan(rate);
    }
  });

  it("is put into words", () => {
    expect(provenWords(3, 3)).toBe("3 of 3 proves only ≥ 44 %.");
    expect(provenWords(0, 3)).toBe("0 of 3 proves only ≤ 56 %.");
    expect(provenWords(4, 5)).toBe("4 of 5 proves a rate between 38 % and 96 %.");
    expect(provenWords(0, 0)).toContain("nothing");
    expect(neededWords(0.9)).toContain("at least 35 trials");
    expect(neededWords(1)).toContain("No number");
    expect([percent(0.9999), percent(0.0001), percent(1), percent(0)]).toEqual(["> 99 %", "< 1 %", "100 %", "0 %"]);
  });
});

describe("pass^k", () => {
  it("is C(c, k) / C(n, k), and nothing with too few trials", () => {
    expect(passHat(4, 5, 1)).toBeCloseTo(0.8, 12);
    expect(passHat(4, 5, 2)).toBeCloseTo(6 / 10, 12);
    expect(passHat(4, 5, 4)).toBeCloseTo(1 / 5, 12);
    expect(passHat(4, 5, 5)).toBe(0);
    expect(passHat(8, 8, 8)).toBe(1);
    expect(passHat(4, 5, 6)).toBeUndefined();
    expect(passHat(0, 0, 1)).toBeUndefined();
  });
});

describe("a suite's interval", () => {
  it("is the same for the same seed, and every case counts the same", () => {
    const tallies = [tally(5, 5), tally(0, 5), tally(3, 5), tally(1, 1)];
    expect(suiteInterval(tallies, { seed: 7 })).toEqual(suiteInterval(tallies, { seed: 7 }));
    expect(suiteRate(tallies)).toBeCloseTo((1 + 0 + 0.6 + 1) / 4, 12);
    expect(suiteRate([tally(0, 0)])).toBeUndefined();
    expect(suiteInterval([])).toEqual({ low: 0, high: 1 });
  });

  it("never takes a perfect result for certainty", () => {
    const perfect = Array.from({ length: 4 }, () => tally(5, 5));
    expect(suiteInterval(perfect)).toEqual(wilsonInterval(20, 20));
    expect(suiteInterval([tally(3, 3)])).toEqual(wilsonInterval(3, 3));
  });

  it("covers the truth in at least 93 % of 200 simulated suites of 20 cases with 5 trials", () => {
    const random = seededRandom(2024);
    const laws: Record<string, () => number> = {
      "the same for all": () => 0.8,
      anything: () => random(),
      "mostly good": () => 1 - random() ** 3,
      "stable or broken": () => (random() < 0.85 ? 0.98 : 0.05),
    };
    for (const [name, law] of Object.entries(laws)) {
      const truth = mean(Array.from({ length: 200_000 }, law));
      let ofThese = 0;
      let ofAll = 0;
      for (let round = 0; round < 200; round += 1) {
        const probabilities = Array.from({ length: 20 }, law);
        const tallies = probabilities.map((probability) => tally(draw(random, 5, probability), 5));
        const { low, high } = suiteInterval(tallies, { seed: round });
        const fixed = mean(probabilities);
        if (low <= fixed && fixed <= high) ofThese += 1;
        if (low <= truth && truth <= high) ofAll += 1;
      }
      // Of the cases at hand, and of the cases that they were drawn from.
      expect(ofThese / 200, name).toBeGreaterThanOrEqual(0.93);
      expect(ofAll / 200, name).toBeGreaterThanOrEqual(0.93);
    }
  });
});

describe("the paired test", () => {
  /** All 2^n swaps, one by one. */
  function enumerated(pairs: readonly TalliedPair[]): number {
    const differences = pairs.map(({ before, after }) => after.passed / after.trials - before.passed / before.trials);
    const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0));
    let reached = 0;
    for (let signs = 0; signs < 2 ** differences.length; signs += 1) {
      const total = differences.reduce((sum, each, at) => sum + ((signs >> at) & 1 ? each : -each), 0);
      if (Math.abs(total) >= observed - 1e-9) reached += 1;
    }
    return reached / 2 ** differences.length;
  }

  it("gives what counting all swaps gives", () => {
    const random = seededRandom(5);
    for (let round = 0; round < 40; round += 1) {
      const pairs = Array.from({ length: 10 }, () => {
        const trials = 1 + Math.floor(random() * 6);
        return pairOf([draw(random, 5, 0.5), 5], [draw(random, trials, 0.7), trials]);
      });
      expect(pairedTest(pairs).pValue).toBeCloseTo(enumerated(pairs), 9);
    }
  });

  it("is McNemar's exact test with one trial each", () => {
    // Two-sided binomial probability of 1 in 8: 2 · (1 + 8) / 256.
    const pairs = [
      ...Array.from({ length: 7 }, () => pairOf([0, 1], [1, 1])),
      pairOf([1, 1], [0, 1]),
      ...Array.from({ length: 30 }, () => pairOf([1, 1], [1, 1])),
    ];
    const test = pairedTest(pairs);
    expect(test).toMatchObject({ method: "McNemar", cases: 38 });
    expect(test.pValue).toBeCloseTo(18 / 256, 12);
    expect(test.difference).toBeCloseTo(6 / 38, 12);
  });

  it("says nothing where nothing differs, and leaves out cases without trials", () => {
    expect(pairedTest([pairOf([3, 5], [3, 5])])).toMatchObject({ pValue: 1, difference: 0, cases: 1 });
    expect(pairedTest([pairOf([3, 5], [0, 0])])).toMatchObject({ pValue: 1, difference: 0, cases: 0 });
  });

  it("draws swaps where there are too many sums, and comes out close", () => {
    const random = seededRandom(11);
    const pairs = Array.from({ length: 12 }, (_, at) => {
      const trials = [97, 89, 83, 79, 73, 71][at % 6] ?? 5;
      return pairOf([draw(random, trials, 0.5), trials], [draw(random, trials + 4, 0.55), trials + 4]);
    });
    expect(Math.abs(pairedTest(pairs).pValue - enumerated(pairs))).toBeLessThan(0.02);
  });

  it("calls equals different in at most 6 % of simulated comparisons at 5 %", () => {
    const random = seededRandom(99);
    for (const trials of [1, 5]) {
      let wrong = 0;
      for (let round = 0; round < 1_000; round += 1) {
        const pairs = Array.from({ length: 20 }, () => {
          const probability = random();
          return pairOf([draw(random, trials, probability), trials], [draw(random, trials, probability), trials]);
        });
        if (pairedTest(pairs).pValue < 0.05) wrong += 1;
      }
      expect(wrong / 1_000).toBeLessThanOrEqual(0.06);
    }
  });

  it("finds a real difference", () => {
    const random = seededRandom(3);
    const pairs = Array.from({ length: 20 }, () => pairOf([draw(random, 5, 0.5), 5], [draw(random, 5, 0.9), 5]));
    expect(pairedTest(pairs).pValue).toBeLessThan(0.01);
  });
});

describe("a case that got worse", () => {
  it("has lost all it had, or more than chance explains", () => {
    expect(isWorse(pairOf([1, 1], [0, 1]))).toBe(true);
    expect(isWorse(pairOf([3, 3], [0, 3]))).toBe(true);
    // Fisher's tea tasting: 3 of 4 against 1 of 4 is p = 0.243.
    expect(isWorse(pairOf([3, 4], [1, 4]))).toBe(false);
    expect(isWorse(pairOf([3, 4], [1, 4]), 0.75)).toBe(true);
    expect(isWorse(pairOf([3, 4], [1, 4]), 0.758)).toBe(false);
    expect(isWorse(pairOf([10, 10], [4, 10]))).toBe(true);
    expect(isWorse(pairOf([5, 5], [4, 5]))).toBe(false);
    expect(isWorse(pairOf([1, 5], [5, 5]))).toBe(false);
    expect(isWorse(pairOf([5, 5], [0, 0]))).toBe(false);
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

describe("Cohen's kappa", () => {
  const pairs = (both: number, first: number, second: number, neither: number) => [
    ...Array.from({ length: both }, () => [true, true] as const),
    ...Array.from({ length: first }, () => [true, false] as const),
    ...Array.from({ length: second }, () => [false, true] as const),
    ...Array.from({ length: neither }, () => [false, false] as const),
  ];

  it.each([
    // Worked examples of textbooks: 50 grant proposals, and two with the same agreement but other margins.
    [[20, 5, 10, 15], 0.4],
    [[45, 15, 25, 15], 0.1304],
    [[25, 35, 5, 35], 0.2593],
    [[10, 0, 0, 10], 1],
    [[0, 10, 10, 0], -1],
  ] as const)("of %j is %f", ([both, first, second, neither], kappa) => {
    expect(cohensKappa(pairs(both, first, second, neither))).toBeCloseTo(kappa, 4);
  });

  it("is not defined without items, and where both say the same of all", () => {
    expect(cohensKappa([])).toBeNull();
    expect(cohensKappa(pairs(5, 0, 0, 0))).toBeNull();
  });
});
