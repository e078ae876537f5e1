import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

const message = `Hello, this is Mara Lindqvist. My invoice of 2026-03-14 says 248.50 but I ordered for 198.50 only.
Please write to mara@harbour-coffee.example.`;

/** Text in, checked fields out. */
export const extractJson: WorkflowTemplate = {
  id: "extract-json",
  title: "Extract JSON",
  summary: "Turns an e-mail into fields that fit a JSON Schema, then takes one of two ways by what was found.",
  category: "data",
  build: (id) =>
    buildWorkflow(
      id,
      "Extract JSON",
      {
        note: note(
          "**Extract JSON**\n\nClick Test. The agent answers with JSON that is checked against the schema under *Output*, and gets one chance to repair it. The If node then decides by a field.\n\nPut your own text into the trigger. A real model finds more than the demo model's simple rules.",
        ),
        start: { type: "manual-trigger", title: "E-mail", at: [0, 0], config: { input: { text: message } } },
        agent: {
          type: "ai-agent",
          title: "Extract",
          at: [368, 0],
          config: {
            systemPrompt: "You read e-mails to a shop and extract what they say. Leave out nothing and add nothing.",
            userMessage: "{{json.text}}",
            outputFormat: "json",
            outputSchema: {
              type: "object",
              properties: {
                email: { type: "string", description: "Where to answer" },
                date: { type: "string", description: "The date of the invoice, as 2026-01-31" },
                amount: { type: "number", description: "The amount on the invoice" },
                topic: { type: "string", enum: ["invoice", "delivery", "other"] },
                summary: { type: "string", description: "What the customer wants, in one sentence" },
              },
              required: ["email", "date", "amount", "topic", "summary"],
              additionalProperties: false,
            },
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [368, 224] },
        large: {
          type: "if",
          title: "Above 100?",
          at: [736, 0],
          config: { condition: "{{json.response.amount > 100.0}}" },
        },
        check: {
          type: "set-fields",
          title: "For a person",
          at: [1104, -80],
          config: { keepInput: false, fields: { queue: "person", ticket: "{{json.response}}" } },
        },
        file: {
          type: "set-fields",
          title: "By itself",
          at: [1104, 80],
          config: { keepInput: false, fields: { queue: "automatic", ticket: "{{json.response}}" } },
        },
      },
      [
        ["start.main", "agent.main"],
        ["model.model", "agent.model"],
        ["agent.main", "large.main"],
        ["large.true", "check.main"],
        ["large.false", "file.main"],
      ],
    ),
};
