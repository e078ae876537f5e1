import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { Port, PortSide } from "../../engine/document/ports.ts";

/** Canvas pixels. Sizes follow from the node type alone, so that nothing has to be measured before it is drawn. */
export const cardWidth = 232;
export const headerHeight = 56;
/** Of an agent: its badges, and the ports of its memory and tools under them. */
const agentHeight = 40;
/** Of the labels above the ports at the lower edge. */
const labelsHeight = 24;
const noteHeight = 120;
/** From the top of a card to its first port, and from one port to the next. */
const firstPort = 28;
const portStep = 24;
const lastPortMargin = 16;
/** The first service beside an agent's card, under the badges. */
const firstService = 80;
/** Of ports at the upper or lower edge, by how many there are, so that no two labels touch. On half the grid. */
const acrossPlaces: readonly (readonly number[])[] = [[], [116], [116, 184], [80, 144, 208]];

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

/** What a card's services at the right plug into; it may stand below, beside the model. */
export const mayStandBelow = ({ direction, port }: Loose) =>
  direction === "input" && port.kind !== "main" && port.side === "right";

function heightOf(definition: AnyNodeDefinition, ports: readonly Loose[], lowest: number): number {
  if (ports.length === 0) return noteHeight;
  const body = definition.role === "agent" ? agentHeight : 0;
  const labels = onSide(ports, "bottom").length > 0 ? labelsHeight : 0;
  return Math.ceil(Math.max(headerHeight + body + labels, lowest + lastPortMargin) / grid) * grid;
}

function measure(definition: AnyNodeDefinition, servicesBelow: boolean): NodeGeometry {
  const ports = listPorts(definition).map((loose): Loose => {
    return servicesBelow && mayStandBelow(loose) ? { ...loose, port: { ...loose.port, side: "bottom" } } : loose;
  });
  const along = (side: "left" | "right"): PlacedPort[] => {
    let y = firstPort - portStep;
    return onSide(ports, side).map((port) => {
      y += portStep;
      if (definition.role === "agent" && port.port.kind !== "main") y = Math.max(y, firstService);
      return { ...port, x: side === "left" ? 0 : cardWidth, y };
    });
  };
  const beside = [...along("left"), ...along("right")];
  const height = heightOf(definition, ports, Math.max(firstPort, ...beside.map(({ y }) => y)));
  const across = (side: "top" | "bottom"): PlacedPort[] =>
    onSide(ports, side).map((port, index, all) => ({
      ...port,
      x: acrossPlaces[all.length]?.[index] ?? Math.round((cardWidth * (index + 1)) / (all.length + 1)),
      y: side === "top" ? 0 : height,
    }));
  return { width: cardWidth, height, ports: [...beside, ...across("top"), ...across("bottom")] };
}

interface Variants {
  usual: NodeGeometry;
  servicesBelow: NodeGeometry;
}

const known = new WeakMap<AnyNodeDefinition, Variants>();

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

function variantsOf(definition: AnyNodeDefinition): Variants {
  const found = known.get(definition);
  if (found !== undefined) return found;
  const usual = measure(definition, false);
  const movable = usual.ports.some(mayStandBelow);
  const variants = { usual, servicesBelow: movable ? measure(definition, true) : usual };
  known.set(definition, variants);
  return variants;
}

/** Size and port places of a node type; the same object every time. */
export function nodeGeometry(definition: AnyNodeDefinition | undefined): NodeGeometry {
  return definition === undefined ? unknownGeometry : variantsOf(definition).usual;
}

/** As `nodeGeometry`, with the ports of services at the right standing below; the same size. */
export function geometryWithServicesBelow(definition: AnyNodeDefinition | undefined): NodeGeometry {
  return definition === undefined ? unknownGeometry : variantsOf(definition).servicesBelow;
}
