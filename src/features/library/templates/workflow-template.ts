import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";

/** How the gallery groups templates, in its order. */
export const templateCategories = ["start", "agents", "tools", "knowledge", "data", "channels"] as const;
export type TemplateCategory = (typeof templateCategories)[number];

/** Example documents that a template's agent searches; they are put into a collection when the template is used. */
export interface TemplateKnowledge {
  /** The collection's name; one of this name that has documents is used as it is. */
  name: string;
  description: string;
  /** Markdown. */
  documents: readonly { name: string; text: string }[];
}

/** A workflow to start from. One file each; the registry lists them. */
export interface WorkflowTemplate {
  id: string;
  title: string;
  /** One sentence: what it does or is for. */
  summary: string;
  category: TemplateCategory;
  /** What has to be given before it runs, such as "The address of an MCP server"; nothing when absent. */
  needs?: readonly string[];
  /** A first message for its chat. Absent where a run starts without one. */
  example?: string;
  knowledge?: TemplateKnowledge;
  /** `collection` is the id of the collection that `knowledge` was put into. */
  build(documentId: string, collection?: string): WorkflowDocument;
}
