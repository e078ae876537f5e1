import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { templates } from "../../features/library/templates/index.ts";
import { templateDocument } from "../../features/library/templates/template-document.ts";
import type { JsonObject } from "../json.ts";
import { readDocument } from "./read-document.ts";

function notesOf(document: unknown): string[] {
  const read = readDocument(document, nodeRegistry);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  return read.notes;
}

const withNode = (type: string, config: JsonObject, rest: JsonObject = {}) => ({
  nodes: { n: { type, config, ...rest } },
});

describe("what a workflow's file says without effect", () => {
  it.each([
    ["a setting of an agent", "ai-agent", { maxIteration: 3 }, "nodes.n.config.maxIteration", "maxIterations"],
    ["another one", "ai-agent", { sistemPrompt: "x" }, "nodes.n.config.sistemPrompt", "systemPrompt"],
    ["a setting of a tool", "calculator-tool", { toolNam: "x" }, "nodes.n.config.toolNam", "toolName"],
    ["a setting of a trigger", "schedule-trigger", { timeZne: "UTC" }, "nodes.n.config.timeZne", "timeZone"],
    ["a setting of a model", "openai-model", { temprature: 0 }, "nodes.n.config.temprature", "temperature"],
  ])("names %s with the nearest one", (_what, type, config, place, nearest) => {
    const [note, ...more] = notesOf(withNode(type, config));
    expect(more).toEqual([]);
    expect(note).toContain(`"${place}" is no setting of`);
    expect(note).toContain(`Did you mean "${nearest}"?`);
  });

  it("names keys of the document, its nodes, edges and privacy, in lists too", () => {
    const document = {
      nam: "x",
      privacy: { mask: [], patterns: [], memry: true },
      nodes: [
        { id: "a", type: "chat-trigger", titel: "A" },
        { id: "b", type: "ai-agent", confg: {} },
      ],
      edges: [{ id: "e", from: { node: "a", port: "main" }, to: { node: "b", port: "main" }, lable: 1 }],
    };
    expect(notesOf(document).map((note) => note.split(" ").at(0))).toEqual([
      '"nam"',
      '"privacy.memry"',
      '"nodes.a.titel"',
      '"nodes.b.confg"',
      '"edges.e.lable"',
    ]);
    expect(notesOf(document)[1]).toContain('Did you mean "memory"?');
  });

  it("names settings inside settings", () => {
    const prompts: JsonObject[] = [{ name: "a" }, { name: "b", argumnts: { x: "1" } }];
    expect(notesOf(withNode("mcp-tool", { prompts }))).toEqual([
      expect.stringMatching(
        /^"nodes\.n\.config\.prompts\[1\]\.argumnts" is no setting of .* Did you mean "arguments"\?/,
      ),
    ]);
  });

  it("names a setting that counts only while another one is on, and leaves what forms store alone", () => {
    expect(notesOf(withNode("ai-agent", { maxRounds: 5 }))).toEqual([
      '"nodes.n.config.maxRounds" has no effect: it counts only where "autoIterate" is true.',
    ]);
    expect(notesOf(withNode("guardrails", { keywords: false, blockedWords: ["x"] })).join()).toContain('"keywords"');
    expect(notesOf(withNode("ai-agent", { maxRounds: 5, autoIterate: true }))).toEqual([]);
    expect(notesOf(withNode("ai-agent", { maxRounds: 3, reflectionFrequency: null }))).toEqual([]);
    expect(notesOf(withNode("guardrails", { blockedWords: ["x"] }))).toEqual([]);
  });

  it("loses nothing of a node that is not known, or is newer", () => {
    const config = { anything: { deep: 1 } };
    expect(notesOf(withNode("of-tomorrow", config))).toHaveLength(1);
    const read = readDocument(
      withNode("ai-agent", { maxIteration: 3, future: { deep: 1 } }, { version: 99 }),
      nodeRegistry,
    );
    expect(read).toMatchObject({ document: { nodes: { n: { config: { maxIteration: 3, future: { deep: 1 } } } } } });
  });

  it.each(templates.map((template) => [template.title, template] as const))(
    "is nothing in the template %s",
    (_title, template) => {
      expect(notesOf(JSON.parse(JSON.stringify(templateDocument(template, "w", "collection"))))).toEqual([]);
    },
  );
});
