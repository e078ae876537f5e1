import { expect, it } from "vitest";
import { newNode } from "../../engine/document/new-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { nodeGeometry } from "./node-geometry.ts";
import { geometryOf, isLeftOut } from "./shown-ports.ts";

function switchWith(config: JsonObject) {
  const definition = nodeRegistry["switch"]!;
  const node = { ...newNode(definition, { id: "s", position: { x: 0, y: 0 } }), config };
  const { ports, height } = geometryOf(nodeRegistry, node);
  const outputs = ports.filter(({ direction }) => direction === "output");
  const shown = outputs.filter((placed) => !isLeftOut(nodeRegistry, node, placed));
  return { height, outputs, labels: shown.map(({ port }) => port.label), lowest: Math.max(...shown.map(({ y }) => y)) };
}

it("gives a switch an output for each of its cases, named after it, and one for everything else", () => {
  const { labels, height, lowest, outputs } = switchWith({ cases: ["refund", 7, ""] });
  expect(labels).toEqual(["refund", "7", "3", "Otherwise"]);
  expect(height).toBeLessThan(nodeGeometry(nodeRegistry["switch"]).height);
  expect(lowest).toBeLessThan(height);
  // Wires that lead to others keep their ends.
  expect(outputs).toHaveLength(7);
  expect(new Set(outputs.map(({ y }) => y)).size).toBe(7);
});

it("shows all outputs where the cases come from data", () => {
  expect(switchWith({ cases: "{{json.kinds}}" }).labels).toEqual(["1", "2", "3", "4", "5", "6", "Otherwise"]);
});
