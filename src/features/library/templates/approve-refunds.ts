import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

const look = `const orders = {
  '1001': { order: '1001', customer: 'Mara', paid: 59.9, delivered: true },
  '1002': { order: '1002', customer: 'Ivo', paid: 240, delivered: false },
};
const found = orders[String(order)];
if (!found) throw new Error('There is no order ' + order + '. Known: 1001, 1002.');
return found;`;

const refund = `if (amount <= 0) throw new Error('The amount must be above 0.');
console.log('Refund of ' + amount + ' for order ' + order);
return { refunded: amount, order, receipt: 'R-' + order };`;

/** A tool call that waits until a person agrees. */
export const approveRefunds: WorkflowTemplate = {
  id: "approve-refunds",
  title: "Approval flow",
  summary: "The agent looks up orders by itself, but a refund waits until a person approves, edits or rejects it.",
  category: "agents",
  example: "Please issue_refund for order 1001",
  build: (id) =>
    buildWorkflow(
      id,
      "Approval flow",
      {
        note: note(
          "**Approval flow**\n\nTry: *Please issue_refund for order 1001*\n\nThe run stops at the refund: you see the tool and its arguments, may change them, and approve or reject with a reason that the agent reads. Orders and refunds are made up; replace the code by your own system.",
        ),
        chat: { type: "chat-trigger", title: "Chat message", at: [0, 0] },
        agent: {
          type: "ai-agent",
          title: "Support agent",
          at: [368, 0],
          config: {
            systemPrompt:
              "You help customers of a shop. Look an order up before you say anything about it. Refund only what was paid for a delivered order. If a refund is rejected, tell the customer the reason kindly.",
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [368, 224] },
        memory: { type: "window-memory", title: "Window memory", at: [0, 176] },
        lookup: {
          type: "code-tool",
          title: "Find an order",
          at: [640, 136],
          config: {
            toolName: "find_order",
            toolDescription: "Finds an order by its number.",
            parameters: {
              type: "object",
              properties: { order: { type: "integer", description: "The order number" } },
              required: ["order"],
              additionalProperties: false,
            },
            code: look,
          },
        },
        refund: {
          type: "code-tool",
          title: "Refund",
          at: [640, 232],
          config: {
            toolName: "issue_refund",
            toolDescription: "Pays money back for an order. A person agrees first.",
            approval: "ask",
            parameters: {
              type: "object",
              properties: {
                order: { type: "integer", description: "The order number" },
                amount: { type: "number", description: "The amount to pay back" },
              },
              required: ["order", "amount"],
              additionalProperties: false,
            },
            code: refund,
          },
        },
      },
      [
        ["chat.main", "agent.main"],
        ["model.model", "agent.model"],
        ["memory.memory", "agent.memory"],
        ["lookup.tool", "agent.tools"],
        ["refund.tool", "agent.tools"],
      ],
    ),
};
