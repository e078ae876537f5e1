import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

/** A conversation that outgrows any window, kept as a summary. */
export const longConversation: WorkflowTemplate = {
  id: "long-conversation",
  title: "Long conversation",
  summary: "Keeps the last messages word for word and a running summary of everything before them.",
  category: "start",
  example: "My name is Robin and I am planning a garden.",
  build: (id) =>
    buildWorkflow(
      id,
      "Long conversation",
      {
        note: note(
          "**Long conversation**\n\nTry: *My name is Robin and I am planning a garden.* Then write a few more messages.\n\nThe last four messages stay word for word; what is older goes into a summary that the model writes. See both under *Memory*.",
        ),
        chat: { type: "chat-trigger", title: "Chat message", at: [0, 0] },
        agent: {
          type: "ai-agent",
          title: "Companion",
          at: [368, 0],
          config: {
            systemPrompt:
              "You are an attentive companion for long projects. Use what you know from earlier, and ask one question at a time.",
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [368, 224] },
        memory: { type: "summary-memory", title: "Summary memory", at: [0, 176], config: { maxMessages: 4 } },
      },
      [
        ["chat.main", "agent.main"],
        ["model.model", "agent.model"],
        ["memory.memory", "agent.memory"],
      ],
    ),
};
