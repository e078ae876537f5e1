import { expect, it } from "vitest";
import { type MenuGroup, rankEntries } from "./rank-entries.ts";

function group(heading: string, ...titles: string[]): MenuGroup {
  const entries = titles.map((title) => ({ id: title, title, beside: [heading], icon: "box", perform() {} }));
  return { heading, entries };
}

const groups = [
  group("Actions", "Pause before tool calls", "Tidy up"),
  { ...group("Add a node", "HTTP request", "Calculator"), of: "new" as const },
  { ...group("Go to a node", "Price calculator"), of: "existing" as const },
  group("Open a workflow"),
];
const shown = (search: string) =>
  rankEntries(groups, search).map(({ heading, entries }) => [heading, ...entries.map(({ title }) => title)]);

it("shows every group that has something while nothing is searched for", () => {
  expect(shown(" ")).toEqual(
    groups.slice(0, 3).map(({ heading, entries }) => [heading, ...entries.map((e) => e.title)]),
  );
});

it("puts the best answer first, what is on the canvas before what could be added, and leaves out the rest", () => {
  expect(shown("calcul")).toEqual([
    ["Go to a node", "Price calculator"],
    ["Add a node", "Calculator"],
  ]);
  expect(shown("price")).toEqual([["Go to a node", "Price calculator"]]);
  expect(shown("go to price")).toEqual([["Go to a node", "Price calculator"]]);
  expect(shown("nothing of that")).toEqual([]);
});
