import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";

/** How the gallery groups templates, in its order. */
export const templateCategories = ["start", "agents", "tools", "knowledge", "data"] as const;
export type TemplateCategory = (typeof templateCategories)[number];

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
  build(documentId: string): WorkflowDocument;
}
