import { chatTrigger } from "../../../nodes/triggers/chat-trigger.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

/**
 * The workflow that a template makes, whose chat offers the template's example as its first question. `collection` is the
 * id of the collection that the template's knowledge was put into.
 */
export function templateDocument(template: WorkflowTemplate, id: string, collection?: string): WorkflowDocument {
  const document = template.build(id, collection);
  const { example } = template;
  if (example === undefined) return document;
  const nodes = Object.entries(document.nodes).map(([nodeId, node]) => {
    const config = node.type === chatTrigger.type ? { questions: [example], ...node.config } : node.config;
    return [nodeId, { ...node, config }];
  });
  return { ...document, nodes: Object.fromEntries(nodes) };
}
