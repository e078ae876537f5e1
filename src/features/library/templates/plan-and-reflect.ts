import { buildWorkflow } from "./build-workflow.ts";
import { note } from "./note.ts";
import type { WorkflowTemplate } from "./workflow-template.ts";

/** An agent that writes a plan before it acts and reviews its own work on the way. */
export const planAndReflect: WorkflowTemplate = {
  id: "plan-and-reflect",
  title: "Planner with reflection",
  summary: "Writes a numbered plan first, works with tools, reviews what came back, and keeps notes.",
  category: "agents",
  example: "A trip costs 3 * 119 + 4 * 62.50. What is the total?",
  build: (id) =>
    buildWorkflow(
      id,
      "Planner with reflection",
      {
        note: note(
          "**Planner with reflection**\n\nTry: *A trip costs 3 \\* 119 + 4 \\* 62.50. What is the total?*\n\nOpen Run: the plan is its own step, and after each iteration the agent reviews what it has. How often it does so, and what it asks itself, stands under *Thinking*.",
        ),
        chat: { type: "chat-trigger", title: "Chat message", at: [0, 0] },
        agent: {
          type: "ai-agent",
          title: "Planner",
          at: [368, 0],
          config: {
            systemPrompt:
              "You solve tasks step by step. Follow your plan, use the tools for every calculation and every date, and correct yourself when a review finds a mistake. End with the result and how you got it.",
            planning: true,
            reflection: true,
            reflectionFrequency: 1,
            scratchpad: true,
            returnIntermediateSteps: true,
            maxIterations: 15,
          },
        },
        model: { type: "demo-model", title: "Demo model", at: [368, 224] },
        memory: { type: "window-memory", title: "Window memory", at: [0, 176] },
        calculator: { type: "calculator-tool", title: "Calculator", at: [640, 136] },
        days: {
          type: "code-tool",
          title: "Days between",
          at: [640, 232],
          config: {
            toolName: "days_between",
            toolDescription: "Counts the days from one date to another.",
            parameters: {
              type: "object",
              properties: {
                from: { type: "string", description: "The first day, as 2026-01-31" },
                to: { type: "string", description: "The last day, as 2026-01-31" },
              },
              required: ["from", "to"],
              additionalProperties: false,
            },
            code: "const days = (Date.parse(to) - Date.parse(from)) / 86400000;\nif (!Number.isFinite(days)) throw new Error('Give both dates as 2026-01-31.');\nreturn { days: Math.round(days) };",
          },
        },
      },
      [
        ["chat.main", "agent.main"],
        ["model.model", "agent.model"],
        ["memory.memory", "agent.memory"],
        ["calculator.tool", "agent.tools"],
        ["days.tool", "agent.tools"],
      ],
    ),
};
