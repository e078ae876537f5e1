import { holdsUntrusted, type Message } from "../../engine/model/message.ts";

/** The desk's tools that speak of the workflow and of nodes alone, not of what people and services said in runs. */
export const graphTools: ReadonlySet<string> = new Set([
  "read_workflow",
  "search_node_types",
  "read_node_type",
  "edit_workflow",
  "give_verdict",
]);

/**
 * Whether an earlier conversation holds what anybody may have written, as a run does. The memory marks all that came after any
 * of the desk's tools; that is no sign of a run where the tool spoke of the workflow.
 */
export function holdsRuns(messages: readonly Message[]): boolean {
  let isExplained = false;
  return messages.some((message) => {
    if (message.role === "tool" && graphTools.has(message.toolName)) {
      isExplained = true;
      return false;
    }
    return !(message.role === "assistant" && isExplained) && holdsUntrusted([message]);
  });
}
