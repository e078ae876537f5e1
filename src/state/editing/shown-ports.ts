import { definitionOf } from "../../engine/document/can-connect.ts";
import type { AnyNodeDefinition, NodeRegistry } from "../../engine/document/define-node.ts";
import type { Ports } from "../../engine/document/ports.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { nodeGeometry, type NodeGeometry, type PlacedPort } from "./node-geometry.ts";

/** Of one type, by what its nodes show. */
const known = new WeakMap<AnyNodeDefinition, Map<string, NodeGeometry>>();

type Shown = Readonly<Record<string, string>>;

function shownBy(definition: AnyNodeDefinition | undefined, node: NodeRecord): Shown | undefined {
  return definition?.shownOutputs?.(node.config);
}

function labelled(outputs: Ports, shown: Shown): Ports {
  const own = Object.entries(shown).flatMap(([name, label]) => {
    const port = outputs[name];
    return port === undefined ? [] : [[name, { ...port, label }] as const];
  });
  return Object.fromEntries(own);
}

/** The card is as high as the outputs that it shows; the others come after them, for wires that still lead there. */
function measure(definition: AnyNodeDefinition, shown: Shown): NodeGeometry {
  const outputs = labelled(definition.outputs, shown);
  const { width, height } = nodeGeometry({ ...definition, outputs });
  const rest = Object.entries(definition.outputs).filter(([name]) => !Object.hasOwn(shown, name));
  const { ports } = nodeGeometry({ ...definition, outputs: { ...outputs, ...Object.fromEntries(rest) } });
  return { width, height, ports };
}

/** Size and port places of a node; as of its type, but where its settings say which outputs it has. */
export function geometryOf(registry: NodeRegistry, node: NodeRecord): NodeGeometry {
  const definition = definitionOf(registry, node.type);
  const shown = shownBy(definition, node);
  if (definition === undefined || shown === undefined) return nodeGeometry(definition);
  const geometries = known.get(definition) ?? new Map<string, NodeGeometry>();
  known.set(definition, geometries);
  const key = JSON.stringify(shown);
  const geometry = geometries.get(key) ?? measure(definition, shown);
  geometries.set(key, geometry);
  return geometry;
}

/** Whether a node's settings leave out an output that its type has. A wire may still lead there. */
export function isLeftOut(registry: NodeRegistry, node: NodeRecord, { direction, name }: PlacedPort): boolean {
  const shown = direction === "output" ? shownBy(definitionOf(registry, node.type), node) : undefined;
  return shown !== undefined && !Object.hasOwn(shown, name);
}
