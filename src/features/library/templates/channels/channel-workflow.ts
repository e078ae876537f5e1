import type { WorkflowDocument } from "../../../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../../../engine/json.ts";
import { buildWorkflow, type TemplateNode } from "../build-workflow.ts";
import { note } from "../note.ts";

/** What differs from channel to channel; the rest is the same: message in, agent with memory, reply out. */
interface Channel {
  name: string;
  /** Markdown: what to do at the service, step by step. */
  steps: string;
  /** A body as the service sends it, for test runs. */
  body: JsonObject;
  /** Whether a request is a message to be answered, as an expression. */
  isMessage: string;
  /** What is read of a message: `text`, `sessionId` (whose conversation it is) and what the reply needs. */
  message: JsonObject & { text: string; sessionId: string };
  /** How replies are written. */
  tone: string;
  /** Sends `json.response` back; what was read of the message is `message`. */
  reply: Pick<TemplateNode, "type" | "config">;
  /** Code that fails the run where the service took the request but not the reply. */
  check?: string;
}

/** A workflow that answers the messages of a service, whose requests come to its webhook. */
export function channelWorkflow(id: string, channel: Channel): WorkflowDocument {
  const { name, steps, body, isMessage, message, tone, reply, check } = channel;
  const sample = { method: "POST", headers: { "content-type": "application/json" }, query: {}, body };
  const nodes: Record<string, TemplateNode> = {
    note: note(`**${name}**\n\n${steps}`, { y: -376, width: 680, height: 320 }),
    hook: { type: "webhook-trigger", title: "Webhook", at: [0, 0], config: { sample } },
    filter: { type: "if", title: "Is it a message?", at: [272, 0], config: { condition: `{{${isMessage}}}` } },
    message: { type: "set-fields", title: "Message", at: [560, 0], config: { fields: message, keepInput: false } },
    agent: {
      type: "ai-agent",
      title: "Agent",
      at: [848, 0],
      config: { systemPrompt: `You answer messages of people. ${tone}`, userMessage: "{{json.text}}" },
    },
    model: { type: "demo-model", title: "Demo model", at: [808, 224] },
    memory: { type: "window-memory", title: "Memory", at: [560, 176] },
    reply: { ...reply, title: "Reply", at: [1216, 0] },
    ...(check !== undefined && {
      check: { type: "code", title: "Was it sent?", at: [1504, 0], config: { code: check } },
    }),
  };
  return buildWorkflow(id, name, nodes, [
    ["hook.main", "filter.main"],
    ["filter.true", "message.main"],
    ["message.main", "agent.main"],
    ["model.model", "agent.model"],
    ["memory.memory", "agent.memory"],
    ["agent.main", "reply.main"],
    ...(check === undefined ? [] : [["reply.main", "check.main"] as const]),
  ]);
}
