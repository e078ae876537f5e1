import { expect, it } from "vitest";
import { nodesIn } from "./nodes-in.ts";

const nodes = ["Agent", "Support agent", "If", "Agent", " ", "Pay back (EU)"].map((title, index) => ({
  id: `n${index}`,
  title,
}));
const found = (text: string) => nodesIn(text, nodes).map(({ id }) => id);

it("finds the nodes that a text names, in its order, each title once", () => {
  expect(found("Support agent answers; then **Pay back (EU)** runs. The Agent watches.")).toEqual(["n1", "n5", "n0"]);
});

it("takes titles for words of their own alone", () => {
  expect(found("Iffy Agents have no Agentur")).toEqual([]);
  expect(found("")).toEqual([]);
});
