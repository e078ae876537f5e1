import { askWithTools } from "./ask-with-tools.ts";
import { blank } from "./blank.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

export type { WorkflowTemplate } from "./workflow-template.ts";

/** All templates in the order of the gallery, the one for newcomers first. */
export const templates: readonly WorkflowTemplate[] = [
  {
    id: "ask-with-tools",
    title: "Ask with tools",
    summary: "A chat agent with a memory, a calculator and web requests. Runs at once, without a key.",
    category: "start",
    build: askWithTools,
  },
  {
    id: "blank",
    title: "Blank",
    summary: "An empty canvas. Start with a trigger and an agent.",
    category: "start",
    build: blank,
  },
];
