import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import { supportDocuments } from "./support-documents.ts";
import type { TemplateKnowledge, WorkflowTemplate } from "./workflow-template.ts";

const knowledge: TemplateKnowledge = {
  name: "Lamp shop",
  description: "Example documents: what a shop for lamps tells its customers.",
  documents: supportDocuments,
};

export const supportWithKnowledge: WorkflowTemplate = {
  id: "support-with-knowledge",
  title: "Support bot with knowledge",
  summary: "Answers customers from a handbook and shows its sources. Brings an example handbook along.",
  category: "knowledge",
  example: "How many days do I have to return a lamp?",
  knowledge,
  build: (id, collection = "") =>
    buildWorkflow(
      id,
      "Support bot with knowledge",
      {
        note: note(
          "**Support bot with knowledge**\n\nTry: *How many days do I have to return a lamp?* The sources stand under the answer; click one to read it. The handbook is an example: on the Knowledge page, put your own documents in.",
        ),
        chat: { type: "chat-trigger", title: "Chat message", at: [0, 0] },
        agent: {
          type: "ai-agent",
          title: "Support agent",
          at: [368, 0],
          config: {
            systemPrompt:
              "You answer customers of a shop for lamps. Search the knowledge base for every question about orders, delivery, returns or lamps. Answer only from the passages that you find and name their document; when they do not answer the question, say so and offer to pass it on.",
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [368, 224] },
        memory: { type: "window-memory", title: "Window memory", at: [0, 176] },
        handbook: {
          type: "knowledge-base-tool",
          title: "Handbook",
          at: [640, 136],
          config: { collection, collectionName: knowledge.name },
        },
      },
      [
        ["chat.main", "agent.main"],
        ["model.model", "agent.model"],
        ["memory.memory", "agent.memory"],
        ["handbook.tool", "agent.tools"],
      ],
    ),
};
