import { isJsonObject, type Json } from "../../json.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import { type Message, toolCalls } from "../../model/message.ts";
import { freeName } from "../../tool/free-name.ts";
import { type RankTools, rankTools } from "../../tool/search/rank-tools.ts";
import type { Tool } from "../../tool/tool.ts";
import type { AgentSettings } from "../agent-settings.ts";
import type { ToolCallRecord } from "../execution.ts";

/** How many tools the first request carries, and how many one search adds. */
const maxOffered = 10;
const maxFound = 5;
/** Characters of a description in a search's result; the whole one comes with the tool. */
const maxSummaryChars = 300;

/** Which tools a request carries where there are too many for all. */
export interface ToolSearch {
  /** By which the model finds the others. */
  tool: Tool;
  /**
   * What the turn begins with: the tools of the agent's own, those that the conversation has used, and those that fit the
   * question best.
   */
  begin(
    definitions: readonly ToolDefinition[],
    turn: { own: readonly Tool[]; history: readonly Message[]; question: string },
  ): void;
  /**
   * What the next request carries after these calls of the turn. It only grows, and new ones come last: vendors keep what
   * begins equally. It follows from the results that the log has, so that a replay and a resumed run carry the same.
   */
  offered(calls: readonly ToolCallRecord[]): ToolDefinition[];
}

/** The tool search of a turn, where the settings want one for so many tools. */
export function openToolSearch(settings: AgentSettings, tools: readonly Tool[]): ToolSearch | undefined {
  const { toolSearch, toolSearchAbove } = settings;
  if (toolSearch === "never" || tools.length === 0) return undefined;
  if (toolSearch === "above" && tools.length <= toolSearchAbove) return undefined;
  const name = freeName("find_tools", new Set(tools.map((tool) => tool.name)));
  let rank: RankTools = () => [];
  let known: ReadonlyMap<string, ToolDefinition> = new Map();
  const carried = new Map<string, ToolDefinition>();
  let seenCalls = 0;

  function carry(names: Iterable<string>): void {
    for (const each of names) {
      const definition = known.get(each);
      if (definition) carried.set(each, carried.get(each) ?? definition);
    }
  }

  const tool: Tool = {
    name,
    description: `Finds tools by what they do: there are ${tools.length}, and only some are listed here. What it finds can be called from then on.`,
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 500,
          description: "What the tool should do, in a few words of the language in which tools are described.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    execute(input) {
      const found = rank(String(input["query"]), maxFound).map(({ name: foundName, description }) => ({
        name: foundName,
        description: description.slice(0, maxSummaryChars),
      }));
      const output: Json = found.length > 0 ? { tools: found } : { tools: [], note: "No tool fits. Use other words." };
      return Promise.resolve({ ok: true, output });
    },
  };

  return {
    tool,
    begin(definitions, { own, history, question }) {
      known = new Map(definitions.map((definition) => [definition.name, definition]));
      const ownNames = [name, ...own.map((each) => each.name)];
      rank = rankTools(definitions.filter((definition) => !ownNames.includes(definition.name)));
      carry(ownNames);
      for (const message of history)
        if (message.role === "assistant") carry(toolCalls(message).map((call) => call.toolName));
      carry(rank(question, maxOffered).map((definition) => definition.name));
    },
    offered(calls) {
      for (const call of calls.slice(seenCalls))
        carry(call.toolName === name ? foundNames(call.result) : [call.toolName]);
      seenCalls = calls.length;
      return [...carried.values()];
    },
  };
}

function foundNames(result: Json): string[] {
  const tools = isJsonObject(result) ? result["tools"] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((each) => (isJsonObject(each) && typeof each["name"] === "string" ? [each["name"]] : []));
}
