import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { openaiDefaults, reasoningEfforts } from "./settings.ts";

const sampling = "Sampling";
const answer = "Answer";

/** Fields that both OpenAI-like nodes have. */
export const openaiConfig = {
  temperature: field(z.number().min(0).max(2).default(openaiDefaults.temperature), {
    label: "Temperature",
    help: "0 is consistent, 2 is varied. Reasoning models do not take it.",
  }),
  maxTokens: field(z.number().int().min(1).max(1_000_000).nullable().default(null), {
    label: "Max tokens",
    placeholder: "the model's own limit",
    help: "The longest answer, in tokens. Reasoning models include their thinking. Empty: the model's own limit.",
  }),
  streaming: field(z.boolean().default(true), {
    label: "Streaming",
    help: "Show the answer while it is written.",
  }),
  jsonMode: field(z.boolean().default(false), {
    label: "JSON mode",
    help: "The answer is always one JSON object.",
    section: answer,
  }),
  stop: field(z.array(z.string().min(1).max(500)).max(4).default([]), {
    label: "Stop sequences",
    help: "Up to four texts that end the answer.",
    control: "string-list",
    section: answer,
  }),
  parallelToolCalls: field(z.boolean().default(true), {
    label: "Several tool calls at once",
    help: "Lets the model ask for more than one tool call in a turn.",
    section: answer,
  }),
  reasoningEffort: field(z.enum(reasoningEfforts).default("default"), {
    label: "Reasoning effort",
    help: "How long a reasoning model thinks. Default leaves it to the model.",
    section: answer,
  }),
  topP: field(z.number().min(0).max(1).default(openaiDefaults.topP), {
    label: "Top P",
    help: "Considers only the likeliest words up to this share. Change this or the temperature, not both.",
    section: sampling,
  }),
  frequencyPenalty: field(z.number().min(-2).max(2).default(openaiDefaults.frequencyPenalty), {
    label: "Frequency penalty",
    help: "Above 0, words that were used often become less likely.",
    section: sampling,
  }),
  presencePenalty: field(z.number().min(-2).max(2).default(openaiDefaults.presencePenalty), {
    label: "Presence penalty",
    help: "Above 0, words that were used at all become less likely.",
    section: sampling,
  }),
  seed: field(z.number().int().optional(), {
    label: "Seed",
    help: "The same seed and settings give nearly the same answer. Empty: none.",
    section: sampling,
  }),
};
