import { describe, expect, it } from "vitest";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import { sketchOf } from "./sketch-of.ts";

const node = (id: string, type: string, config: JsonObject = {}): NodeRecord => ({
  id,
  type,
  version: 1,
  title: id,
  position: { x: 0, y: 0 },
  config,
});

const edge = (from: string, to: string, port: string) => ({
  [`${from}-${to}`]: { id: `${from}-${to}`, from: { node: from, port: "main" }, to: { node: to, port } },
});

const cards = {
  chat: node("chat", "chat-trigger"),
  agent: node("agent", "ai-agent"),
  model: node("model", "demo-model"),
};
const edges = { ...edge("chat", "agent", "main"), ...edge("model", "agent", "model") };

describe("the picture of a workflow", () => {
  it("draws an open group as a frame of its own size, with its nodes in it", () => {
    const group = node("group", "group", { width: 640, height: 320 });
    const sketch = sketchOf({ nodes: { ...cards, group }, edges });
    expect(sketch.nodes).toHaveLength(4);
    expect(sketch.nodes.at(-1)).toMatchObject({ role: "frame", size: { width: 640, height: 320 } });
    expect(sketch.nodes.find(({ id }) => id === "model")).toMatchObject({ role: "model", title: "model" });
  });

  it("draws a folded group as one card in place of what is in it", () => {
    const group = node("group", "group", { folded: true, members: ["agent", "model"] });
    const sketch = sketchOf({ nodes: { ...cards, group }, edges });
    expect(sketch.nodes.map(({ id, role }) => `${id} ${role}`)).toEqual(["chat main", "group main"]);
    expect(sketch.edges).toEqual([{ from: "chat", to: "group", kind: "main" }]);
  });

  it("leaves notes out where they would only fill the picture", () => {
    const note = node("note", "sticky-note");
    expect(sketchOf({ nodes: { ...cards, note }, edges }, { notes: false }).nodes).toHaveLength(3);
  });
});
