import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { askWithTools } from "./ask-with-tools.ts";
import { blank } from "./blank.ts";

/** A workflow to start from. */
export interface WorkflowTemplate {
  id: string;
  title: string;
  /** One sentence: what it does or is for. */
  summary: string;
  build(documentId: string): WorkflowDocument;
}

/** All templates, the one for newcomers first. */
export const templates: readonly WorkflowTemplate[] = [
  {
    id: "ask-with-tools",
    title: "Ask with tools",
    summary: "A chat agent with a memory, a calculator and web requests. Runs at once, without a key.",
    build: askWithTools,
  },
  { id: "blank", title: "Blank", summary: "An empty canvas. Start with a trigger and an agent.", build: blank },
];
