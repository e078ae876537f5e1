import { z } from "zod/mini";
import type { AskModel } from "./ask-model.ts";
import { guardInstruction, guardRuleHeading } from "../../../engine/trust/guard-instructions.ts";
import { firstChars } from "../../../engine/well-formed.ts";
import { type JsonSchema, parseJson } from "../../../engine/json.ts";
import { userMessage } from "../../../engine/model/message.ts";
import { RunError } from "../../../engine/errors.ts";

/** The model's answer. Nothing else may stand in it. */
const verdictSchema = z.strictObject({
  flagged: z.boolean(),
  confidence: z.number().check(z.minimum(0), z.maximum(1)),
  reason: z.string(),
});

/** The same for the model. */
const verdictJsonSchema: JsonSchema = {
  type: "object",
  properties: {
    flagged: { type: "boolean", description: "Whether the text breaks the rule." },
    confidence: { type: "number", description: "How sure you are of that, from 0 to 1." },
    reason: { type: "string", description: "Why, in one short sentence." },
  },
  required: ["flagged", "confidence", "reason"],
  additionalProperties: false,
};

/** Characters that a model is given to check, some 25,000 tokens. */
const mostChecked = 100_000;
const longestReason = 300;

/** A check by a model. */
interface ModelCheck {
  rule: string;
  /** From which confidence on a flagged text fails. */
  threshold: number;
  timeoutMs: number;
}

/**
 * Why a text fails by a model's judgement; undefined when it passes. What cannot be checked fails: a text that is too long, a
 * model that fails, an answer that is not the JSON asked for. Rejects when the run is stopped, and at a spending limit, which ends
 * the run wherever a model is called.
 */
export async function modelCheckFailure(
  ask: AskModel | undefined,
  text: string,
  { rule, threshold, timeoutMs }: ModelCheck,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!ask) return unchecked("no model is connected.");
  if (text.length > mostChecked)
    return unchecked(`it has ${text.length} characters; a model is given ${mostChecked} at most.`);
  let answer: string;
  try {
    const messages = [
      { role: "system" as const, text: `${guardInstruction}\n\n${guardRuleHeading}\n${rule}` },
      // As JSON the text cannot end its own quotation.
      userMessage(JSON.stringify({ text })),
    ];
    answer = await ask({ purpose: "check", messages, schema: verdictJsonSchema, timeoutMs });
  } catch (error) {
    if (signal.aborted || !(error instanceof RunError) || error.data.code === "budget") throw error;
    return unchecked(error.message);
  }
  const verdict = readVerdict(answer);
  if (!verdict) return unchecked("the model's answer could not be read.");
  if (!verdict.flagged || verdict.confidence < threshold) return undefined;
  const percent = Math.round(verdict.confidence * 100);
  return `${firstChars(verdict.reason.trim(), longestReason) || "The model flagged the text."} (${percent}% sure)`;
}

function unchecked(why: string): string {
  return `The text could not be checked: ${why}`;
}

/** The one JSON object that the whole answer is, or that stands in the code fence around it. */
function readVerdict(answer: string): z.infer<typeof verdictSchema> | undefined {
  const fenced = /^```(?:json)?\n([^`]*)```$/i.exec(answer.trim());
  return verdictSchema.safeParse(parseJson(fenced?.[1] ?? answer)).data;
}
