import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { type ConfigFinding, defineNode, type RunContext } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import type { Tool, ToolCallContext, ToolResult, ToolSet } from "../../engine/tool/tool.ts";
import type { ToolApp } from "../../engine/tool/tool-app.ts";
import { RunError } from "../../engine/errors.ts";
import { maxHostsLength, longestPin, longestUri, mostPrompts, mostResources } from "./mcp/pin-limits.ts";
import { settleOrAbort } from "../../engine/time/deadline.ts";
import { repeatIfHarmless, toolAfterCrash } from "../flow/error-field.ts";
import { guardFields } from "./tool-fields.ts";
import { grantedHosts } from "./mcp/app-hosts.ts";
import { contextTools } from "./mcp/context-tools.ts";
import { type McpSession, openMcpSession } from "./mcp/mcp-session.ts";
import { serverHash } from "./mcp/server-hash.ts";
import { type ReviewedTool, reviewTools } from "./mcp/review-tools.ts";
import { asToolFields, termsOf, toolTermsSchema } from "./mcp/tool-terms.ts";

const defaultServer = "mcp";
const context = "Context";
const patterns = () =>
  z._default(z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(512))).check(z.maxLength(200)), []);

const config = z.object({
  url: field(z._default(z.string().check(z.trim(), z.maxLength(2_048)), ""), {
    label: "Server URL",
    help: "The address of an MCP server (Streamable HTTP). Empty: the one in the credential.",
    placeholder: "https://mcp.example.com/mcp",
  }),
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "The key to send to the server. The model never sees it. Empty: none.",
    control: "credential",
    credentialTypes: ["mcp", "mcp-oauth", "http-bearer", "http-header"],
  }),
  serverName: field(
    z._default(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,30}$/, "Use 1–30 letters, digits, _ or -.")), defaultServer),
    {
      label: "Prefix",
      help: "Stands before each tool's name, so that two servers do not clash: mcp__search.",
      required: true,
    },
  ),
  pins: field(z._default(z.record(z.string(), z.string().check(z.maxLength(longestPin))), {}), {
    label: "Tools",
    help: "Only tools that you approve are offered. When the server changes one, it is held back until you approve it again.",
    control: "mcp-tools",
  }),
  terms: field(z._default(z.record(z.string().check(z.maxLength(200)), toolTermsSchema), {}), {
    label: "Trust in each tool",
    help: "After text from outside, a call asks only about values that neither you nor the workflow gave. Here you say which tools only read, and whose results are your own. When the server changes a tool, it counts as unknown again.",
    control: "mcp-terms",
  }),
  showApps: field(z._default(z.boolean(), true), {
    label: "Show interfaces",
    help: "Some tools bring an interface of their own. The chat shows it in a sealed frame; what it does there asks you first.",
    section: "Interfaces",
  }),
  appHosts: field(
    z._default(z.record(z.string().check(z.maxLength(longestUri)), z.string().check(z.maxLength(maxHostsLength))), {}),
    {
      label: "Hosts of interfaces",
      help: "An interface reaches nothing on the internet until you accept the hosts that it asks for. When it asks for others, you are asked again.",
      control: "mcp-apps",
      section: "Interfaces",
    },
  ),
  include: field(patterns(), {
    label: "Only these tools",
    help: "Names, one per line; get_* matches all that begin with it. Empty: all.",
    section: "Filter",
  }),
  exclude: field(patterns(), {
    label: "Without these tools",
    help: "Names, one per line; these are never offered.",
    section: "Filter",
  }),
  resources: field(
    z._default(
      z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(longestUri))).check(z.maxLength(mostResources)),
      [],
    ),
    {
      label: "Resources",
      help: "Read when the agent starts, and given to the model as text from outside.",
      control: "mcp-resources",
      section: context,
    },
  ),
  prompts: field(
    z._default(
      z
        .array(
          z.object({
            name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
            arguments: z._default(
              z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(100_000))),
              {},
            ),
          }),
        )
        .check(z.maxLength(mostPrompts)),
      [],
    ),
    {
      label: "Prompts",
      help: "Filled in by the server when the agent starts, and given to the model as text from outside.",
      control: "mcp-prompts",
      template: "text",
      section: context,
    },
  ),
  readResources: field(z._default(z.boolean(), false), {
    label: "Let the model read resources",
    help: "Adds two tools: one that lists the server's resources and one that reads them.",
    section: context,
  }),
  ...guardFields("ask-after-untrusted"),
  afterCrash: toolAfterCrash(repeatIfHarmless),
});

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function hostOf(raw: JsonObject): string {
  const url = text(raw["url"]);
  if (url === "") return text(raw["credential"]) === "" ? "" : text(raw["serverName"]) || defaultServer;
  return URL.canParse(url) ? new URL(url).host : url;
}

function pinCount(raw: JsonObject): number {
  return isJsonObject(raw["pins"]) ? Object.keys(raw["pins"]).length : 0;
}

function listCount(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function check(raw: JsonObject): ConfigFinding[] {
  if (hostOf(raw) === "") {
    const hint = "Enter its URL, or choose a credential that brings one.";
    return [{ field: "url", severity: "error", message: "No MCP server is named.", hint }];
  }
  const hasContext = listCount(raw["resources"]) + listCount(raw["prompts"]) > 0 || raw["readResources"] === true;
  if (pinCount(raw) > 0 || hasContext) return [];
  const hint = "List the server's tools in the settings and approve those that the agent may use, or choose context.";
  return [{ field: "pins", severity: "error", message: "No tool of the MCP server is approved.", hint }];
}

type Config = z.infer<typeof config>;

export const mcpTool = defineNode({
  type: "mcp-tool",
  version: 1,
  role: "tool",
  title: "MCP server",
  summary: "Lets the agent use tools of an MCP server you approve.",
  keywords: ["model context protocol", "integration", "plugin", "connector", "zapier", "slack", "github", "server"],
  icon: "plug",
  config,
  inputs: {},
  outputs: { tool: out("tool", { label: "Tool", side: "left" }) },
  reach: [
    {
      to: "server",
      credential: "credential",
      url: "url",
      does: (raw) => `connects to the MCP server ${hostOf(raw)}`.trim(),
    },
  ],
  // Stands for all its tools: two servers with one prefix would clash.
  toolName: (node) => `${text(node.config["serverName"]) || defaultServer}__*`,
  describe(raw) {
    const [resources, prompts] = [listCount(raw["resources"]), listCount(raw["prompts"])];
    const chosen = [
      ...(resources > 0 ? [counted(resources, "resource")] : []),
      ...(prompts > 0 ? [counted(prompts, "prompt")] : []),
    ];
    return [hostOf(raw) || "No server", counted(pinCount(raw), "tool"), ...chosen].join(" · ");
  },
  check,
  agreed: ["pins", "terms", "appHosts", "resources", "prompts", "readResources"],
  run,
});

const trustReading =
  "The server says that this tool is read-only. If you trust that, confirm it for the tool in the node’s settings. It then asks only about addresses.";

function toTool(reviewed: ReviewedTool, settings: Config, session: McpSession): Tool {
  const { tool, offeredName, description, parameters } = reviewed;
  const { approval, timeoutMs, maxResultChars, afterCrash } = settings;
  return {
    name: offeredName,
    description,
    parameters,
    approval,
    timeoutMs,
    maxResultChars,
    ...(tool.readOnly ? { remedy: trustReading } : {}),
    ...asToolFields(termsOf(tool, settings.terms)),
    afterCrash: () => (tool.readOnly ? undefined : afterCrash),
    execute: (input, call) => callTool(reviewed, settings, session, input, call),
  };
}

/** Calls a tool, and shows what came of it in its interface where it has one that was approved. */
async function callTool(
  { tool, appApproved }: ReviewedTool,
  settings: Config,
  session: McpSession,
  input: JsonObject,
  call: ToolCallContext,
): Promise<ToolResult> {
  const { showApp } = call;
  if (!showApp || !settings.showApps || !appApproved) return session.call(tool.name, input, call);
  let output: JsonObject | undefined;
  const result = await session.call(tool.name, input, call, (answer) => (output = answer));
  if (output === undefined) return result;
  const shown = bounded(output);
  // The call is made: what becomes of its interface, however long that takes, does not change its result.
  try {
    await call.pausedWhile(() => showApp(shown, () => appOf(tool.app?.uri, settings, session, call)));
  } catch {
    call.log("The tool's interface could not be shown.");
  }
  return result;
}

/** Milliseconds for reading an interface once the tool's call is done. */
const appTimeoutMs = 5_000;

async function appOf(
  uri: string | undefined,
  { appHosts: accepted, url, credential }: Config,
  session: McpSession,
  call: ToolCallContext,
): Promise<ToolApp | undefined> {
  if (uri === undefined) return undefined;
  try {
    const limit = AbortSignal.any([call.signal, AbortSignal.timeout(appTimeoutMs)]);
    const read = await settleOrAbort(session.readApp(uri, limit), limit);
    if (read.kind === "threw") throw read.error;
    if (read.kind !== "done") {
      if (!call.signal.aborted) call.log("The tool's interface is not shown. The server did not send it in time.");
      return undefined;
    }
    const { html, sha256, asked } = read.value;
    const granted = grantedHosts(asked, Object.hasOwn(accepted, uri) ? accepted[uri] : undefined);
    return { uri, server: serverHash({ url, credential }), sha256, html, ...granted };
  } catch (error) {
    const why = error instanceof RunError ? error.data.message : "The server did not send it.";
    call.log(`The tool's interface is not shown. ${why}`);
    return undefined;
  }
}

/** Characters of a result that an interface is given; it stands in the log. */
const longestOutput = 500_000;

function bounded(output: JsonObject): JsonObject {
  if (JSON.stringify(output).length <= longestOutput) return output;
  const text = `The result has more than ${longestOutput.toLocaleString("en")} characters and cannot be shown here.`;
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * The tools of one server that a person has approved, and what they chose to be read. Throws a RunError when it does not
 * answer.
 */
async function run(context: RunContext<Config, unknown>): Promise<ToolSet> {
  const { config: settings, host, signal, node, emit, atEnd } = context;
  const { url, credential } = settings;
  const session = await openMcpSession(host, { url, credential }, signal, context.files);
  atEnd(() => session.close());
  const { leftOut } = session;
  if (leftOut.length > 0) {
    emit({
      type: "warning",
      nodeId: node.id,
      message: `The server describes ${leftOut.length} ${leftOut.length === 1 ? "tool" : "tools"} in a way that cannot be read: ${leftOut.slice(0, 10).join(", ")}. Left out.`,
      hint: "The other tools work. Tell whoever runs the server.",
    });
  }
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
  const forModel = approved.filter(({ tool }) => tool.app?.for !== "app");
  const forApps = settings.showApps
    ? approved.filter(({ tool, appApproved }) => appApproved && tool.app?.for !== "model")
    : [];
  return {
    tools: [...forModel.map((one) => toTool(one, settings, session)), ...tools],
    context: read,
    server: serverHash({ url, credential }),
    appTools: new Map(forApps.map((one) => [one.tool.name, toTool(one, settings, session)])),
  };
}
