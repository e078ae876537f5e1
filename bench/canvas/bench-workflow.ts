import { randomUUID } from "node:crypto";
import { newDocument } from "../../src/engine/document/new-document.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { JsonObject } from "../../src/engine/json.ts";

const step = { x: 320, y: 160 };

function placeAs(columns: number, document: WorkflowDocument, id: string, type: string, config: JsonObject = {}): void {
  const index = Object.keys(document.nodes).length;
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
  const place = placeAs.bind(null, 40, document);
  place("n0", "manual-trigger");
  let last = "n0";
  for (let index = 1; index < count; index += 1) {
    const id = `n${index}`;
    if (index % 10 === 9) {
      place(id, "demo-model");
      connect(document, id, `n${index - 1}`, "model");
      continue;
    }
    const agent = index % 10 === 8 && index + 1 < count;
    place(id, agent ? "ai-agent" : "set-fields");
    connect(document, last, id);
    last = id;
  }
  return document;
}

/** A run that streams many words on the card of the node `agent`, among others; few enough to be read in fit view. */
export function streamingWorkflow(count: number): WorkflowDocument {
  const document = newDocument(randomUUID(), "Streaming");
  const place = placeAs.bind(null, 5, document);
  place("start", "manual-trigger");
  place("agent", "ai-agent", { userMessage: "Say what you are, and quote this: one two three four five." });
  place("model", "demo-model", { wordDelayMs: 40 });
  connect(document, "start", "agent");
  connect(document, "model", "agent", "model");
  for (let index = 3; index < count; index += 1) place(`note${index}`, "sticky-note");
  return document;
}
