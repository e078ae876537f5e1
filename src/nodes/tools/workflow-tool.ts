import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { ToolResult } from "../../engine/tool/tool.ts";
import { isJsonObject, type Json, type JsonSchema } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { commonTool, toolFields, toolNameOf } from "./tool-fields.ts";
import { triggerInput } from "./workflow/trigger-input.ts";

const toolName = "run_workflow";

/** Workflows that call workflows: at most this many below the one that a person started. */
const maxWorkflowDepth = 5;

function refusal(message: string, hint: string): ToolResult {
  return { ok: false, error: { message, hint, code: "tool_error" } };
}

/** An agent's answer without its statistics; anything else as it is. */
function answerOf(output: Json): Json {
  if (!isJsonObject(output)) return output;
  const { response, metadata } = output;
  return response !== undefined && isJsonObject(metadata) ? response : output;
}

function sessionOf(json: Json): string | undefined {
  const session = isJsonObject(json) ? json["sessionId"] : undefined;
  return typeof session === "string" && session !== "" ? session : undefined;
}

/** Parameters without those that are fixed. */
function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema;
  const { properties, required } = schema;
  const left = Object.entries(isJsonObject(properties) ? properties : {}).filter(([name]) => !names.includes(name));
  const needed = Array.isArray(required)
    ? required.filter((name) => typeof name === "string" && !names.includes(name))
    : [];
  return { ...schema, properties: Object.fromEntries(left), required: needed };
}

export const workflowTool = defineNode({
  type: "workflow-tool",
  version: 1,
  role: "tool",
  title: "Workflow tool",
  summary: "Lets the agent run another workflow and read its output.",
  keywords: [
    "sub-workflow",
    "subflow",
    "execute workflow",
    "call workflow",
    "sub-agent",
    "sub workflow",
    "another workflow",
    "reuse",
    "delegate",
    "handoff",
    "multi-agent",
  ],
  icon: "workflow",
  config: z.object({
    workflow: field(z._default(z.string().check(z.maxLength(200)), ""), {
      label: "Workflow",
      help: "The workflow to run. The model fills in what its trigger takes.",
      control: "workflow",
      required: true,
    }),
    inputs: field(z._default(z.record(z.string(), jsonValue()), {}), {
      label: "Fixed inputs",
      help: "Values that the workflow always gets, such as {{json.sessionId}}. The model fills in the others and cannot change these.",
      control: "key-values",
      template: "value",
    }),
    ...toolFields({
      toolName,
      toolDescription: "Runs a workflow and returns its output.",
      approval: "ask-after-untrusted",
    }),
    timeoutMs: field(z._default(z.int().check(z.minimum(1), z.maximum(3_600_000)), 300_000), {
      label: "Time limit (ms)",
      help: "A run that takes longer is stopped; the agent goes on.",
      section: "Limits",
    }),
  }),
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [{ to: "workflow" }],
  toolName: toolNameOf(toolName),
  describe: ({ toolName: name, workflow }) =>
    typeof workflow === "string" && workflow !== ""
      ? `Runs ${typeof name === "string" ? name : toolName}`
      : "Choose a workflow",
  /** The tool of one node. Throws a RunError when its workflow cannot be loaded or has no trigger. */
  async run(context) {
    const { config, host, json, run, runNested } = context;
    const loaded = await host.workflows.load(config.workflow);
    if (!loaded.ok) throw new RunError(loaded.error);
    const { document } = loaded;
    const start = triggerInput(document, sessionOf(json));
    if (!start) {
      throw new RunError({
        code: "invalid_config",
        message: `The workflow "${document.name}" has no trigger, so it cannot be used as a tool.`,
        hint: "Open it and add a chat trigger or a manual trigger.",
      });
    }
    return {
      tools: [
        {
          ...commonTool(config),
          // Each run says what it read; a call that is cut short cannot.
          untrusted: true,
          parameters: without(start.parameters, Object.keys(config.inputs)),
          async execute(values, { callId, signal, untrusted: asking, provenance, addUsage, spending, pausedWhile }) {
            if (run.depth >= maxWorkflowDepth) {
              const message = `Workflows can call each other at most ${maxWorkflowDepth} levels deep.`;
              return refusal(message, "Answer without this workflow.");
            }
            const given = start.toInput({ ...values, ...config.inputs });
            const input = isJsonObject(given) ? { ...given, ...config.inputs } : given;
            const use = { callId, caller: provenance, signal, addUsage, spending, pausedWhile };
            const result = await runNested(document, { input, untrusted: asking, ...use });
            const { untrusted } = result;
            if (result.ok) return { ok: true, output: answerOf(result.output), untrusted };
            const { message, hint, code } = result.error;
            return { ok: false, error: { message: `"${document.name}" failed: ${message}`, hint, code }, untrusted };
          },
        },
      ],
    };
  },
});
