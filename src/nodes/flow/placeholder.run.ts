import type { RunContext } from "../../engine/document/define-node.ts";
import { RunError } from "../../engine/errors.ts";
import type { ToolConfig } from "../tools/tool-fields.ts";

/** The settings of both nodes, once parsed. */
interface PlaceholderConfig {
  sourceType: string;
  instead: string;
}

const hintOf = (instead: string) =>
  instead === "" ? "Replace it by a node that does the same, or turn it off." : instead;

/** Fails, and says what to use instead. */
export function run({ config, node }: RunContext<PlaceholderConfig, unknown>): never {
  throw new RunError({
    code: "invalid_config",
    message: `"${node.title}" is a placeholder for "${config.sourceType}", which was imported and cannot run here.`,
    hint: hintOf(config.instead),
  });
}

/** A tool whose calls fail, and say what to use instead. */
export function runTool({ config }: RunContext<PlaceholderConfig & Omit<ToolConfig, "toolDescription">, unknown>) {
  const { toolName: name, approval, timeoutMs, maxResultChars } = config;
  const message = `The tool "${name}" is a placeholder for "${config.sourceType}", which was imported and cannot run here.`;
  return {
    tools: [
      {
        name,
        description: "Not available in this workflow yet; calls of it fail.",
        approval,
        timeoutMs,
        maxResultChars,
        parameters: { type: "object", properties: {}, additionalProperties: true },
        execute: () => Promise.resolve({ ok: false as const, error: { message, hint: hintOf(config.instead) } }),
      },
    ],
  };
}
