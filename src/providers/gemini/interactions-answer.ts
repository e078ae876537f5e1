import type { Interactions } from "@google/genai/web";
import { z } from "zod/mini";
import type { FinishReason, ModelEvent, Usage } from "../../engine/model/chat-model.ts";
import type { AssistantMessage, ImagePart, Source } from "../../engine/model/message.ts";
import { addSources, pageIn, withSources } from "../wire/sources.ts";
import { vendorError } from "../wire/vendor-error.ts";
import { warning } from "../wire/warning.ts";

/** A step of an answer. A call's arguments are kept as the text that came, since it may be no JSON. */
export interface AnswerStep {
  step: Interactions.Step;
  callArguments?: string;
}

/** What is known of an interaction besides its steps. */
export interface InteractionEnd {
  status?: string;
  usage?: Interactions.Usage;
}

/** Between two texts of one answer, such as a comment before a search and what came of it. */
export const gap = "\n\n";

/** The last events of an answer: what it brought that cannot be shown, and `finish` or `error`. */
export function ending(
  steps: readonly AnswerStep[],
  { status, usage }: InteractionEnd,
  vendor: string,
  newId: () => string,
): ModelEvent[] {
  const failure = steps.flatMap(({ step }) => (step.type === "model_output" && step.error ? [step.error] : []))[0];
  if (status === "failed" || failure) {
    const message = failure?.message ?? "It gave no reason.";
    return [{ type: "error", error: vendorError({ vendor, message }) }];
  }
  const made = toParts(steps, newId, stoppedShort.has(status));
  const calls = made.some((part) => part.type === "tool-call");
  const finish: ModelEvent = {
    type: "finish",
    message: { role: "assistant", parts: made, ...withSources(sourcesOf(steps)) },
    finishReason: mapStatus(status, calls),
    ...(status ? { rawFinishReason: status } : {}),
    ...(usage ? { usage: toUsage(usage) } : {}),
  };
  return bringsMedia(steps) ? [unseen, finish] : [finish];
}

const unseen = warning(
  "The model sent audio, video or a document, which is not shown.",
  "Ask for text, or choose another model.",
);

function bringsMedia(steps: readonly AnswerStep[]): boolean {
  return steps.some(
    ({ step }) => step.type === "model_output" && step.content?.some(({ type }) => type !== "text" && type !== "image"),
  );
}

/** The API's words for an answer that reached a number of tokens. */
const stoppedShort = new Set<string | undefined>(["incomplete", "budget_exceeded", "requires_continuation"]);

/** The API's word in ours. */
function mapStatus(status: string | undefined, calls: boolean): FinishReason {
  if (stoppedShort.has(status)) return "length";
  if (calls && (status === "completed" || status === "requires_action")) return "tool-calls";
  return status === "completed" ? "stop" : "other";
}

/** The text of one step of output. */
export function outputText(step: Interactions.ModelOutputStep): string {
  return (step.content ?? []).map((content) => (content.type === "text" ? content.text : "")).join("");
}

/** The summary of one thought. */
export function thoughtText(step: Interactions.ThoughtStep): string {
  return (step.summary ?? []).map((content) => (content.type === "text" ? (content.text ?? "") : "")).join("");
}

/** Whether a step parts the texts around it. A thought does not: the text after it, such as the rest of a JSON value, goes on. */
export function partsTexts(step: Interactions.Step): boolean {
  return step.type !== "model_output" && step.type !== "thought";
}

/** What was said so far in an answer, as far as it decides how the next text stands. */
export interface Said {
  text: string;
  parted: boolean;
}

/** Whether the next text is set apart by an empty line. */
export function standsApart({ text, parted }: Said): boolean {
  return parted && text !== "" && !text.endsWith("\n");
}

type Parts = AssistantMessage["parts"];

function toParts(steps: readonly AnswerStep[], newId: () => string, stopped: boolean): Parts {
  const parts: Parts = [];
  let said: Said = { text: "", parted: false };
  for (const [index, { step, callArguments }] of steps.entries()) {
    if (step.type === "model_output") {
      const text = outputText(step);
      if (text !== "") {
        if (standsApart(said)) parts.push({ type: "text", text: gap, vendor: { gap: true } });
        parts.push({ type: "text", text });
        said = { text, parted: false };
      }
      parts.push(...picturesOf(step));
    } else {
      said.parted ||= partsTexts(step);
      const cut = stopped && index === steps.length - 1;
      parts.push(...toPart(step, callArguments, cut, newId));
    }
  }
  return parts;
}

function picturesOf({ content = [] }: Interactions.ModelOutputStep): ImagePart[] {
  return content.flatMap((part): ImagePart[] =>
    part.type === "image" && part.data
      ? [{ type: "image", url: `data:${part.mime_type ?? "image/png"};base64,${part.data}` }]
      : [],
  );
}

/** Every step but those of text and pictures is kept as it came, since the API wants it back. */
function toPart(step: Interactions.Step, callArguments: string | undefined, cut: boolean, newId: () => string): Parts {
  switch (step.type) {
    case "user_input":
    case "function_result":
      return [];
    case "thought": {
      const text = thoughtText(step);
      return step.signature || text ? [{ type: "reasoning", text, vendor: { step: z.json().parse(step) } }] : [];
    }
    case "function_call": {
      const { name = "", arguments: given = {}, ...rest } = step;
      return [
        {
          type: "tool-call",
          callId: step.id || newId(),
          toolName: name,
          // Where the tokens ran out before any came, none are made up.
          arguments: callArguments || (cut && Object.keys(given).length === 0 ? "" : JSON.stringify(given)),
          vendor: { step: z.json().parse(rest) },
        },
      ];
    }
    default:
      return [{ type: "reasoning", text: "", vendor: { step: z.json().parse(step) } }];
  }
}

/** The pages that the text cites, and those that were read for it. */
function sourcesOf(steps: readonly AnswerStep[]): Source[] {
  const sources: Source[] = [];
  for (const { step } of steps) {
    if (step.type === "model_output") {
      for (const content of step.content ?? []) {
        if (content.type === "text") addSources(sources, (content.annotations ?? []).flatMap(pageIn));
      }
    } else if (step.type === "url_context_result") {
      const read = (step.result ?? []).filter(({ status = "success" }) => status === "success");
      addSources(sources, read.flatMap(pageIn));
    }
  }
  return sources;
}

/** Here thinking and the pages that Google's tools read are counted beside output and input, not in them. */
function toUsage(usage: Interactions.Usage): Usage {
  const thought = usage.total_thought_tokens ?? 0;
  const cached = usage.total_cached_tokens ?? 0;
  return {
    inputTokens: (usage.total_input_tokens ?? 0) + (usage.total_tool_use_tokens ?? 0),
    outputTokens: (usage.total_output_tokens ?? 0) + thought,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    ...(thought > 0 ? { reasoningTokens: thought } : {}),
  };
}
