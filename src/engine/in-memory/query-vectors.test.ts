import { expect, it } from "vitest";
import { queryVectors } from "./query-vectors.ts";

it("vectors are kept for the account that they were made for", () => {
  const kept = queryVectors(10, () => 0);
  kept.of("ann").set("lamps", [1, 0]);
  expect(kept.of("ann").get("lamps")).toEqual([1, 0]);
  expect(kept.of("bob").get("lamps")).toBeUndefined();
  expect(kept.of('ann","x').get("lamps")).toBeUndefined();
});

it("those that were not used for the longest time are forgotten first, whoever they are of", () => {
  const kept = queryVectors(2, () => 0);
  const [ann, bob] = [kept.of("ann"), kept.of("bob")];
  ann.set("one", [1]);
  bob.set("two", [2]);
  ann.get("one");
  bob.set("three", [3]);
  expect([ann.get("one"), bob.get("two"), bob.get("three")]).toEqual([[1], undefined, [3]]);
});

it("they are made anew after ten minutes, however often they were used", () => {
  let now = 1_000;
  const ann = queryVectors(10, () => now).of("ann");
  ann.set("lamps", [1, 0]);
  for (const minutes of [5, 4.9]) {
    now += minutes * 60_000;
    expect(ann.get("lamps")).toEqual([1, 0]);
  }
  now += 60_000;
  expect(ann.get("lamps")).toBeUndefined();
});
