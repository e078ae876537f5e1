import type { Tool } from "../../engine/agent/tool.ts";
import type { ConfigOf } from "../../engine/config/field.ts";
import type { RunContext } from "../../engine/document/define-node.ts";
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

/** The tools of one server that a person has approved. Throws a RunError when it does not answer. */
export async function run(context: RunContext<McpConfig, unknown>): Promise<{ tools: Tool[] }> {
  const { config: settings, host, signal, node, emit, atEnd } = context;
  const { url, credential } = settings;
  const session = await openMcpSession(host, { url, credential }, signal);
  atEnd(() => session.close());
  const reviewed = reviewTools(session.tools, settings).filter(({ excluded }) => !excluded);
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
  return { tools: approved.map((one) => toTool(one, settings, session)) };
}
