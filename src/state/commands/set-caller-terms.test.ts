import { expect, it } from "vitest";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { createDocumentStore } from "../document/document-store.ts";
import { setCallerTerms } from "./set-caller-terms.ts";

it("sets what callers may fill in at several nodes as one step that can be undone, and takes it away", () => {
  const document = createDocumentStore(sampleDocument({ a: "step", b: "step" }, []), 1);
  const terms = { send: { definition: "d", arguments: ["to"] } };
  const kept = () => ["a", "b"].map((id) => document.getState().document.nodes[id]?.callers);

  setCallerTerms(
    { document },
    new Map([
      ["a", terms],
      ["b", terms],
      ["gone", terms],
    ]),
  );
  expect(kept()).toEqual([terms, terms]);
  setCallerTerms({ document }, new Map([["a", undefined]]));
  expect(kept()).toEqual([undefined, terms]);
  document.getState().undo();
  expect(document.getState().undo()).toBe("Change what callers may fill in");
  expect(kept()).toEqual([undefined, undefined]);
});
