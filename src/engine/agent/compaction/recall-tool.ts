import type { Json } from "../../json.ts";
import { type Message, messageText, toolCalls } from "../../model/message.ts";
import { rankByTerms, type WeightedTerms } from "../../tool/search/rank-by-terms.ts";
import { searchTerms } from "../../tool/search/search-terms.ts";
import type { Tool } from "../../tool/tool.ts";
import { firstChars, wellFormedText } from "../../well-formed.ts";

/** Characters of a passage, how many of them the next one has as well, and how many passages one search gives. */
const passageChars = 1_500;
const overlapChars = 200;
const maxPassages = 6;
/** Characters that are searched, of one message and in all. */
const maxMessageChars = 200_000;
const maxSearchedChars = 20_000_000;

interface Passage {
  /** Who said it, such as the name of a tool. */
  from: string;
  text: string;
  terms: WeightedTerms;
}

/** What the tool needs to know of the agent when it is called. */
interface Compacted {
  messages(): readonly Message[];
  /** The result of a call as the log has it, where the message holds what the model was given. */
  resultOf(callId: string): Json | undefined;
  untrusted(): readonly string[];
}

/** The tool by which a model finds again what was compacted, word for word as the log has it. */
export function recallTool(name: string, compacted: Compacted): Tool {
  const passagesOf = createPassages(compacted.resultOf);
  return {
    name,
    description:
      "Searches the earlier part of this work that was replaced by a summary: your own messages, tool calls and their results, word for word. Use it before you repeat a call.",
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
      const passages = passagesOf(compacted.messages());
      const rank = rankByTerms(passages.map(({ terms }) => terms));
      const found = rank(String(input["query"]), maxPassages).flatMap((index) => passages[index] ?? []);
      const output: Json =
        found.length > 0
          ? { passages: found.map(({ from, text }) => ({ from, text })) }
          : { passages: [], note: "Nothing has these words. Use other ones." };
      return Promise.resolve({ ok: true, output, untrusted: [...compacted.untrusted()] });
    },
  };
}

/** Cuts what was said and found into passages, each message once. */
function createPassages(resultOf: Compacted["resultOf"]) {
  const passages: Passage[] = [];
  let seen = 0;
  let chars = 0;

  function add(from: string, whole: string): void {
    const text = firstChars(whole, Math.min(maxMessageChars, maxSearchedChars - chars));
    chars += text.length;
    // They overlap, so that what stands at an edge is whole in one of them.
    for (let at = 0; at < text.length; at += passageChars - overlapChars) {
      const passage = wellFormedText(text.slice(at, at + passageChars));
      passages.push({ from, text: passage, terms: countTerms(passage) });
      if (at + passageChars >= text.length) break;
    }
  }

  return (messages: readonly Message[]): readonly Passage[] => {
    for (const message of messages.slice(seen)) {
      if (message.role === "assistant") {
        add("you", messageText(message));
        for (const call of toolCalls(message)) add(`your call of ${call.toolName}`, call.arguments);
      } else if (message.role === "tool") {
        const result = resultOf(message.callId) ?? message.text;
        add(`result of ${message.toolName}`, typeof result === "string" ? result : JSON.stringify(result));
      }
    }
    seen = messages.length;
    return passages;
  };
}

function countTerms(text: string): WeightedTerms {
  const terms: WeightedTerms = new Map();
  for (const term of searchTerms(text)) terms.set(term, (terms.get(term) ?? 0) + 1);
  return terms;
}
