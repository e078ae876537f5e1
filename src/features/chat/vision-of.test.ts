import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { memoryNotice } from "./memory-notice.ts";
import { readingOf, visionOf } from "./vision-of.ts";

type Nodes = Record<string, { type: string; config?: Record<string, string>; disabled?: boolean }>;

function workflow(nodes: Nodes, ports: Record<string, string>): WorkflowDocument {
  const edges = Object.entries(ports).map(([node, port]) => {
    return [node, { id: node, from: { node, port: port }, to: { node: "agent", port } }];
  });
  const records = Object.entries({ agent: { type: "ai-agent" }, ...nodes }).map(([id, node]) => {
    return [id, { id, version: 1, title: id, position: { x: 0, y: 0 }, config: {}, ...node }];
  });
  return { schemaVersion: 1, id: "w", name: "W", nodes: Object.fromEntries(records), edges: Object.fromEntries(edges) };
}

const model = (type: string, name?: string) =>
  workflow({ model: { type, config: name === undefined ? {} : { model: name } } }, { model: "model" });

describe("visionOf", () => {
  it("names the model that cannot see", () => {
    expect(visionOf(model("demo-model"))).toEqual({ ok: false, unable: ["model"] });
    expect(visionOf(model("openai-model", "gpt-3.5-turbo"))).toEqual({ ok: false, unable: ["model"] });
  });

  it("takes models with vision, and those that nobody knows", () => {
    for (const [type, name] of [
      ["openai-model", "gpt-4o"],
      ["openai-model", undefined],
      ["anthropic-model", "claude-sonnet-4-6"],
      ["openai-compatible-model", "anything"],
    ] as const) {
      expect(visionOf(model(type, name))).toEqual({ ok: true });
    }
    expect(visionOf(workflow({}, {}))).toEqual({ ok: true });
  });
});

describe("memoryNotice", () => {
  const words = (type: string, config: Record<string, string> = {}) =>
    memoryNotice(workflow({ memory: { type, config } }, { memory: "memory" }), nodeRegistry);

  it("says what a reload ends, and nothing where the chat shows it again", () => {
    expect(words("window-memory")).toBe("");
    expect(words("buffer-memory", { storage: "postgres" })).toBe("");
    expect(words("buffer-memory")).toContain("kept in this tab");
    expect(words("redis-memory", { credential: "c" })).toContain("Redis");
    expect(memoryNotice(workflow({}, {}), nodeRegistry)).toContain("No memory is connected");
    const off = workflow({ memory: { type: "window-memory", disabled: true } }, { memory: "memory" });
    expect(memoryNotice(off, nodeRegistry)).toContain("No memory is connected");
  });
});

describe("readingOf", () => {
  it("knows which models read documents, and which hear", () => {
    const kinds = (type: string, name: string) =>
      (["pdf", "audio"] as const).filter((kind) => readingOf(model(type, name), kind).ok);
    expect(kinds("anthropic-model", "claude-sonnet-4-6")).toEqual(["pdf"]);
    expect(kinds("gemini-model", "gemini-3-pro-preview")).toEqual(["pdf", "audio"]);
    expect(kinds("openai-model", "gpt-5-mini")).toEqual(["pdf"]);
    expect(kinds("openai-model", "gpt-audio")).toEqual(["audio"]);
    expect(kinds("openai-compatible-model", "anything")).toEqual([]);
    expect(readingOf(model("demo-model"), "pdf")).toEqual({ ok: false, unable: ["model"] });
  });
});
