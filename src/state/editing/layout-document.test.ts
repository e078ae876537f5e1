import { describe, expect, it } from "vitest";
import { definitionOf } from "../../engine/document/can-connect.ts";
import { autoLayout } from "../commands/auto-layout.ts";
import { testEditor } from "../commands/testing-editor.ts";
import { nodeGeometry } from "./node-geometry.ts";

describe("tidying up", () => {
  it("reads from left to right, keeps services around their agent, and covers nothing", async () => {
    const { add, canvas, context, document, workflow } = testEditor();
    const trigger = add({ type: "chat-trigger" });
    const agents = [add({ type: "ai-agent" }), add({ type: "ai-agent" })];
    for (const agent of agents) {
      for (const type of ["demo-model", "window-memory", "calculator-tool", "http-request-tool"]) {
        canvas.getState().select([agent]);
        add({ type });
      }
    }
    const before = document.getState().past.length;
    await autoLayout(context);
    expect(document.getState().past).toHaveLength(before + 1);
    const { nodes } = workflow();
    const at = (id: string | undefined) => nodes[id ?? ""]?.position ?? { x: Number.NaN, y: Number.NaN };
    expect(at(trigger).x).toBeLessThan(at(agents[0]).x);
    expect(at(agents[0]).x).toBeLessThan(at(agents[1]).x);
    expect(at(agents[0]).y).toBe(at(agents[1]).y);
    const boxes = Object.values(nodes).map(({ type, position }) => {
      const { width, height } = nodeGeometry(definitionOf(context.registry, type));
      return { ...position, width, height };
    });
    boxes.forEach((a, index) => {
      for (const b of boxes.slice(index + 1)) {
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(apart).toBe(true);
      }
    });
  });

  it("hangs the model under its port, memory below to the left, tools below to the right, and nothing under tools", async () => {
    const { add, canvas, context, workflow } = testEditor();
    const ids: Record<string, string | undefined> = { trigger: add({ type: "chat-trigger" }) };
    ids["agent"] = add({ type: "ai-agent" });
    for (const type of ["demo-model", "window-memory", "calculator-tool", "http-request-tool"]) {
      canvas.getState().select([ids["agent"] ?? ""]);
      ids[type] = add({ type });
    }
    canvas.getState().select([ids["agent"] ?? ""]);
    ids["next"] = add({ type: "set-fields" });
    canvas.getState().select([]);
    await autoLayout(context);
    const place = (name: string) => {
      const node = workflow().nodes[ids[name] ?? ""];
      const geometry = nodeGeometry(definitionOf(context.registry, node?.type ?? ""));
      const at = node?.position ?? { x: Number.NaN, y: Number.NaN };
      const portAt = (port: string) => at.x + (geometry.ports.find(({ name: own }) => own === port)?.x ?? Number.NaN);
      return { ...at, right: at.x + geometry.width, bottom: at.y + geometry.height, portAt };
    };
    const agent = place("agent");
    expect([place("trigger").y, place("next").y]).toEqual([agent.y, agent.y]);
    expect(place("demo-model").portAt("model")).toBe(agent.portAt("model"));
    expect(place("demo-model").y).toBeGreaterThan(agent.bottom);
    expect(place("window-memory").right).toBeLessThan(agent.x);
    expect(place("window-memory").y).toBeGreaterThan(agent.bottom);
    for (const tool of ["calculator-tool", "http-request-tool"]) {
      expect(place(tool).x).toBeGreaterThan(agent.right);
      expect(place(tool).y).toBeGreaterThan(agent.bottom);
      expect(place(tool).right).toBeLessThan(place("next").x);
    }
  });

  it("wraps a chain of 25 agents into rows, and leaves a short flow in one line", async () => {
    const { add, canvas, context, workflow } = testEditor();
    add({ type: "chat-trigger" });
    const agents: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      const id = add({ type: "ai-agent" }) ?? "";
      agents.push(id);
      add({ type: "demo-model" });
      canvas.getState().select([id]);
    }
    canvas.getState().select([]);
    await autoLayout(context);
    const places = agents.map((id) => workflow().nodes[id]?.position ?? { x: Number.NaN, y: Number.NaN });
    const rows = new Set(places.map(({ y }) => y));
    expect(rows.size).toBeGreaterThan(2);
    const width = Math.max(...places.map(({ x }) => x)) - Math.min(...places.map(({ x }) => x));
    const height = Math.max(...rows) - Math.min(...rows);
    expect(width / height).toBeLessThan(4);
    // In a row from left to right, the rows from top to bottom.
    for (const [index, at] of places.entries()) {
      const before = places[index - 1];
      if (before !== undefined) expect(at.y > before.y || (at.y === before.y && at.x > before.x)).toBe(true);
    }
    expect(Math.min(...[...rows].map((row) => places.filter(({ y }) => y === row).length))).toBeGreaterThan(1);
  });
});
