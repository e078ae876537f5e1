import { boundedCheck } from "../../json-schema/bounded-check.ts";
import type { SchemaCheck } from "../../json-schema/schema-verdict.ts";
import type { Json } from "../../json.ts";
import { assistantMessage, userMessage } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import type { AgentEnding } from "../ending.ts";
import { type AgentLoop, askModel } from "./agent-loop.ts";
import { repairQuestion } from "./instructions.ts";
import type { RoundResult } from "./rounds.ts";

/** An answer read as JSON, or why it is not what was asked for. */
type ReadAnswer = { ok: true; value: Json } | { ok: false; reason: string };

/** The JSON in a text: all of it, or what stands in its one code fence. */
function bare(text: string): string {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?\s*```/i.exec(text);
  return (fenced?.[1] ?? text).trim();
}

/** Reads and checks a JSON answer. Rejects only when the check is aborted. */
async function readJson(text: string, check: SchemaCheck | null): Promise<ReadAnswer> {
  let value: Json;
  try {
    value = JSON.parse(bare(text));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: `It is not valid JSON (${cause}).` };
  }
  const checked = check ? await check(value) : { ok: true as const };
  return checked.ok ? { ok: true, value } : { ok: false, reason: `It does not fit the schema. ${checked.reason}` };
}

/** The output of an agent that should answer in JSON but stopped early: an error with the text so far. */
function stoppedEarly({ finish, message, hint }: AgentEnding, text: string): Json {
  return { error: { finishReason: finish, message, hint, text } };
}

/**
 * The answer as JSON, after one repair attempt if the model had finished its answer. Rejects with a RunError where the repair
 * does not help either.
 */
export async function jsonAnswer(loop: AgentLoop, result: RoundResult): Promise<{ value: Json; text: string }> {
  const { run, conversation, offered: tools } = loop;
  const { outputSchema, onIterationLimit } = run.settings;
  const { text: answer, ending } = result;
  const check = outputSchema && boundedCheck(run.host, outputSchema, () => loop.deadline.signal);
  const first = await readJson(answer, check);
  if (first.ok) return { value: first.value, text: answer };
  const finished =
    ending === undefined ||
    ending.finish === "max_rounds" ||
    (ending.finish === "max_iterations" && onIterationLimit === "answer" && !result.unanswered);
  if (ending && !finished) return { value: stoppedEarly(ending, answer), text: answer };
  const messages = [...conversation.messages()];
  if (messages.at(-1)?.role !== "assistant") messages.push(assistantMessage(answer));
  messages.push(userMessage(repairQuestion(first.reason)));
  const { text } = await askModel(loop, "repair", { messages, tools, toolChoice: "none" });
  const second = await readJson(text, check);
  if (second.ok) return { value: second.value, text };
  throw new RunError({
    code: "model_error",
    message: `The model did not give the JSON that was asked for, not even after a repair. ${second.reason}`,
    hint: "Simplify the JSON Schema, describe the format in the system prompt, or choose a stronger model.",
    nodeId: run.nodeId,
    cause: text.slice(0, 2_000),
  });
}
