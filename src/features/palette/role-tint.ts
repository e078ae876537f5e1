import type { NodeRole } from "../../engine/document/define-node.ts";

/** The tint of an icon chip by role. */
export const roleTint: Record<NodeRole, string> = {
  trigger: "bg-role-main-soft text-role-main",
  agent: "bg-accent-soft text-accent",
  model: "bg-role-model-soft text-role-model",
  memory: "bg-role-memory-soft text-role-memory",
  tool: "bg-role-tool-soft text-role-tool",
  flow: "bg-role-main-soft text-role-main",
};
