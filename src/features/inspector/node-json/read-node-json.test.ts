import { describe, expect, it } from "vitest";
import type { NodeRecord } from "../../../engine/document/workflow-document.ts";
import { readNodeJson } from "./read-node-json.ts";

const node: NodeRecord = {
  id: "n1",
  type: "ai-agent",
  version: 1,
  title: "Agent",
  position: { x: 1, y: 2 },
  config: { systemPrompt: "Be kind." },
};

const edited = (change: object) => readNodeJson(JSON.stringify({ ...node, ...change }), node);

describe("a node edited as JSON", () => {
  it("is taken with what was changed", () => {
    expect(edited({ title: "Boss", config: { maxIterations: 3 }, disabled: true })).toEqual({
      ok: true,
      node: { ...node, title: "Boss", config: { maxIterations: 3 }, disabled: true },
    });
  });

  it.each([
    ["{", "not valid JSON"],
    ['{ "id": "n1" }', "type"],
    [JSON.stringify({ ...node, id: "n2" }), '"id" cannot be changed here; it was "n1"'],
    [JSON.stringify({ ...node, type: "code" }), '"type" cannot be changed'],
    [JSON.stringify({ ...node, colour: "red" }), "colour"],
    [JSON.stringify({ ...node, config: [] }), "config"],
    [`{ "__proto__": { "a": 1 }, "id": "n1" }`, "__proto__"],
  ])("is refused with the reason: %s", (text, words) => {
    expect(readNodeJson(text, node)).toEqual({ ok: false, problem: expect.stringContaining(words) });
  });

  it("stays under review when it was", () => {
    const imported = { ...node, unreviewed: true };
    expect(readNodeJson(JSON.stringify(node), imported)).toMatchObject({ ok: false });
  });
});
