import { describe, expect, it } from "vitest";
import { layoutWorkflow } from "./layout-workflow.ts";
import { inReadingOrder, neighbourOf } from "./neighbour.ts";
import { draggedType, namedDragType, nodeDragType } from "./node-drag.ts";
import { guideLines, snapToGuides } from "./snap-guides.ts";
import { nodeBox } from "./node-box.ts";
import { groupMembers } from "./group-members.ts";
import { groupSelection } from "../commands/group-nodes.ts";
import { testEditor } from "../commands/testing-editor.ts";
import { openConnectionsOf } from "./open-connections.ts";

const box = (id: string, x: number, y: number) => ({ id, x, y, width: 200, height: 60 });

describe("going from card to card", () => {
  const cards = [box("left", 0, 0), box("middle", 300, 20), box("below", 300, 300), box("right", 600, 0)];

  it("leads to the nearest card that way, straight ahead first", () => {
    const from = cards[1] ?? box("", 0, 0);
    const others = cards.filter((card) => card !== from);
    expect(neighbourOf(from, others, "left")?.id).toBe("left");
    expect(neighbourOf(from, others, "right")?.id).toBe("right");
    expect(neighbourOf(from, others, "down")?.id).toBe("below");
    expect(neighbourOf(cards[0] ?? from, cards, "left")).toBeUndefined();
  });

  it("reads columns from the left, each from its top", () => {
    expect(inReadingOrder(cards.toReversed()).map(({ id }) => id)).toEqual(["left", "middle", "below", "right"]);
  });
});

describe("guides", () => {
  const lines = guideLines([box("a", 100, 100)]);

  it("bring a card level with another one within reach, and show the line between both", () => {
    const { by, guides } = snapToGuides({ x: 103, y: 400, width: 200, height: 60 }, lines, 5);
    expect(by).toEqual({ x: -3, y: 0 });
    expect(guides).toEqual({ x: { at: 100, from: 100, to: 460 } });
  });

  it("leave a card alone that is not near any line", () => {
    expect(snapToGuides({ x: 500, y: 500, width: 90, height: 90 }, lines, 5)).toEqual({
      by: { x: 0, y: 0 },
      guides: null,
    });
  });
});

describe("dragging from the palette", () => {
  it("tells the node type by name while no data may be read", () => {
    expect(draggedType([nodeDragType, namedDragType("set-fields")])).toBe("set-fields");
    expect(draggedType(["Files", "text/plain"])).toBeUndefined();
  });
});

describe("tidying up with notes and groups", () => {
  it("keeps notes at their card and closes frames around their nodes", async () => {
    const { add, canvas, context, workflow } = testEditor();
    const trigger = add({ type: "chat-trigger", position: { x: 0, y: 900 } });
    const agent = add({ type: "ai-agent", position: { x: 900, y: 0 } });
    context.document.getState().commit("Connect", (document) => {
      document.edges["e"] = { id: "e", from: { node: trigger, port: "main" }, to: { node: agent, port: "main" } };
    });
    const note = add({ type: "sticky-note", position: { x: 0, y: 1_000 } });
    canvas.getState().select([agent]);
    const group = groupSelection(context) ?? "";
    const { positions, sizes } = await layoutWorkflow(workflow(), context.registry);
    const before = workflow().nodes;
    const went = (id: string) => ({
      x: (positions[id]?.x ?? 0) - (before[id]?.position.x ?? 0),
      y: (positions[id]?.y ?? 0) - (before[id]?.position.y ?? 0),
    });
    expect(went(note)).toEqual(went(trigger));
    context.document.getState().commit("Tidy up", (document) => {
      for (const [id, position] of Object.entries(positions)) Object.assign(document.nodes[id] ?? {}, { position });
      for (const [id, size] of Object.entries(sizes)) Object.assign(document.nodes[id]?.config ?? {}, size);
    });
    const frame = workflow().nodes[group];
    expect(frame && groupMembers(workflow().nodes, context.registry, frame)).toEqual([agent]);
    const outside = workflow().nodes[trigger];
    const [a, b] = [frame, outside].map((node) => node && nodeBox(context.registry, node));
    expect(a && b && a.x).toBeGreaterThan(b ? b.x + b.width - 30 : 0);
  });

  it("lays out some nodes and leaves the others where they are", async () => {
    const { add, context, workflow } = testEditor();
    const ids = [
      add({ type: "set-fields", position: { x: 40, y: 80 } }),
      add({ type: "if", position: { x: 48, y: 88 } }),
    ];
    add({ type: "merge", position: { x: 900, y: 900 } });
    const { positions } = await layoutWorkflow(workflow(), context.registry, ids);
    expect(Object.keys(positions).toSorted()).toEqual(ids.toSorted());
  });
});

describe("what a port may be connected to", () => {
  it("lists only what the rule allows", () => {
    const { add, workflow, context } = testEditor();
    const agent = add({ type: "ai-agent", position: { x: 0, y: 0 } });
    const tool = add({ type: "calculator-tool", position: { x: 500, y: 0 } });
    add({ type: "window-memory", position: { x: 500, y: 300 } });
    const found = openConnectionsOf(workflow(), context.registry, agent, { name: "tools", direction: "input" });
    expect(found.map(({ other }) => other.id)).toEqual([tool]);
  });
});
