import type { Tool, ToolResult } from "../../engine/tool/tool.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { commonTool, type ToolConfig } from "./tool-fields.ts";
import { triggerInput } from "./workflow/trigger-input.ts";

/** The settings of the node, once parsed. */
interface WorkflowToolConfig extends ToolConfig {
  /** Id of a saved workflow. */
  workflow: string;
}

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

/** The tool of one node. Throws a RunError when its workflow cannot be loaded or has no trigger. */
export async function run(context: RunContext<WorkflowToolConfig, unknown>): Promise<{ tools: Tool[] }> {
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
        parameters: start.parameters,
        async execute(values, { callId, signal, untrusted: asking, addUsage, spending, pausedWhile }) {
          if (run.depth >= maxWorkflowDepth) {
            const message = `Workflows can call each other at most ${maxWorkflowDepth} levels deep.`;
            return refusal(message, "Answer without this workflow.");
          }
          const input = start.toInput(values);
          const use = { callId, signal, addUsage, spending, pausedWhile };
          const result = await runNested(document, { input, untrusted: asking, ...use });
          const { untrusted } = result;
          if (result.ok) return { ok: true, output: answerOf(result.output), untrusted };
          const { message, hint, code } = result.error;
          return { ok: false, error: { message: `"${document.name}" failed: ${message}`, hint, code }, untrusted };
        },
      },
    ],
  };
}
