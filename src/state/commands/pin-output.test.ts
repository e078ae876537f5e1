import { expect, it } from "vitest";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { createDocumentStore } from "../document/document-store.ts";
import { pinOutput, unpinOutput } from "./pin-output.ts";

it("pins and unpins an output as steps that can be undone, and refuses what would not fit", () => {
  const document = createDocumentStore(sampleDocument({ start: "start", a: "step" }, ["start>a"]), 1);
  const said: string[] = [];
  const context = { document, notify: ({ message }: { message: string }) => void said.push(message) };
  const pinned = () => document.getState().document.nodes["a"]?.pin;

  pinOutput(context, "a", { n: 1 }, false);
  pinOutput(context, "a", { n: 2 }, false);
  expect(pinned()).toEqual({ output: { n: 2 } });
  expect(document.getState().undo()).toBe("Pin output");
  expect(pinned()).toEqual({ output: { n: 1 } });
  unpinOutput(context, "a");
  expect(pinned()).toBeUndefined();
  document.getState().undo();
  expect(pinned()).toEqual({ output: { n: 1 } });

  pinOutput(context, "a", "x".repeat(1_000_001), false);
  expect(said).toEqual(["This output is too large to pin (over 1 MB)."]);
  expect(pinned()).toEqual({ output: { n: 1 } });
});
