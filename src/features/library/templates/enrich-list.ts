import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

/** An agent that runs once per item of a list. */
export const enrichList: WorkflowTemplate = {
  id: "enrich-list",
  title: "Enrich a list",
  summary: "Runs an agent once per item of a list, several at a time, and collects the results in order.",
  category: "data",
  build: (id) =>
    buildWorkflow(
      id,
      "Enrich a list",
      {
        note: note(
          "**Enrich a list**\n\nClick Test. The list stands in the trigger; the agent runs once per item, three at the same time, and *Collect* gets all results in the order of the list. Put your own list into the trigger, or an HTTP request behind it.",
        ),
        start: {
          type: "manual-trigger",
          title: "Companies",
          at: [0, 0],
          config: {
            input: {
              companies: [
                { name: "Harbour Coffee", city: "Lisbon" },
                { name: "Northwind Bikes", city: "Oslo" },
                { name: "Lumen & Oak", city: "Berlin" },
              ],
            },
          },
        },
        each: {
          type: "for-each",
          title: "For each company",
          at: [368, 0],
          config: { items: "{{json.companies}}", concurrency: 3, onItemError: "continue" },
        },
        company: {
          type: "set-fields",
          title: "One company",
          at: [736, -48],
          config: { fields: { name: "{{json.name}}, {{json.city}}" } },
        },
        agent: {
          type: "ai-agent",
          title: "Describe",
          at: [1104, -48],
          config: {
            systemPrompt: "You write one line about a company for a directory. No more than 20 words.",
            userMessage: "Describe {{json.name}}.",
            maxIterations: 3,
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [1104, 176] },
        keep: {
          type: "set-fields",
          title: "Keep the line",
          at: [1472, -48],
          config: {
            keepInput: false,
            fields: { name: "{{one_company.name}}", line: "{{json.response}}" },
          },
        },
        collect: {
          type: "set-fields",
          title: "Collect",
          at: [736, 128],
          config: { keepInput: false, fields: { directory: "{{json}}", count: "{{size(json)}}" } },
        },
      },
      [
        ["start.main", "each.main"],
        ["each.main", "company.main"],
        ["company.main", "agent.main"],
        ["model.model", "agent.model"],
        ["agent.main", "keep.main"],
        ["each.done", "collect.main"],
      ],
    ),
};
