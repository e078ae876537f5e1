import { z } from "zod";
import type { AgentRun } from "../../engine/agent/agent-run.ts";
import { attachedImages } from "../../engine/agent/attached-images.ts";
import { scratchpadTools } from "../../engine/agent/scratchpad.ts";
import { agentSettings } from "../../engine/agent/settings.ts";
import type { Tool } from "../../engine/agent/tool.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode, type InputsOf, type RunContext } from "../../engine/document/define-node.ts";
import { maxAgentDepth } from "../../engine/document/can-connect.ts";
import { many, maybe, one, out } from "../../engine/document/ports.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { RunError } from "../../engine/run/errors.ts";
import { memoryMask } from "../../engine/run/privacy/memory-mask.ts";
import type { RunEventBody } from "../../engine/run/events.ts";
import { toolNameOf } from "../tools/tool-fields.ts";

const toolName = "ask_agent";
const section = "As a tool of another agent";

const config = z.object({
  ...agentSettings.shape,
  toolName: field(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1–64 letters, digits, _ or -.")
      .default(toolName),
    { label: "Tool name", help: "The name by which another agent calls this one.", section },
  ),
  toolDescription: field(z.string().max(4_000).default("Asks a helper agent. Give it one complete question or task."), {
    label: "Tool description",
    help: "Tells another agent what this one is good for.",
    control: "textarea",
    section,
  }),
});

const inputs = {
  main: maybe("main", { label: "Input", side: "left" }),
  model: one("model", { label: "Model", side: "bottom" }),
  fallback: maybe("model", { label: "Fallback model", side: "bottom" }),
  memory: maybe("memory", { label: "Memory", side: "left" }),
  tools: many("tool", { label: "Tools", side: "right" }),
};

/** The loop is loaded with the first run, so that an editor which only draws the node does without it. */
const loop = loadOnce(() => import("../../engine/agent/run-agent.ts"));

type Context = RunContext<z.infer<typeof config>, InputsOf<typeof inputs>>;

/** How this execution differs between the main flow and a call by another agent. */
type Place = Pick<
  AgentRun,
  "settings" | "images" | "depth" | "signal" | "emit" | "replay" | "addUsage" | "pausedWhile"
>;

async function agentRun(context: Context, place: Place): Promise<AgentRun> {
  const { node, inputs: wired, host, run, untrustedInput, workflow } = context;
  const { model, fallback, memory, tools } = wired;
  const { callIds, pauser } = run;
  const forMemory = memory && (await memoryMask(workflow.privacy));
  return {
    ...place,
    nodeId: node.id,
    model,
    fallback,
    memory,
    forMemory,
    tools,
    untrustedInput,
    host,
    callIds,
    pauser,
  };
}

const parameters = {
  type: "object",
  properties: {
    message: { type: "string", minLength: 1, description: "The question or task, complete in itself." },
  },
  required: ["message"],
  additionalProperties: false,
};

/** This agent as a tool: the caller's message is its input, its events stand under the call. */
function asTool(context: Context): Tool {
  const { toolName: name, toolDescription: description, timeoutMs } = context.config;
  return {
    name,
    description,
    parameters,
    // The agent's own limit comes first and has the better words.
    timeoutMs: timeoutMs + 1_000,
    async execute(input, { callId, depth, signal, addUsage, pausedWhile }) {
      if (depth > maxAgentDepth) {
        const message = `Agents may call each other at most ${maxAgentDepth} deep.`;
        return { ok: false, error: { message, hint: "Answer without this agent.", code: "tool_error" } };
      }
      const emit = (event: RunEventBody) => void context.emitWithin(callId, event);
      const replay = context.run.replayOf(callId);
      const place = { settings: context.configFor(input), depth, signal, emit, replay, addUsage, pausedWhile };
      const { runAgent } = await loop();
      const outcome = await runAgent(await agentRun(context, place));
      if (outcome.ok) return { ok: true, output: outcome.output.response };
      const { message, hint, code } = outcome.error;
      return { ok: false, error: { message, hint, code } };
    },
  };
}

export const aiAgent = defineNode({
  type: "ai-agent",
  version: 1,
  role: "agent",
  title: "AI agent",
  summary: "Answers with a model, which may call tools and remember the conversation.",
  icon: "bot",
  config,
  inputs,
  outputs: { main: out("main", { label: "Output" }), tool: out("tool", { label: "As a tool" }) },
  toolName: toolNameOf(toolName),
  ownTools: ({ scratchpad }) => (scratchpad === true ? Object.values(scratchpadTools) : []),
  describe(raw) {
    const prompt = raw["systemPrompt"];
    return typeof prompt === "string" ? (prompt.trim().split("\n")[0] ?? "") : "";
  },
  async run(context) {
    if (context.wanted === "tool") return { tool: { tools: [asTool(context)] } };
    const { config: settings, signal, node, host } = context;
    const emit = (event: RunEventBody) => void context.emit(event);
    const startedAt = host.now();
    const { runAgent } = await loop();
    const outcome = await runAgent(
      await agentRun(context, {
        settings,
        depth: 0,
        signal,
        emit,
        replay: context.run.replayOf(),
        images: attachedImages(context.json),
      }),
    );
    if (outcome.ok) return { main: outcome.output };
    const { error, metadata, finish } = outcome;
    if (settings.onError !== "continue" || finish === "cancelled") throw new RunError(error);
    emit({ type: "node-error", nodeId: node.id, error, handled: true, durationMs: host.now() - startedAt });
    const { code, message, hint, retryable } = error;
    return { main: { error: { code, message, hint, retryable }, metadata } };
  },
});
