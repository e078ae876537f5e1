import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { triggerInput } from "../../engine/publish/trigger-input.ts";
import type { Json } from "../../engine/json.ts";

/** What "Test" does with a workflow: opens the chat, or runs at once with the trigger's own input. */
type TestStart = { kind: "chat" } | { kind: "run"; input: Json };

/** Decided by the trigger; a chat goes first where there are two. A workflow without one runs, and is told what it lacks. */
export function testStart(document: WorkflowDocument): TestStart {
  const nodes = Object.values(document.nodes).filter((node) => node.disabled !== true);
  if (nodes.some((node) => node.type === "chat-trigger")) return { kind: "chat" };
  return { kind: "run", input: triggerInput(nodes) };
}
