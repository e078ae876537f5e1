import { z } from "zod/mini";
import { advanced, agentSettings, scratchpadTools } from "../../engine/agent/agent-settings.ts";
import { extractToolName } from "../../engine/agent/extraction/extract-tool.ts";
import { field } from "../../engine/config/field.ts";
import { defineNode, type InputsOf, type RunContext } from "../../engine/document/define-node.ts";
import { many, maybe, one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import {
  attachedFiles,
  attachedImages,
  leftOutWarnings,
  taintOfAttachments,
  taintOfFiles,
} from "../../engine/model/attachments.ts";
import type { AgentRun } from "../../engine/agent/execution.ts";
import { scratchMemory } from "../../engine/memory/scratch-memory.ts";
import { type AgentOutcome, runAgent } from "../../engine/agent/run-agent.ts";
import { fileIdsIn, type FileValue } from "../../engine/file/file.ts";
import type { Tool, ToolResult, ToolSet } from "../../engine/tool/tool.ts";
import { maxAgentDepth } from "../../engine/document/can-connect.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { joinTaint } from "../../engine/trust/taint.ts";
import type { RunEventBody } from "../../engine/run/events.ts";
import { hiddenBy } from "../../engine/run/privacy/hidden-by.ts";
import { memoryMask } from "../../engine/run/privacy/memory-mask.ts";
import { toolNameOf } from "../tools/tool-fields.ts";
import { agentType } from "./agent-type.ts";

const toolName = "ask_agent";
const callSection = { section: advanced, heading: "As a tool of another agent" };

const config = z.object({
  ...agentSettings.shape,
  toolName: field(
    z._default(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1–64 letters, digits, _ or -.")), toolName),
    { label: "Tool name", help: "The name that another agent calls it by.", ...callSection },
  ),
  toolDescription: field(
    z._default(z.string().check(z.maxLength(4_000)), "Asks a helper agent. Give it one complete question or task."),
    {
      label: "Tool description",
      help: "Tells another agent what this one is good for.",
      control: "textarea",
      ...callSection,
    },
  ),
});

const inputs = {
  main: maybe("main", { label: "Input", side: "left" }),
  model: one("model", { label: "Model", side: "bottom" }),
  fallback: many("model", { label: "Fallback models", side: "bottom", quiet: true }),
  memory: maybe("memory", { label: "Memory", side: "left" }),
  tools: many("tool", { label: "Tools", side: "right" }),
};

export const aiAgent = defineNode({
  type: agentType,
  version: 1,
  role: "agent",
  title: "AI agent",
  summary: "Answers with a model that can use tools and remember.",
  keywords: [
    "llm",
    "assistant",
    "chatbot",
    "bot",
    "chain",
    "prompt",
    "gpt",
    "claude",
    "ai",
    "chat",
    "ask",
    "translate",
    "translation",
    "summarize",
    "summarise",
    "summary",
    "classify",
    "categorize",
    "extract",
    "sentiment",
    "write",
    "rewrite",
    "answer",
    "generate",
    "content",
    "text",
    "email",
    "blog",
    "image",
    "picture",
    "vision",
  ],
  icon: "bot",
  config,
  inputs,
  outputs: {
    main: out("main", { label: "Output" }),
    tool: out("tool", { label: "As a tool", side: "left", quiet: true }),
  },
  reach: nowhere,
  toolName: toolNameOf(toolName),
  ownTools: ({ scratchpad, extractValues }) => [
    ...(scratchpad === true ? Object.values(scratchpadTools) : []),
    ...(extractValues === true ? [extractToolName] : []),
  ],
  outputKeys(raw) {
    return [
      "response",
      "metadata",
      "sources",
      "files",
      ...(raw["outputFormat"] === "full" ? ["toolCalls", "plan", "reflections"] : []),
      ...(raw["returnIntermediateSteps"] === true ? ["steps"] : []),
      ...(raw["onError"] === "continue" ? ["error"] : []),
    ];
  },
  describe(raw) {
    const prompt = raw["systemPrompt"];
    return typeof prompt === "string" ? (prompt.trim().split("\n")[0] ?? "") : "";
  },
  run,
});

type Context = RunContext<z.infer<typeof config>, InputsOf<typeof inputs>>;

/** How this execution differs between the main flow and a call by another agent. */
type Place = Pick<
  AgentRun,
  | "settings"
  | "images"
  | "files"
  | "untrusted"
  | "requestedBy"
  | "caller"
  | "depth"
  | "signal"
  | "emit"
  | "replay"
  | "addUsage"
  | "spending"
  | "pausedWhile"
>;

async function agentRun(context: Context, place: Place): Promise<AgentRun> {
  const { node, inputs: wired, host, run, workflow } = context;
  const { model, fallback, tools } = wired;
  const { scope, pauser, scratch } = run;
  const memory =
    scratch && wired.memory
      ? { ...wired.memory, value: scratchMemory(wired.memory.value, wired.memory.nodeId, scratch) }
      : wired.memory;
  const forMemory = memory && (await memoryMask(workflow.privacy));
  return {
    ...place,
    nodeId: node.id,
    workflow: { id: workflow.id, isHidden: hiddenBy(workflow.privacy) },
    written: writtenTexts(node.config),
    origin: { runId: run.id, nodeId: node.id, title: node.title },
    model,
    fallback,
    memory,
    forMemory,
    tools,
    attached: attachedTo(context, place),
    runFiles: context.files,
    host,
    scope,
    pauser,
    emitWithin: context.emitWithin,
  };
}

/** The files that go with the message. What only looks like one is left out with a warning. */
function attachedTo(context: Context, { settings, emit }: Place): FileValue[] {
  const { files } = settings;
  const found = context.files.findAll(files);
  const others = fileIdsIn(files).length - found.length;
  if (others > 0) {
    const message = `${others === 1 ? "1 reference looks" : `${others} references look`} like a file, but this run neither received nor made it, so the model was not given it.`;
    emit({
      type: "warning",
      nodeId: context.node.id,
      message,
      hint: "Use a file that a trigger or an earlier step gives.",
    });
  }
  return found;
}

/** What the owner wrote into the instructions and the message, without what templates bring. */
function writtenTexts({ systemPrompt, userMessage }: JsonObject): string[] {
  const texts = [systemPrompt, userMessage].filter((text) => typeof text === "string");
  return texts.flatMap((text) => text.split(/\{\{[\s\S]*?\}\}/)).filter((text) => !/[{}]{2}/.test(text));
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
    async execute(input, { callId, depth, signal, untrusted: asking, provenance, addUsage, spending, pausedWhile }) {
      if (depth > maxAgentDepth) {
        const message = `Agents can call each other at most ${maxAgentDepth} levels deep.`;
        return { ok: false, error: { message, hint: "Answer without this agent.", code: "tool_error" } };
      }
      const emit = (event: RunEventBody) => void context.emitWithin(callId, event);
      const replay = context.run.replayOf(callId);
      const settings = context.configFor(input);
      // Templates in the instructions see the main input of the agent that calls.
      const untrusted = joinTaint(asking, context.untrusted, taintOfFiles(context.files.findAll(settings.files)));
      const caller = provenance;
      const place = {
        settings,
        untrusted,
        requestedBy: "model" as const,
        caller,
        depth,
        signal,
        emit,
        replay,
        addUsage,
        spending,
        pausedWhile,
      };
      const outcome = await runAgent(await agentRun(context, place));
      const taint = { untrusted: outcome.untrusted };
      if (outcome.ok) return { ...toolResult(outcome), ...taint };
      const { message, hint, code } = outcome.error;
      return { ok: false, error: { message, hint, code }, ...taint };
    },
  };
}

/** What the calling model reads: an early end is told, and one without any text is a failure. */
function toolResult({ ending, output }: Extract<AgentOutcome, { ok: true }>): ToolResult {
  const { response, files } = output;
  const given = files === undefined ? response : { response, files };
  if (ending === undefined) return { ok: true, output: given };
  const text = typeof response === "string" ? response : JSON.stringify(response);
  if (text.trim() === "")
    return { ok: false, error: { message: ending.message, hint: ending.hint, code: "tool_error" } };
  return { ok: true, output: given, text: `${text}\n\n[This agent stopped early. ${ending.message}]` };
}

/** Runs an agent of the main flow, or gives it as a tool where that is wanted. Throws a RunError. */
async function run(context: Context): Promise<{ main?: Json; tool?: ToolSet }> {
  if (context.wanted === "tool") return { tool: { tools: [asTool(context)] } };
  const { config: settings, signal, node, host } = context;
  const emit = (event: RunEventBody) => void context.emit(event);
  const startedAt = host.now();
  const images = attachedImages(context.json);
  const files = attachedFiles(context.json);
  for (const warning of leftOutWarnings(context.json, { images, files })) {
    emit({ type: "warning", nodeId: node.id, ...warning });
  }
  const outcome = await runAgent(
    await agentRun(context, {
      settings,
      untrusted: joinTaint(
        context.untrusted,
        taintOfAttachments(context.json),
        taintOfFiles(context.files.findAll(settings.files)),
      ),
      requestedBy: context.run.depth === 0 ? "person" : "model",
      caller: context.run.caller,
      depth: 0,
      signal,
      emit,
      replay: context.run.replayOf(),
      images,
      files,
    }),
  );
  context.addUntrusted(outcome.untrusted);
  if (outcome.ok) return { main: outcome.output };
  const { error, metadata, finish } = outcome;
  if (settings.onError !== "continue" || finish === "cancelled") throw new RunError(error);
  emit({ type: "node-error", nodeId: node.id, error, handled: true, durationMs: host.now() - startedAt });
  const { code, message, hint, retryable } = error;
  return { main: { error: { code, message, hint, retryable }, metadata } };
}
