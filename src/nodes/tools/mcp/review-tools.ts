import type { JsonSchema } from "../../../engine/json.ts";
import { hasHidden, stripHidden } from "./hidden-text.ts";
import { type McpTool, pinFits, pinnedTool, visibleSchema } from "./tool-pin.ts";

/** Whether a person has agreed to a tool as it is now. */
export type ToolApproval = "approved" | "changed" | "new";

/** A server's tool with what the node's settings make of it. */
export interface ReviewedTool {
  tool: McpTool;
  /** The name under which models see it: `server__tool`. */
  offeredName: string;
  /** Description and schema as models see them: without hidden characters. */
  description: string;
  parameters: JsonSchema;
  approval: ToolApproval;
  /** Its interface, and what interfaces may do with it, were approved as well. */
  appApproved: boolean;
  /** A changed tool as it was approved; absent when its pin does not tell. */
  agreed?: McpTool;
  /** Left out by the include and exclude lists. */
  excluded: boolean;
  /** Whether the server's texts hold characters that nobody sees. */
  hidden: boolean;
}

/** What of a node's settings decides about tools. */
interface ReviewSettings {
  serverName: string;
  include: readonly string[];
  exclude: readonly string[];
  /** Pins that a person agreed to, by the server's own tool name. */
  pins: Readonly<Record<string, string>>;
}

const longestName = 64;

/** `get_*` and the like: a star stands for any characters. */
function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "su").test(name);
  });
}

/** A name that models may use and no other tool of the server has. */
export function nameFor(server: string, tool: string, taken: ReadonlySet<string>): string {
  const base = `${server}__${tool.replace(/[^A-Za-z0-9_-]+/g, "_") || "tool"}`;
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `_${number}`;
    const name = base.slice(0, longestName - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}

function approvalOf(
  tool: McpTool,
  pins: ReviewSettings["pins"],
): Pick<ReviewedTool, "approval" | "appApproved" | "agreed"> {
  const pin = Object.hasOwn(pins, tool.name) ? pins[tool.name] : undefined;
  if (pin === undefined) return { approval: "new", appApproved: false };
  const fits = pinFits(pin, tool);
  if (fits !== "no") return { approval: "approved", appApproved: fits === "whole" };
  const agreed = pinnedTool(pin, tool.name);
  return { approval: "changed", appApproved: false, ...(agreed && { agreed }) };
}

/** Judges the tools that a server lists; of two with one name the first counts. */
export function reviewTools(tools: readonly McpTool[], settings: ReviewSettings): ReviewedTool[] {
  const { serverName, include, exclude, pins } = settings;
  const taken = new Set<string>();
  const seen = new Set<string>();
  return tools.flatMap((tool) => {
    if (seen.has(tool.name)) return [];
    seen.add(tool.name);
    const offeredName = nameFor(serverName, tool.name, taken);
    taken.add(offeredName);
    const schema = visibleSchema(tool.inputSchema);
    return [
      {
        tool,
        offeredName,
        description: stripHidden(tool.description),
        parameters: { ...schema, type: "object" },
        ...approvalOf(tool, pins),
        excluded: (include.length > 0 && !matches(tool.name, include)) || matches(tool.name, exclude),
        hidden: hasHidden(tool.name + tool.description) || JSON.stringify(schema) !== JSON.stringify(tool.inputSchema),
      },
    ];
  });
}
