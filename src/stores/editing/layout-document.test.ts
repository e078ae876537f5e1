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
});
