import type { ContextRead, Tool, ToolResult } from "../../../engine/tool/tool.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { sourceNamed, type Taint } from "../../../engine/trust/taint.ts";
import { stripHidden } from "./hidden-text.ts";
import type { McpOffers } from "./list-offers.ts";
import type { McpSession } from "./mcp-session.ts";
import { longestUri } from "./pin-limits.ts";
import { nameFor } from "./review-tools.ts";

/** What of the node's settings decides about context. */
interface ContextSettings {
  serverName: string;
  /** Addresses of resources that a person chose. */
  resources: readonly string[];
  /** Prompts that a person chose, with what they are filled with. */
  prompts: readonly { name: string; arguments: Readonly<Record<string, string>> }[];
  /** Whether the model may list and read resources itself. */
  readResources: boolean;
}

/** What the tools of a node are bound by. */
type Guards = Required<Pick<Tool, "approval" | "timeoutMs" | "maxResultChars">>;

function from(result: ToolResult, untrusted: Taint): ToolResult {
  return { ...result, untrusted };
}

const textOf = (input: JsonObject, key: string) => (typeof input[key] === "string" ? input[key] : "");

function readTool(session: McpSession, name: string): Tool {
  return {
    name,
    description: "Reads one resource of the server, by its address.",
    parameters: {
      type: "object",
      properties: {
        uri: { type: "string", minLength: 1, maxLength: longestUri, description: "The resource's address." },
      },
      required: ["uri"],
      additionalProperties: false,
    },
    untrusted: true,
    async execute(input, call) {
      const uri = textOf(input, "uri");
      return from(await session.readResource(uri, call), [sourceNamed(stripHidden(uri))]);
    },
  };
}

function promptTool(session: McpSession, name: string): Tool {
  return {
    name,
    description: "Fills in one prompt of the server.",
    parameters: {
      type: "object",
      properties: {
        name: { type: "string" },
        arguments: { type: "object", additionalProperties: { type: "string" } },
      },
      required: ["name", "arguments"],
      additionalProperties: false,
    },
    untrusted: true,
    async execute(input, call) {
      const prompt = textOf(input, "name");
      const values = Object.entries(typeof input["arguments"] === "object" ? (input["arguments"] ?? {}) : {});
      const filled = Object.fromEntries(values.map(([key, value]) => [key, String(value)]));
      return from(await session.getPrompt(prompt, filled, call), [sourceNamed(`the prompt ${stripHidden(prompt)}`)]);
    },
  };
}

/** The most entries that one listing shows a model. */
const mostListed = 100;

function listTool(session: McpSession, name: string, readName: string): Tool {
  return {
    name,
    description: `Lists the server's resources, which ${readName} can read.`,
    parameters: {
      type: "object",
      properties: {
        search: { type: "string", maxLength: 200, description: "Only those that have this text in them. Empty: all." },
      },
      additionalProperties: false,
    },
    untrusted: true,
    async execute(input, { signal }) {
      const wanted = textOf(input, "search").toLowerCase();
      const { resources, templates } = await session.listOffers(signal);
      const fits = (entry: object) => JSON.stringify(entry).toLowerCase().includes(wanted);
      return { ok: true, output: listed({ resources: resources.filter(fits), templates: templates.filter(fits) }) };
    },
  };
}

/** Its words as models see them: without hidden characters. */
function visible<Offer extends { name: string; description: string }>(offer: Offer): Offer {
  return { ...offer, name: stripHidden(offer.name), description: stripHidden(offer.description) };
}

function listed({ resources, templates }: Pick<McpOffers, "resources" | "templates">): JsonObject {
  const left = resources.length + templates.length - mostListed;
  const shown = resources.slice(0, mostListed);
  const places = templates.slice(0, mostListed - shown.length);
  return {
    resources: shown.map((resource) => visible({ ...resource })),
    ...(places.length > 0 ? { templates: places.map((template) => visible({ ...template })) } : {}),
    ...(left > 0 ? { note: `${left} more are not shown. Search for them.` } : {}),
  };
}

/**
 * What a server gives an agent besides its own tools: what a person chose is read first (`context`), and where that is
 * switched on, `tools` let the model read more. `taken` are the names of the server's tools.
 */
export function contextTools(
  session: McpSession,
  settings: ContextSettings,
  guards: Guards,
  taken: ReadonlySet<string>,
): { tools: Tool[]; context: ContextRead[] } {
  const { serverName, resources, prompts, readResources } = settings;
  const readName = nameFor(serverName, "read_resource", taken);
  const listName = nameFor(serverName, "list_resources", taken);
  const promptName = nameFor(serverName, "get_prompt", taken);
  const read = readTool(session, readName);
  const { approval, timeoutMs, maxResultChars } = guards;
  // A person chose what is read, so nobody is asked again.
  const limits = { timeoutMs, maxResultChars };
  const chosen = { ...read, ...limits };
  const filled = { ...promptTool(session, promptName), ...limits };
  return {
    tools:
      readResources && session.has.resources
        ? [listTool(session, listName, readName), read].map((tool) => ({ ...tool, ...limits, approval }))
        : [],
    context: [
      ...prompts.map(({ name, arguments: values }): ContextRead => {
        // What is left empty is not given.
        const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
        return { title: `Prompt ${stripHidden(name)}`, tool: filled, input: { name, arguments: given } };
      }),
      ...[...new Set(resources)].map((uri): ContextRead => ({
        title: `Resource ${stripHidden(uri)}`,
        tool: chosen,
        input: { uri },
      })),
    ],
  };
}
