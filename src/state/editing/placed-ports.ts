import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { edgesOf } from "./edge-index.ts";
import { geometryWithServicesBelow, mayStandBelow, nodeGeometry, type PlacedPort } from "./node-geometry.ts";
import { geometryOf } from "./shown-ports.ts";

/** Canvas pixels that a wire from the right of a card needs to reach a service without turning back. */
const turn = 16;

/**
 * The ports of a card as they stand: its tools plug in at the right, or below like the model where all of them lie under the
 * card. The same list for as long as they stay.
 */
export function placedPorts(
  document: WorkflowDocument,
  registry: NodeRegistry,
  node: NodeRecord,
): readonly PlacedPort[] {
  const definition = definitionOf(registry, node.type);
  const usual = geometryOf(registry, node);
  const below = geometryWithServicesBelow(definition);
  if (nodeGeometry(definition) === below) return usual.ports;
  const movable = new Set(usual.ports.filter(mayStandBelow).map(({ name }) => name));
  const isBelow = (service: NodeRecord | undefined) =>
    service !== undefined &&
    service.position.x < node.position.x + usual.width + turn &&
    service.position.y >= node.position.y + usual.height;
  const services = edgesOf(document.edges, node.id).incoming.filter(({ to }) => movable.has(to.port));
  const allBelow = services.length > 0 && services.every(({ from }) => isBelow(document.nodes[from.node]));
  return allBelow ? below.ports : usual.ports;
}
