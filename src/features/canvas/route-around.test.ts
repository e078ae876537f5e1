import { describe, expect, it } from "vitest";
import { gridWorkflow } from "../../../bench/canvas/bench-workflow.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { nodeBox } from "../../state/editing/node-box.ts";
import { createEdgeProjector, createNodeProjector } from "./project-document.ts";
import { crosses, middleOfRoute, roundedPath, routeAround } from "./route-around.ts";
import { createEdgeRouter } from "./route-edges.ts";

const from = { x: 0, y: 0, side: "right" as const };
const to = { x: 600, y: 0, side: "left" as const };
const between = { x: 200, y: -40, width: 200, height: 80 };

describe("a way round cards", () => {
  it("goes past what stands between, leaves its ports straight, and is level or upright", () => {
    const route = routeAround(from, to, [between]) ?? [];
    expect(crosses(route, between)).toBe(false);
    expect(route.at(0)).toEqual({ x: 0, y: 0 });
    expect(route.at(-1)).toEqual({ x: 600, y: 0 });
    expect(route[1]?.y).toBe(0);
    expect(route.at(-2)?.y).toBe(0);
    for (const [index, point] of route.entries()) {
      const next = route[index + 1];
      if (next) expect(next.x === point.x || next.y === point.y).toBe(true);
    }
  });

  it("goes back round its own cards", () => {
    const own = { x: -232, y: -28, width: 232, height: 120 };
    const behind = { x: -232, y: 200, width: 232, height: 56 };
    const route = routeAround(from, { x: -232, y: 228, side: "left" }, [own, behind]) ?? [];
    expect(route.length).toBeGreaterThan(2);
    expect(crosses(route, own)).toBe(false);
    expect(crosses(route, behind)).toBe(false);
  });

  it("is none where a port is shut in", () => {
    expect(routeAround(from, to, [{ x: -100, y: -100, width: 200, height: 200 }])).toBeNull();
  });

  it("is drawn with round corners from end to end, and has its middle on itself", () => {
    const route = [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 100, y: 300 },
    ];
    expect(roundedPath(route)).toBe("M0,0L90,0Q100,0 100,10L100,300");
    expect(middleOfRoute(route)).toEqual({ x: 100, y: 100, degrees: 90 });
  });
});

describe("the wires of a graph", () => {
  const projected = (workflow: ReturnType<typeof gridWorkflow>) => ({
    nodes: createNodeProjector(nodeRegistry)(workflow, {}, null),
    edges: createEdgeProjector(nodeRegistry)(workflow, {}, null),
  });

  it("stay as they are, and only those are worked out anew that a moved card is near", () => {
    const workflow = gridWorkflow(300);
    const { nodes, edges } = projected(workflow);
    const route = createEdgeRouter();
    const before = route(nodes, edges);
    expect(before.some(({ data }) => data?.route)).toBe(true);
    expect(route([...nodes], edges)).toEqual(before);
    expect(route([...nodes], edges).every((edge, index) => edge === before[index])).toBe(true);

    const moved = nodes.map((node) => (node.id === "n299" ? { ...node, position: { x: 5_000, y: 5_000 } } : node));
    const after = route(moved, edges);
    const changed = after.flatMap((edge, index) => (edge === before[index] ? [] : [edge.id]));
    expect(changed.length).toBeLessThan(5);
    expect(route(null, edges)).toEqual(after);
  });

  it("run under no card where there is a way", () => {
    const workflow = gridWorkflow(120);
    const { nodes, edges } = projected(workflow);
    const boxes = Object.values(workflow.nodes).map((node) => nodeBox(nodeRegistry, node));
    for (const { data } of createEdgeRouter()(nodes, edges)) {
      for (const box of boxes) expect(crosses(data?.route ?? [], box)).toBe(false);
    }
  });
});
