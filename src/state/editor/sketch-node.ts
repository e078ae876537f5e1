import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry, NodeRole } from "../../engine/document/define-node.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";

/** A node as pictures draw it. */
interface PicturedNode {
  id: string;
  x: number;
  y: number;
  title: string;
  role: "agent" | "main" | "model" | "memory" | "tool" | "note" | "frame";
  /** Of a card. */
  icon?: string;
  /** Of what is no card. */
  size?: { width: number; height: number };
}

const roles: Record<NodeRole, PicturedNode["role"]> = {
  trigger: "main",
  agent: "agent",
  flow: "main",
  model: "model",
  memory: "memory",
  tool: "tool",
};

/** A node in a picture: a card with the icon and the colour that it has on the canvas, a note or a frame. */
export function sketchNode(registry: NodeRegistry, { id, type, title, position, config }: NodeRecord): PicturedNode {
  const definition = definitionOf(registry, type);
  const place = { id, x: position.x, y: position.y, title };
  const isCard = definition === undefined || Object.keys(definition.outputs).length > 0 || config["folded"] === true;
  if (isCard) {
    const role = definition ? roles[definition.role] : "main";
    return { ...place, role, icon: definition?.icon ?? "circle-question-mark" };
  }
  const { width, height } = config;
  const size = { width: typeof width === "number" ? width : 232, height: typeof height === "number" ? height : 120 };
  return { ...place, role: definition.drawnAs ?? "note", size };
}
