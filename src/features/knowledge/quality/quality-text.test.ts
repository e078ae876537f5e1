import { expect, it } from "vitest";
import type { MeasuredWay } from "../../../services/retrieval-quality.ts";
import { conclusionOf, rankText, shareText, wayName } from "./quality-text.ts";

const way = (mode: MeasuredWay["mode"], ...ranks: (number | null)[]): MeasuredWay => ({
  mode,
  rerank: null,
  ranks: ranks.map((rank) => [rank]),
});
const many = <Value>(value: Value) => Array.from({ length: 12 }, () => value);
const questions = many("When?");

it("names the better way where the difference is clear", () => {
  const ways = [way("keyword", ...many(null)), way("hybrid", ...many(1))];
  expect(conclusionOf({ ways, questions })).toMatchObject({ best: ways[1], title: "Hybrid is better" });
});

it("says so where chance explains the difference", () => {
  const ways = [way("keyword", ...many(1)), way("hybrid", null, ...many(1).slice(1))];
  expect(conclusionOf({ ways, questions })).toMatchObject({
    best: ways[0],
    title: "No clear difference",
    text: "Keyword found 8 % more in the first 5 than Hybrid, but chance alone can do that with 12 questions (p = 1.000).",
  });
});

it("says what is the same, and what only differs further down", () => {
  const same = [way("keyword", ...many(2)), way("hybrid", ...many(2))];
  expect(conclusionOf({ ways: same, questions })).toMatchObject({
    best: same[0],
    title: "Keyword and Hybrid found the same",
    text: "",
  });
  const earlier = [way("keyword", ...many(2)), way("hybrid", ...many(1))];
  expect(conclusionOf({ ways: earlier, questions })).toMatchObject({
    best: earlier[1],
    title: "Hybrid and Keyword found the same in the first 5",
  });
});

it("knows one way alone", () => {
  expect(conclusionOf({ ways: [way("keyword", 1)], questions: ["When?"] })?.title).toBe(
    "Keyword is the only way to search",
  );
  expect(conclusionOf({ ways: [], questions: [] })).toBeUndefined();
});

it("writes names and measures", () => {
  expect(wayName({ mode: "hybrid", rerank: "rerank-v3.5" })).toBe("Hybrid, reranked");
  expect(shareText({ value: 0.8, low: 0.631, high: 0.912 })).toBe("80 % (63–91 %)");
  expect(rankText({ value: 0.725, low: 0.5, high: 1 })).toMatch(/^0\.7[23] \(0\.50–1\.00\)$/);
});
