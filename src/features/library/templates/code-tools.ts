import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

const textFacts = `const words = text.trim().split(/\\s+/).filter(Boolean);
const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
console.log('Counted ' + words.length + ' words');
return { characters: text.length, words: words.length, longest };`;

/** Tools that are a few lines of JavaScript. */
export const codeTools: WorkflowTemplate = {
  id: "code-tools",
  title: "Tools in code",
  summary: "Two tools written in a few lines of JavaScript, run in a sandbox without network.",
  category: "tools",
  example: 'Use text_facts on "Switchyard wires agents, models, memories and tools"',
  build: (id) =>
    buildWorkflow(
      id,
      "Tools in code",
      {
        note: note(
          '**Tools in code**\n\nTry: *Use text_facts on "Switchyard wires agents, models, memories and tools"*\n\nEach tool is a function body; its arguments are what the model fills in. Change the code and use *Try it* in the settings before you let the agent call it.',
        ),
        chat: { type: "chat-trigger", title: "Chat message", at: [0, 0] },
        agent: {
          type: "ai-agent",
          title: "Agent",
          at: [368, 0],
          config: {
            systemPrompt: "You are a helpful assistant. Never count or convert by yourself: use the tools.",
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [368, 224] },
        memory: { type: "buffer-memory", title: "Buffer memory", at: [0, 176] },
        facts: {
          type: "code-tool",
          title: "Text facts",
          at: [640, 136],
          config: {
            toolName: "text_facts",
            toolDescription: "Counts the characters and words of a text and finds its longest word.",
            parameters: {
              type: "object",
              properties: { text: { type: "string", description: "The text to look at" } },
              required: ["text"],
              additionalProperties: false,
            },
            code: textFacts,
          },
        },
        temperature: {
          type: "code-tool",
          title: "To Fahrenheit",
          at: [640, 232],
          config: {
            toolName: "to_fahrenheit",
            toolDescription: "Converts degrees Celsius to degrees Fahrenheit.",
            parameters: {
              type: "object",
              properties: { celsius: { type: "number", description: "Degrees Celsius" } },
              required: ["celsius"],
              additionalProperties: false,
            },
            code: "return { fahrenheit: Math.round((celsius * 9 / 5 + 32) * 10) / 10 };",
          },
        },
      },
      [
        ["chat.main", "agent.main"],
        ["model.model", "agent.model"],
        ["memory.memory", "agent.memory"],
        ["facts.tool", "agent.tools"],
        ["temperature.tool", "agent.tools"],
      ],
    ),
};
