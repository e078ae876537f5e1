import {
  doneMark,
  finalInstruction,
  nextRoundHeading,
  planInstruction,
  repairInstruction,
  reviewHeading,
  reviewInstruction,
} from "../../engine/agent/turn/instructions.ts";
import { isJsonObject, type Json, type JsonObject, type JsonSchema, parseJson } from "../../engine/json.ts";
import type { ModelRequest, ToolDefinition } from "../../engine/model/chat-model.ts";
import { type Message, messageText, toolCalls, type ToolMessage } from "../../engine/model/message.ts";
import { spokenArithmetic } from "./arithmetic.ts";
import { exampleOf } from "./example-of.ts";
import { findField } from "./find-field.ts";
import { judgeText } from "./judge-text.ts";
import { quoteKnowledge } from "./quote-knowledge.ts";
import { writeSummary } from "./write-summary.ts";

/** What the agent itself puts into a conversation, which no person said. */
const instructions = [
  finalInstruction,
  repairInstruction,
  planInstruction,
  reviewInstruction,
  reviewHeading,
  nextRoundHeading,
];

/** What the request is about: the last message of a person, what came before it, and the results since. */
interface Situation {
  question: string;
  /** Earlier messages of the person, oldest first. */
  earlier: string[];
  results: ToolMessage[];
  /** What the agent itself asks for at the end, such as a plan; empty when it is the person's turn. */
  instruction: string;
}

function isInstruction(text: string): boolean {
  return instructions.some((instruction) => text.includes(instruction));
}

/** Reads a conversation from the demo model's point of view. */
export function readSituation(messages: readonly Message[]): Situation {
  const situation: Situation = { question: "", earlier: [], results: [], instruction: "" };
  for (const message of messages) {
    if (message.role === "tool") {
      situation.results.push(message);
      situation.instruction = "";
    } else if (message.role === "user") {
      const text = messageText(message).trim();
      if (isInstruction(text)) {
        situation.instruction = text;
      } else {
        if (situation.question !== "") situation.earlier.push(situation.question);
        situation.question = text;
        situation.results = [];
        situation.instruction = "";
      }
    }
  }
  return situation;
}

function quote(text: string): string {
  return `“${text.length > 200 ? `${text.slice(0, 200)}…` : text}”`;
}

/** What matters of a result: the body of an answer over HTTP, without what surrounds it; JSON laid out as code. */
function resultText(text: string): string {
  const value = parseJson(text);
  const told = isJsonObject(value) && "status" in value && "body" in value ? (value["body"] ?? null) : value;
  const isPlain = told === undefined || typeof told !== "object" || told === null;
  const shown = isPlain ? (typeof told === "string" ? told : text) : JSON.stringify(told, null, 2);
  const cut = shown.length > 600 ? `${shown.slice(0, 600)}…` : shown;
  return isPlain ? ` ${cut}` : `\n\n\`\`\`json\n${cut}\n\`\`\``;
}

/** What a call was given, by the name of the argument. */
function inputOf(messages: readonly Message[], callId: string): JsonObject {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? toolCalls(message) : []));
  const input = parseJson(calls.find((call) => call.callId === callId)?.arguments ?? "");
  return isJsonObject(input) ? input : {};
}

function resultSentence(result: ToolMessage, messages: readonly Message[], question: string): string {
  const { ok, text, toolName, callId } = result;
  if (!ok) return `I tried ${toolName}, but it failed.${resultText(text)}`;
  const quoted = quoteKnowledge(parseJson(text));
  if (quoted !== undefined) return quoted;
  const { expression, url } = inputOf(messages, callId);
  if (typeof expression === "string" && /^-?[\d.e+-]+$/i.test(text))
    return `${spokenArithmetic(question) ?? expression} is ${text}.`;
  return `${typeof url === "string" ? `I read ${url}. It says` : `I asked ${toolName}. It says`}:${resultText(text)}`;
}

function nameIn(texts: readonly string[]): string | undefined {
  for (const text of texts.toReversed()) {
    const name = /\bmy name(?: is|'s|’s)\s+([\p{L}][\p{L}'’-]*)/iu.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** What an agent with these tools can do on the demo model. */
function abilities(tools: readonly ToolDefinition[]): string {
  const has = (test: RegExp) => tools.some((tool) => test.test(JSON.stringify(tool.parameters["properties"] ?? {})));
  const known = [
    ...(has(/"expression"/) ? ["work out a calculation such as 12.5% of 480"] : []),
    ...(has(/"url"/) ? ["read a web address"] : []),
    ...(has(/"query"/) ? ["look something up"] : []),
    "remember what you tell me",
  ];
  const last = known.pop() ?? "";
  return `I can ${known.length === 0 ? last : `${known.join(", ")} and ${last}`}.`;
}

function chat({ question, earlier }: Situation, tools: readonly ToolDefinition[]): string {
  if (/\b(?:what(?:'s| is)|do you (?:know|remember)|tell me) my name\b/i.test(question)) {
    const name = nameIn(earlier);
    return name === undefined ? "You have not told me your name yet." : `Your name is ${name}.`;
  }
  if (
    /\b(?:what|which)\b.*\b(?:did|have) i\b|\b(?:before|earlier|previous(?:ly)?|last (?:question|message))\b/i.test(
      question,
    )
  )
    return earlier.length === 0
      ? "You have not asked me anything before."
      : `Before this you said: ${earlier.slice(-5).map(quote).join(", then ")}.`;
  const name = nameIn([question]);
  if (name !== undefined) return `Nice to meet you, ${name}. Ask me for your name later and I will know it.`;
  if (/^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[\s!.,]*$/i.test(question))
    return `Hello, nice to hear from you. ${abilities(tools)}`;
  if (/\b(?:what can you|help me|who are you)\b/i.test(question)) return abilities(tools);
  const said = `You said ${quote(question)}, which is more than a demo model understands.`;
  return earlier.length === 0
    ? `${said} ${abilities(tools)}`
    : `${said} Earlier you said ${earlier.slice(-3).map(quote).join(", then ")}.`;
}

const plan = `1. Read the question.
2. Call the tools that fit it, if there are any.
3. Answer with what they gave.`;

/** The schema of a json request, also where the system prompt asks for JSON in words only. */
function jsonAnswer(schema: JsonSchema | undefined, text: string, question: string): string {
  if (!schema) return JSON.stringify({ answer: text });
  const value = exampleOf(schema, text);
  const { properties } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, example]): [string, Json] => {
    const field = properties[name];
    return [name, (isJsonObject(field) ? findField(name, field, question) : undefined) ?? example];
  });
  return JSON.stringify(Object.fromEntries(fields));
}

/** The text of an answer that makes no tool calls. */
export function writeAnswer(request: ModelRequest): string {
  const asked = writeSummary(request.messages) ?? judgeText(request.messages);
  if (asked !== undefined) return asked;
  const situation = readSituation(request.messages);
  const { instruction, results } = situation;
  if (instruction.includes(planInstruction)) return plan;
  const facts =
    results.length > 0
      ? results.map((result) => resultSentence(result, request.messages, situation.question)).join("\n\n")
      : chat(situation, request.tools);
  if (instruction.includes(reviewInstruction))
    return `So far ${results.length} tool result${results.length === 1 ? "" : "s"} came back, ${results.filter((result) => !result.ok).length} failed. Next: answer with what is there.`;
  if (request.responseFormat.type === "json")
    return jsonAnswer(request.responseFormat.schema, facts, situation.question);
  return instruction.includes(nextRoundHeading) ? `${facts}\n${doneMark}` : facts;
}
