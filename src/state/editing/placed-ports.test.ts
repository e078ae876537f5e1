import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { testEditor } from "../commands/testing-editor.ts";
import { placedPorts } from "./placed-ports.ts";

describe("the ports of an agent", () => {
  it("has its tools at the right, and below where all of them lie under the card", () => {
    const { add, document, workflow } = testEditor();
    const agent = add({ type: "ai-agent", position: { x: 0, y: 0 } });
    const tool = add({ type: "calculator-tool", position: { x: 400, y: 200 } });
    document.getState().commit("Connect", (draft) => {
      draft.edges["e"] = { id: "e", from: { node: tool, port: "tool" }, to: { node: agent, port: "tools" } };
    });
    const move = (x: number, y: number) =>
      document.getState().commit("Move", (draft) => {
        const node = draft.nodes[tool];
        if (node) node.position = { x, y };
      });
    const ports = () => {
      const node = workflow().nodes[agent];
      return node === undefined ? [] : placedPorts(workflow(), nodeRegistry, node);
    };
    const sideOfTools = () => ports().find(({ name }) => name === "tools")?.port.side;
    expect(sideOfTools()).toBe("right");
    const before = ports();
    move(0, 200);
    expect(sideOfTools()).toBe("bottom");
    move(0, -200);
    expect(sideOfTools()).toBe("right");
    move(400, 200);
    expect(ports()).toBe(before);
  });
});
