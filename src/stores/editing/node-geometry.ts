import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { Port, PortSide } from "../../engine/document/ports.ts";

/** Canvas pixels. Sizes follow from the node type alone, so that nothing has to be measured before it is drawn. */
export const cardWidth = 232;
export const headerHeight = 56;
const badgesHeight = 28;
const noteHeight = 120;
/** From the top of a card to its first port, and from one port to the next. */
const firstPort = 28;
const portStep = 24;
const lastPortMargin = 20;

/** The canvas grid; positions snap to it. */
export const grid = 8;

export type PortDirection = "input" | "output";

/** A port as it stands on a card: the centre is measured from the card's upper left corner. */
export interface PlacedPort {
  name: string;
  direction: PortDirection;
  port: Port;
  x: number;
  y: number;
}

export interface NodeGeometry {
  width: number;
  height: number;
  ports: readonly PlacedPort[];
}

type Loose = Pick<PlacedPort, "name" | "direction" | "port">;

function listPorts(definition: AnyNodeDefinition): Loose[] {
  const inputs = Object.entries(definition.inputs).map(([name, port]) => ({ name, direction: "input" as const, port }));
  const outputs = Object.entries(definition.outputs).map(([name, port]) => ({
    name,
    direction: "output" as const,
    port,
  }));
  return [...inputs, ...outputs];
}

function onSide(ports: readonly Loose[], side: PortSide): Loose[] {
  const here = ports.filter(({ port }) => port.side === side);
  return here.toSorted((a, b) => Number(b.port.kind === "main") - Number(a.port.kind === "main"));
}

function measure(definition: AnyNodeDefinition): NodeGeometry {
  const ports = listPorts(definition);
  const tallest = Math.max(onSide(ports, "left").length, onSide(ports, "right").length);
  const room = firstPort + Math.max(0, tallest - 1) * portStep + lastPortMargin;
  const base = ports.length === 0 ? noteHeight : headerHeight + (definition.role === "agent" ? badgesHeight : 0);
  const height = Math.ceil(Math.max(base, room) / grid) * grid;
  const along = (side: "left" | "right") =>
    onSide(ports, side).map((port, index) => ({
      ...port,
      x: side === "left" ? 0 : cardWidth,
      y: firstPort + index * portStep,
    }));
  const across = (side: "top" | "bottom") =>
    onSide(ports, side).map((port, index, all) => ({
      ...port,
      // On half the grid, so that a wire between cards on the grid can be straight.
      x: Math.round((cardWidth * (index + 1)) / (all.length + 1) / (grid / 2)) * (grid / 2),
      y: side === "top" ? 0 : height,
    }));
  return {
    width: cardWidth,
    height,
    ports: [...along("left"), ...along("right"), ...across("top"), ...across("bottom")],
  };
}

const known = new WeakMap<AnyNodeDefinition, NodeGeometry>();

const unknownPort = (side: PortSide): Port => ({ kind: "main", label: "", min: 0, max: null, side });

/** What stands in for a node whose type this build does not know: one port a side, to which all its edges lead. */
const unknownGeometry: NodeGeometry = {
  width: cardWidth,
  height: headerHeight,
  ports: [
    { name: "", direction: "input", port: unknownPort("left"), x: 0, y: firstPort },
    { name: "", direction: "output", port: unknownPort("right"), x: cardWidth, y: firstPort },
  ],
};

/** Size and port places of a node type; the same object every time. */
export function nodeGeometry(definition: AnyNodeDefinition | undefined): NodeGeometry {
  if (definition === undefined) return unknownGeometry;
  const found = known.get(definition);
  if (found !== undefined) return found;
  const geometry = measure(definition);
  known.set(definition, geometry);
  return geometry;
}
