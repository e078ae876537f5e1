import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { addNode } from "../../state/commands/add-node.ts";
import { moveNodes } from "../../state/commands/move-nodes.ts";
import { toggleBypass, toggleDisabled } from "../../state/commands/node-commands.ts";
import { testEditor } from "../../state/commands/testing-editor.ts";
import { agentBadges } from "./agent-badges.ts";
import { cardLine } from "./card-line.ts";
import { createEdgeProjector, createNodeProjector } from "./project-document.ts";

describe("the document on the canvas", () => {
  it("gives a dragged node a new object and leaves the others as they were", () => {
    const { add, workflow } = testEditor();
    const [one, two] = [add({ type: "ai-agent" }), add({ type: "demo-model" })];
    const project = createNodeProjector(nodeRegistry);
    const before = project(workflow(), {}, null);
    const during = project(workflow(), {}, { [one]: { x: 5, y: 6 } });
    expect(during.find(({ id }) => id === one)).toMatchObject({ position: { x: 5, y: 6 }, dragging: true });
    expect(during.find(({ id }) => id === two)).toBe(before.find(({ id }) => id === two));
  });

  it("says of a node how it is off; one that nothing can pass by is disabled", () => {
    const { add, canvas, context, workflow } = testEditor();
    const [fields, tool] = [add({ type: "set-fields" }), add({ type: "calculator-tool" })];
    const labels = () => createNodeProjector(nodeRegistry)(workflow(), {}, null).map(({ ariaLabel }) => ariaLabel);
    canvas.getState().select([fields, tool]);
    toggleDisabled(context);
    expect(labels()).toEqual(["Set fields, Set fields, disabled", "Calculator, Calculator, disabled"]);
    toggleBypass(context);
    expect(labels()).toEqual(["Set fields, Set fields, bypassed", "Calculator, Calculator, disabled"]);
  });

  it("changes no edge when nodes only move", () => {
    const { add, context, workflow } = testEditor();
    const agent = add({ type: "ai-agent" });
    add({ type: "demo-model" });
    const project = createEdgeProjector(nodeRegistry);
    const before = project(workflow(), {}, null);
    moveNodes(context, { [agent]: { x: 400, y: 400 } });
    expect(project(workflow(), {}, null)[0]).toBe(before[0]);
  });

  it("knows every card's size and ports before anything is drawn", () => {
    const { context, workflow } = testEditor();
    for (const type of Object.keys(nodeRegistry)) addNode(context, { type });
    for (const node of createNodeProjector(nodeRegistry)(workflow(), {}, null)) {
      expect(node.measured?.height).toBeGreaterThan(40);
      const definition = nodeRegistry[workflow().nodes[node.id]?.type ?? ""];
      const ports = Object.keys(definition?.inputs ?? {}).length + Object.keys(definition?.outputs ?? {}).length;
      expect(node.handles).toHaveLength(ports);
      const places = (node.handles ?? []).map(({ x, y }) => `${x},${y}`);
      expect(new Set(places).size).toBe(ports);
    }
  });

  it("keeps a node of an unknown type and its edges visible, and leaves out an edge to a port that is gone", () => {
    const { add, document, workflow } = testEditor();
    const agent = add({ type: "ai-agent" });
    add({ type: "chat-trigger" });
    document.getState().commit("Import", (draft) => {
      draft.nodes["x"] = {
        id: "x",
        type: "future-node",
        version: 1,
        title: "New",
        position: { x: 0, y: 0 },
        config: {},
      };
      draft.edges["e1"] = { id: "e1", from: { node: "x", port: "main" }, to: { node: agent, port: "main" } };
      draft.edges["e2"] = { id: "e2", from: { node: agent, port: "gone" }, to: { node: "x", port: "main" } };
    });
    const edges = createEdgeProjector(nodeRegistry)(workflow(), {}, null);
    expect(edges.find(({ id }) => id === "e1")?.sourceHandle).toBe("any");
    expect(edges.some(({ id }) => id === "e2")).toBe(false);
    const unknown = workflow().nodes["x"];
    expect(unknown && cardLine(nodeRegistry, unknown)).toContain("future-node");
  });
});

describe("an agent's badges", () => {
  it("count its tools and name its memory", () => {
    const { add, canvas, workflow } = testEditor();
    const agent = add({ type: "ai-agent" });
    expect(agentBadges(workflow(), nodeRegistry, agent)).toBe("no tools · no memory");
    add({ type: "window-memory" });
    for (let count = 0; count < 3; count += 1) {
      canvas.getState().select([agent]);
      add({ type: "calculator-tool" });
    }
    expect(agentBadges(workflow(), nodeRegistry, agent)).toBe("3 tools · window");
  });
});
