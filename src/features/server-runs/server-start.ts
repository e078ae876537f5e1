import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { ownInput, triggersOf } from "../../engine/document/triggers.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { isJsonObject, type Json, parseJson } from "../../engine/json.ts";

/** What is asked of the person who starts a published workflow. */
export type ServerStart = { kind: "message"; message: string } | { kind: "input"; input: Json };

/** A workflow with a chat asks for a message, any other for its input; `last` is the input of the run on show. */
export function serverStart(document: WorkflowDocument, registry: NodeRegistry, last: Json | undefined): ServerStart {
  const [chat] = triggersOf(document, registry, "message");
  if (chat !== undefined) {
    const said = isJsonObject(last) && typeof last.message === "string" ? last.message : undefined;
    const questions = Array.isArray(chat.config.questions) ? chat.config.questions : [];
    const example = typeof questions[0] === "string" ? questions[0] : "";
    return { kind: "message", message: said ?? example };
  }
  return { kind: "input", input: last ?? ownInput(document, registry) };
}

/** What was typed, as the input of a run; undefined where it cannot be one. */
export function typedInput(kind: ServerStart["kind"], text: string, sessionId: string): Json | undefined {
  if (kind === "message") return text.trim() === "" ? undefined : { message: text, sessionId };
  return parseJson(text);
}
