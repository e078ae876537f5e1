import { z } from "zod/mini";
import { conversationName } from "../../engine/memory/memory.ts";
import { field } from "../../engine/config/field.ts";
import type { ConfigFinding, NodeFamily } from "../../engine/document/define-node.ts";
import type { PrivacySettings } from "../../engine/document/workflow-document.ts";

export const memoryFamily: NodeFamily = {
  title: "Memory",
  summary: "Lets an agent remember a conversation.",
  icon: "history",
};

/** The settings that every memory node has. */
export const memoryFields = {
  sessionId: field(z._default(z.string().check(z.maxLength(1_000)), "{{json.sessionId}}"), {
    label: "Session",
    help: "Whose conversation it is: each value has one of its own. Empty: one for the whole workflow. Data that you insert has to be there on every run, so that people never share a conversation.",
    template: "text",
    identity: true,
  }),
  scope: field(z._default(z.enum(["workflow", "all"]), "workflow"), {
    label: "Scope",
    help: "Workflow: only this workflow sees the conversations. All: all your workflows share them.",
  }),
  clearOnRun: field(z._default(z.boolean(), false), {
    label: "Clear on every run",
    help: "Forgets the conversation at the start of each run.",
  }),
};

/** The session of a memory node: the resolved field, or the workflow's own (SPEC §3.4). Throws a RunError for a name that is taken. */
export function sessionOf(sessionId: string, workflowId: string, nodeId: string): string {
  return conversationName(sessionId.trim() || `${workflowId}:default`, nodeId);
}

/** What to say of a memory in a workflow that encrypts its conversations; `field` is the one to say it at. */
export function encryptionFinding(
  { privacy }: { privacy?: PrivacySettings | undefined },
  finding: ConfigFinding,
): ConfigFinding[] {
  return privacy?.encryptConversations ? [finding] : [];
}
