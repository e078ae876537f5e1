import { expect, it } from "vitest";
import { wilsonInterval } from "../statistics/wilson.ts";
import { bestOf, differenceOf, measuresOf, type Ranks } from "./measures.ts";

const repeated = (times: number, ranks: readonly (number | null)[]) => Array.from({ length: times }, () => ranks);

it("counts what is found in the first 5 and 10, and how early", () => {
  const { recall5, recall10, mrr } = measuresOf([[1], [4], [7], [null]]);
  expect(recall5.value).toBe(0.5);
  expect(recall10.value).toBe(0.75);
  expect(mrr.value).toBeCloseTo((1 + 1 / 4 + 1 / 7) / 4, 12);
});

it("counts a question with several right passages by their share, and by the first that was found", () => {
  const { recall5, recall10, mrr } = measuresOf([[8, 2]]);
  expect(recall5.value).toBe(0.5);
  expect(recall10.value).toBe(1);
  expect(mrr.value).toBe(0.5);
});

it("finds nothing beyond the tenth passage", () => {
  const { recall10, mrr } = measuresOf([[11]]);
  expect(recall10.value).toBe(0);
  expect(mrr.value).toBe(0);
});

it("gives intervals that hold the value, are the same each time and never claim more than Wilson's", () => {
  const ranks: Ranks = [...repeated(15, [1]), ...repeated(5, [null])];
  const { recall5 } = measuresOf(ranks);
  const wilson = wilsonInterval(15, 20);
  expect(recall5.low).toBeLessThanOrEqual(wilson.low);
  expect(recall5.high).toBeGreaterThanOrEqual(wilson.high);
  expect(measuresOf(ranks)).toEqual(measuresOf(ranks));
  const all = measuresOf(repeated(10, [1])).recall5;
  expect(all.value).toBe(1);
  expect(all.low).toBeLessThan(0.8);
});

it("calls a difference sure only where chance does not explain it", () => {
  const few = differenceOf(repeated(3, [1]), repeated(3, [null]));
  expect(few).toMatchObject({ recall5: 1, isSure: false });
  expect(few.pValue).toBeCloseTo(0.25, 9);
  expect(differenceOf(repeated(10, [1]), repeated(10, [null]))).toMatchObject({ recall5: 1, isSure: true });
  expect(differenceOf(repeated(10, [1]), repeated(10, [2]))).toEqual({ recall5: 0, pValue: 1, isSure: false });
});

it("takes the best by recall at 5, then at 10, then by rank, and the first of equals", () => {
  const best = (...ranks: Ranks[]) => {
    const ways = ranks.map((each) => ({ ranks: each }));
    return ways.findIndex((way) => way === bestOf(ways));
  };
  expect(best([[6]], [[5]])).toBe(1);
  expect(best([[null]], [[6]])).toBe(1);
  expect(best([[3]], [[2]])).toBe(1);
  expect(best([[2]], [[2]])).toBe(0);
  expect(bestOf([])).toBeUndefined();
});
