import { z } from "zod/mini";
import { agentSettings, scratchpadTools } from "../../engine/agent/agent-settings.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { many, maybe, one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { agentType } from "./agent-type.ts";
import { toolNameOf } from "../tools/tool-fields.ts";

const toolName = "ask_agent";
const section = "As a tool of another agent";

const config = z.object({
  ...agentSettings.shape,
  toolName: field(
    z._default(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1–64 letters, digits, _ or -.")), toolName),
    { label: "Tool name", help: "The name by which another agent calls this one.", section },
  ),
  toolDescription: field(
    z._default(z.string().check(z.maxLength(4_000)), "Asks a helper agent. Give it one complete question or task."),
    {
      label: "Tool description",
      help: "Tells another agent what this one is good for.",
      control: "textarea",
      section,
    },
  ),
});

const inputs = {
  main: maybe("main", { label: "Input", side: "left" }),
  model: one("model", { label: "Model", side: "bottom" }),
  fallback: many("model", { label: "Fallback models", side: "bottom" }),
  memory: maybe("memory", { label: "Memory", side: "left" }),
  tools: many("tool", { label: "Tools", side: "right" }),
};

export const aiAgent = defineNode({
  type: agentType,
  version: 1,
  role: "agent",
  title: "AI agent",
  summary: "Answers with a model, which may call tools and remember the conversation.",
  icon: "bot",
  config,
  inputs,
  outputs: { main: out("main", { label: "Output" }), tool: out("tool", { label: "As a tool", side: "left" }) },
  reach: nowhere,
  toolName: toolNameOf(toolName),
  ownTools: ({ scratchpad }) => (scratchpad === true ? Object.values(scratchpadTools) : []),
  outputKeys(raw) {
    return [
      "response",
      "metadata",
      ...(raw["outputFormat"] === "full" ? ["toolCalls", "plan", "reflections"] : []),
      ...(raw["returnIntermediateSteps"] === true ? ["steps"] : []),
      ...(raw["onError"] === "continue" ? ["error"] : []),
    ];
  },
  describe(raw) {
    const prompt = raw["systemPrompt"];
    return typeof prompt === "string" ? (prompt.trim().split("\n")[0] ?? "") : "";
  },
  load: () => import("./ai-agent.run.ts"),
});
