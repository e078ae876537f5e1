import { randomUUID } from "node:crypto";
import { newDocument } from "../../src/engine/document/new-document.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { JsonObject } from "../../src/engine/json.ts";

/** A chat agent with memory, notes and a calculator, whose model asks for `calls` tool calls before it answers. */
export function chatWorkflow(credential: string, calls: number): WorkflowDocument {
  const document = newDocument(randomUUID(), `${calls} calls`);
  const place = (id: string, type: string, x: number, y: number, config: JsonObject = {}) => {
    document.nodes[id] = { id, type, version: 1, title: id, position: { x, y }, config };
  };
  const connect = (from: string, to: string, port = "main", toPort = port) => {
    const id = `${from}-${to}`;
    document.edges[id] = { id, from: { node: from, port }, to: { node: to, port: toPort } };
  };
  place("chat", "chat-trigger", 0, 0);
  place("agent", "ai-agent", 300, 0, { maxIterations: 20, scratchpad: true });
  place("model", "openai-compatible-model", 200, 250, { credential, model: `calls-${calls}` });
  place("memory", "window-memory", 400, 250);
  place("calculator", "calculator-tool", 600, 250, { toolName: "calculator" });
  connect("chat", "agent");
  connect("model", "agent", "model");
  connect("memory", "agent", "memory");
  connect("calculator", "agent", "tool", "tools");
  return document;
}
