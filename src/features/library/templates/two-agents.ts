import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

/** An agent that has another one as a tool. */
export const twoAgents: WorkflowTemplate = {
  id: "two-agents",
  title: "Two agents",
  summary: "A lead agent hands calculations to a specialist that has the tools, and answers with what comes back.",
  category: "agents",
  example: "Ask the accountant: what is 19% of 2480?",
  build: (id) =>
    buildWorkflow(
      id,
      "Two agents",
      {
        note: note(
          "**Two agents**\n\nTry: *Ask the accountant: what is 19% of 2480?*\n\nThe lead has one tool: the accountant, another agent with its own model, prompt and calculator. Steps shows the accountant's calls inside the lead's.",
        ),
        chat: { type: "chat-trigger", title: "Chat message", at: [0, 0] },
        lead: {
          type: "ai-agent",
          title: "Lead",
          at: [368, 0],
          config: {
            systemPrompt:
              "You talk to the customer. Hand everything that has to do with amounts to the accountant, as one complete question, and give the result back in a friendly sentence.",
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [368, 240] },
        memory: { type: "window-memory", title: "Window memory", at: [0, 176] },
        accountant: {
          type: "ai-agent",
          title: "Accountant",
          at: [640, 136],
          config: {
            systemPrompt:
              "You are an accountant. Calculate with the calculator, never in your head. Answer with the amount.",
            toolName: "accountant",
            toolDescription: "An accountant who calculates amounts, taxes and discounts. Give one complete question.",
            maxIterations: 5,
          },
        },
        second: { type: "demo-model", title: "Demo model of the accountant", at: [640, 360] },
        calculator: { type: "calculator-tool", title: "Calculator", at: [912, 272] },
      },
      [
        ["chat.main", "lead.main"],
        ["model.model", "lead.model"],
        ["memory.memory", "lead.memory"],
        ["accountant.tool", "lead.tools"],
        ["second.model", "accountant.model"],
        ["calculator.tool", "accountant.tools"],
      ],
    ),
};
