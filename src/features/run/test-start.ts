import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { ownInput, triggersOf } from "../../engine/document/triggers.ts";
import type { Json } from "../../engine/json.ts";

/** What "Test" does with a workflow: opens the chat, or runs at once with the trigger's own input. */
type TestStart = { kind: "chat" } | { kind: "run"; input: Json };

/** Decided by the trigger; a chat goes first where there are two. A workflow without one runs, and is told what it lacks. */
export function testStart(document: WorkflowDocument, registry: NodeRegistry): TestStart {
  if (triggersOf(document, registry, "message").length > 0) return { kind: "chat" };
  return { kind: "run", input: ownInput(document, registry) };
}
