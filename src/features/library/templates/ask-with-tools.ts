import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { buildWorkflow } from "./build-workflow.ts";

/** The first agent: it answers chat messages, remembers the conversation, calculates and reads addresses. */
export function askWithTools(id: string): WorkflowDocument {
  return buildWorkflow(
    id,
    "Ask with tools",
    {
      chat: { type: "chat-trigger", title: "Chat message", at: [0, 0] },
      agent: {
        type: "ai-agent",
        title: "Agent",
        at: [368, 0],
        config: {
          systemPrompt:
            "You are a helpful assistant. Use the calculator for arithmetic and the HTTP tool to read an address. Say which tool you used.",
        },
      },
      model: { type: "demo-model", title: "Demo model", at: [368, 224] },
      memory: { type: "window-memory", title: "Window memory", at: [0, 176] },
      calculator: { type: "calculator-tool", title: "Calculator", at: [640, 136] },
      http: {
        type: "http-request-tool",
        title: "HTTP request",
        at: [640, 232],
        config: {
          toolName: "http_request",
          toolDescription: "Reads a web address and gives back its status and text.",
          method: "GET",
          url: '{{ai("url", "the address to read", "string")}}',
        },
      },
    },
    [
      ["chat.main", "agent.main"],
      ["model.model", "agent.model"],
      ["memory.memory", "agent.memory"],
      ["calculator.tool", "agent.tools"],
      ["http.tool", "agent.tools"],
    ],
  );
}
