import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

/** One question, one of two agents. */
export const routeQuestions: WorkflowTemplate = {
  id: "route-questions",
  title: "Route questions",
  summary: "Sends a message to the agent that fits it, and joins the ways again into one answer.",
  category: "agents",
  example: "How much is an invoice of 3 * 89?",
  build: (id) =>
    buildWorkflow(
      id,
      "Route questions",
      {
        note: note(
          "**Route questions**\n\nTry: *How much is an invoice of 3 \\* 89?* and then *Hello there*.\n\nThe If node looks for words about money. The two agents have a model each, so that a small one can do the easy part.",
        ),
        chat: { type: "chat-trigger", title: "Chat message", at: [0, 0] },
        money: {
          type: "if",
          title: "About money?",
          at: [320, 0],
          config: { condition: '{{json.message.matches("(?i)(invoice|price|pay|refund|cost)")}}' },
        },
        billing: {
          type: "ai-agent",
          title: "Billing",
          at: [704, -128],
          config: { systemPrompt: "You answer questions about invoices and prices. Calculate with the calculator." },
        },
        billingModel: { type: "demo-model", title: "Model of billing", at: [704, 64] },
        calculator: { type: "calculator-tool", title: "Calculator", at: [976, 8] },
        general: {
          type: "ai-agent",
          title: "General",
          at: [704, 192],
          config: { systemPrompt: "You answer all questions that are not about money, briefly and kindly." },
        },
        generalModel: { type: "demo-model", title: "Model of general", at: [704, 384] },
        join: { type: "merge", title: "Answer", at: [1448, 32], config: { mode: "first" } },
      },
      [
        ["chat.main", "money.main"],
        ["money.true", "billing.main"],
        ["money.false", "general.main"],
        ["billingModel.model", "billing.model"],
        ["calculator.tool", "billing.tools"],
        ["generalModel.model", "general.model"],
        ["billing.main", "join.main"],
        ["general.main", "join.main"],
      ],
    ),
};
