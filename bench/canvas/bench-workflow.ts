import { randomUUID } from "node:crypto";
import { newDocument } from "../../src/engine/document/new-document.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { JsonObject } from "../../src/engine/json.ts";

export const columns = 40;
export const step = { x: 320, y: 160 };

function place(document: WorkflowDocument, id: string, type: string, index: number, config: JsonObject = {}): void {
  const position = { x: (index % columns) * step.x, y: Math.floor(index / columns) * step.y };
  document.nodes[id] = { id, type, version: 1, title: `Node ${index}`, position, config };
}

function connect(document: WorkflowDocument, from: string, to: string, port = "main"): void {
  const id = `${from}-${to}`;
  document.edges[id] = { id, from: { node: from, port }, to: { node: to, port } };
}

/** A grid of `count` nodes, each connected with the one before; agents with a model of their own in between. */
export function gridWorkflow(count: number): WorkflowDocument {
  const document = newDocument(randomUUID(), `${count} nodes`);
  place(document, "n0", "manual-trigger", 0);
  let last = "n0";
  for (let index = 1; index < count; index += 1) {
    const id = `n${index}`;
    if (index % 10 === 9) {
      place(document, id, "demo-model", index);
      connect(document, id, `n${index - 1}`, "model");
      continue;
    }
    const agent = index % 10 === 8 && index + 1 < count;
    place(document, id, agent ? "ai-agent" : "set-fields", index);
    connect(document, last, id);
    last = id;
  }
  return document;
}

/** A run that streams many words on the card of one agent, among `count` nodes that do nothing. */
export function streamingWorkflow(count: number): WorkflowDocument {
  const document = newDocument(randomUUID(), "Streaming");
  place(document, "start", "manual-trigger", 0);
  place(document, "agent", "ai-agent", 1, {
    userMessage: "Say what you are, and quote this: one two three four five.",
  });
  place(document, "model", "demo-model", columns + 1, { wordDelayMs: 40 });
  connect(document, "start", "agent");
  connect(document, "model", "agent", "model");
  for (let index = 2; index < count; index += 1) place(document, `note${index}`, "sticky-note", index + columns);
  return document;
}
