import type { Tool, ToolSet } from "../../engine/tool/tool.ts";
import type { ConfigOf } from "../../engine/config/field.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
import { contextTools } from "./mcp/context-tools.ts";
import { type McpSession, openMcpSession } from "./mcp/mcp-session.ts";
import { type ReviewedTool, reviewTools } from "./mcp/review-tools.ts";
import type { guardFields } from "./tool-fields.ts";

/** The settings of the node, once parsed. Times in milliseconds. */
interface McpConfig extends ConfigOf<ReturnType<typeof guardFields>> {
  url: string;
  credential: string;
  serverName: string;
  pins: Record<string, string>;
  include: string[];
  exclude: string[];
  resources: string[];
  prompts: { name: string; arguments: Record<string, string> }[];
  readResources: boolean;
}

function toTool(
  { tool, offeredName, description, parameters }: ReviewedTool,
  settings: McpConfig,
  session: McpSession,
): Tool {
  const { approval, timeoutMs, maxResultChars } = settings;
  return {
    name: offeredName,
    description,
    parameters,
    approval,
    timeoutMs,
    maxResultChars,
    execute: (input, call) => session.call(tool.name, input, call),
  };
}

/**
 * The tools of one server that a person has approved, and what they chose to be read. Throws a RunError when it does not
 * answer.
 */
export async function run(context: RunContext<McpConfig, unknown>): Promise<ToolSet> {
  const { config: settings, host, signal, node, emit, atEnd } = context;
  const { url, credential } = settings;
  const session = await openMcpSession(host, { url, credential }, signal);
  atEnd(() => session.close());
  const all = reviewTools(session.tools, settings);
  const reviewed = all.filter(({ excluded }) => !excluded);
  const changed = reviewed.filter(({ approval }) => approval === "changed");
  if (changed.length > 0) {
    const names = changed.map(({ tool }) => `"${tool.name}"`).join(", ");
    emit({
      type: "warning",
      nodeId: node.id,
      message: `The server changed ${changed.length} ${changed.length === 1 ? "tool" : "tools"} since you approved: ${names}. Held back.`,
      hint: `Open "${node.title}", read what is new and approve it again.`,
    });
  }
  const approved = reviewed.filter(({ approval }) => approval === "approved");
  if (settings.readResources && !session.has.resources) {
    emit({
      type: "warning",
      nodeId: node.id,
      message: "The server has no resources, so the model is given no tools to read them.",
      hint: `Turn off "Let the model read resources" in "${node.title}".`,
    });
  }
  const taken = new Set(all.map(({ offeredName }) => offeredName));
  const { tools, context: read } = contextTools(session, settings, settings, taken);
  return { tools: [...approved.map((one) => toTool(one, settings, session)), ...tools], context: read };
}
