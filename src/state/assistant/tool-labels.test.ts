import { expect, it } from "vitest";
import { newDocument } from "../../engine/document/new-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { Desk } from "./desk.ts";
import { deskTools } from "./desk-tools.ts";
import { toolLabels } from "./tool-labels.ts";

it("has words for each tool of the assistant, and for no other", () => {
  const desk = new Desk({
    registry: nodeRegistry,
    newId: () => "new",
    document: () => newDocument("w", "Empty"),
    runs: { list: async () => [], read: () => Promise.reject(new Error("There is no such run.")) },
    onChange: () => {},
  });
  desk.improve(() => Promise.reject(new Error("There is no suite.")));
  desk.beginRequest("Improve the prompts");
  const names = deskTools(desk).map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(toolLabels).toSorted());
});
