import type { Json } from "../../json.ts";
import { type Message, messageText, toolCalls } from "../../model/message.ts";
import { rankByTerms } from "../../tool/search/rank-by-terms.ts";
import { searchTerms } from "../../tool/search/search-terms.ts";
import type { Tool } from "../../tool/tool.ts";
import { firstChars } from "../../well-formed.ts";
import type { ToolCallRecord } from "../execution.ts";

/** Characters of a passage, how many of them one search gives, and how many of one message are searched. */
const passageChars = 1_500;
const maxPassages = 6;
const maxMessageChars = 500_000;

interface Passage {
  /** Who said it, such as the name of a tool. */
  from: string;
  text: string;
}

/** What the tool needs to know of the agent when it is called. */
interface Compacted {
  messages(): readonly Message[];
  /** All calls of the turn in their order: their results are whole, where the messages hold what the model was given. */
  calls(): readonly ToolCallRecord[];
  untrusted(): readonly string[];
}

/** The tool by which a model finds again what was compacted, word for word. */
export function recallTool(name: string, compacted: Compacted): Tool {
  return {
    name,
    description:
      "Searches the earlier part of this work that was replaced by a summary: your own messages, tool calls and their whole results, word for word. Use it before you repeat a call.",
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 500,
          description: "Words that stand in what you look for, such as a name, an id or a title.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    readOnly: true,
    execute(input) {
      const passages = passagesOf(compacted.messages(), compacted.calls());
      const rank = rankByTerms(passages.map(({ text }) => countTerms(text)));
      const found = rank(String(input["query"]), maxPassages).flatMap((index) => passages[index] ?? []);
      const output: Json =
        found.length > 0
          ? { passages: found.map(({ from, text }) => ({ from, text })) }
          : { passages: [], note: "Nothing has these words. Use other ones." };
      return Promise.resolve({ ok: true, output, untrusted: [...compacted.untrusted()] });
    },
  };
}

/** What was said and found, cut into passages. Calls and results of the turn stand in the same order in both lists. */
function passagesOf(messages: readonly Message[], calls: readonly ToolCallRecord[]): Passage[] {
  const passages: Passage[] = [];
  const add = (from: string, whole: string) => {
    const text = firstChars(whole, maxMessageChars);
    for (let at = 0; at < text.length; at += passageChars)
      passages.push({ from, text: text.slice(at, at + passageChars) });
  };
  let results = 0;
  for (const message of messages) {
    if (message.role === "assistant") {
      add("you", messageText(message));
      for (const call of toolCalls(message)) add(`your call of ${call.toolName}`, call.arguments);
    } else if (message.role === "tool") {
      const record = calls[results];
      results += 1;
      const result = record?.toolName === message.toolName ? record.result : message.text;
      add(`result of ${message.toolName}`, typeof result === "string" ? result : JSON.stringify(result));
    }
  }
  return passages;
}

function countTerms(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const term of searchTerms(text)) terms.set(term, (terms.get(term) ?? 0) + 1);
  return terms;
}
