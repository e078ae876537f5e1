import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { mergeDocuments } from "./merge-documents.ts";

const base = (): WorkflowDocument =>
  buildWorkflow({
    nodes: {
      chat: ["chat-trigger"],
      agent: ["ai-agent", { systemPrompt: "Be brief.", maxIterations: 10 }, "Agent"],
      model: ["demo-model"],
      note: ["set-fields", { values: { text: "{{nodes.Agent.json.response}}" } }, "Note"],
    },
    edges: ["chat.main -> agent.main", "model.model -> agent.model"],
  });

type Edit = (document: WorkflowDocument) => void;

/** The three documents after each side's edit, merged. */
function merge(mine: Edit, theirs: Edit): WorkflowDocument | undefined {
  const sides = { base: base(), mine: base(), theirs: base() };
  mine(sides.mine);
  theirs(sides.theirs);
  return mergeDocuments(sides, nodeRegistry);
}

function node(document: WorkflowDocument, id: string) {
  const found = document.nodes[id];
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
}

const set =
  (id: string, name: string, value: string | number): Edit =>
  (document) =>
    void (node(document, id).config[name] = value);
const remove =
  (id: string): Edit =>
  ({ nodes, edges }) => {
    delete nodes[id];
    for (const edge of Object.values(edges)) if (edge.from.node === id || edge.to.node === id) delete edges[edge.id];
  };
const add =
  (id: string, type: string, edge?: string): Edit =>
  ({ nodes, edges }) =>
    Object.assign(
      (Object.assign(nodes, buildWorkflow({ nodes: { [id]: [type] } }).nodes), edges),
      buildWorkflow({ nodes: {}, edges: edge === undefined ? [] : [edge] }).edges,
    );
const rename =
  (id: string, title: string): Edit =>
  (document) =>
    void (node(document, id).title = title);
const move =
  (id: string, x: number): Edit =>
  (document) =>
    void (node(document, id).position = { x, y: 0 });

describe("mergeDocuments", () => {
  it("joins changes of different nodes, and of different fields of one", () => {
    const merged = merge(set("agent", "systemPrompt", "Be kind."), (document) => {
      set("agent", "maxIterations", 20)(document);
      rename("model", "Brain")(document);
      add("sum", "calculator-tool", "sum.tool -> agent.tools")(document);
      document.vars = { city: "Oslo" };
    });
    expect(merged).toMatchObject({
      nodes: { agent: { config: { systemPrompt: "Be kind.", maxIterations: 20 } }, model: { title: "Brain" }, sum: {} },
      edges: { "sum.tool -> agent.tools": {} },
      vars: { city: "Oslo" },
    });
  });

  it("lets each side delete, and takes the same change of both", () => {
    const merged = merge(remove("note"), (document) => {
      remove("chat")(document);
      set("agent", "systemPrompt", "Be kind.")(document);
    });
    expect(Object.keys(merged?.nodes ?? {})).toEqual(["agent", "model"]);
    const both = set("agent", "systemPrompt", "Be kind.");
    expect(merge(both, both)).toMatchObject({ nodes: { agent: { config: { systemPrompt: "Be kind." } } } });
  });

  it("asks nothing about where a card lies", () => {
    expect(merge(move("agent", 1), move("agent", 2))).toMatchObject({ nodes: { agent: { position: { x: 1 } } } });
    expect(merge(move("agent", 1), move("model", 2))).toMatchObject({
      nodes: { agent: { position: { x: 1 } }, model: { position: { x: 2 } } },
    });
  });

  it.each<[string, Edit, Edit]>([
    ["the same field", set("agent", "systemPrompt", "Mine."), set("agent", "systemPrompt", "Theirs.")],
    ["the name", (document) => void (document.name = "Mine"), (document) => void (document.name = "Theirs")],
    ["a node that the other deleted", remove("agent"), set("agent", "systemPrompt", "Theirs.")],
    [
      "a wire to a node that the other deleted",
      remove("agent"),
      add("sum", "calculator-tool", "sum.tool -> agent.tools"),
    ],
    [
      "a port that has room for one",
      add("a", "buffer-memory", "a.memory -> agent.memory"),
      add("b", "buffer-memory", "b.memory -> agent.memory"),
    ],
    [
      "two nodes of one title",
      add("a", "calculator-tool"),
      (document) => (add("b", "if")(document), rename("b", "a")(document)),
    ],
    ["two nodes that expressions would call the same", add("c", "calculator-tool"), rename("model", "C!")],
    [
      "a name that the other's expression reads",
      rename("agent", "Helper"),
      set("note", "text", "{{nodes.agent.json}}"),
    ],
    ["a title that the other's template names", rename("agent", "Helper"), set("note", "text", "{{nodes.Agent.json}}")],
  ])("finds no common document for %s", (_, mine, theirs) => {
    expect(merge(mine, theirs)).toBeUndefined();
    expect(merge(theirs, mine)).toBeUndefined();
  });
});
