import { z } from "zod/mini";
import { type ConfigOf, field } from "../../engine/config/field.ts";

/** What people read of OpenAI itself. */
export const vendorName = "OpenAI";

/** What errors call another server, where only its own people know its name. */
export const compatibleServer = "the OpenAI-compatible server";

const verbosities = ["default", "low", "medium", "high"] as const;
const serviceTiers = ["default", "flex", "priority"] as const;

const reasoningEfforts = ["default", "none", "minimal", "low", "medium", "high", "xhigh"] as const;

/** What a fresh node has: leaving one of these out for a model that refuses it is no surprise and needs no warning. */
export const openaiDefaults = { temperature: 0.7, topP: 1, frequencyPenalty: 0, presencePenalty: 0 };

const sampling = "Sampling";
const answer = "Answer";

const temperature = z.number().check(z.minimum(0), z.maximum(2));

/** Fields that only compatible servers have: many models of theirs have a temperature of their own. */
export const compatibleConfig = {
  temperature: field(z._default(z.nullable(temperature), null), {
    label: "Temperature",
    placeholder: "the model's own",
    help: "0 is consistent, 2 is varied. Empty: the model's own.",
  }),
};

/** Fields that both OpenAI-like nodes have. */
export const openaiConfig = {
  temperature: field(z._default(temperature, openaiDefaults.temperature), {
    label: "Temperature",
    help: "0 is consistent, 2 is varied. Reasoning models do not take it.",
  }),
  maxTokens: field(z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))), null), {
    label: "Max tokens",
    placeholder: "the model's own limit",
    help: "The longest answer, in tokens. Reasoning models include their thinking. Empty: the model's own limit.",
  }),
  streaming: field(z._default(z.boolean(), true), {
    label: "Streaming",
    help: "Shows the answer while it is written.",
  }),
  jsonMode: field(z._default(z.boolean(), false), {
    label: "JSON mode",
    help: "The answer is always one JSON object.",
    section: answer,
  }),
  stop: field(z._default(z.array(z.string().check(z.minLength(1), z.maxLength(500))).check(z.maxLength(4)), []), {
    label: "Stop sequences",
    help: "Up to four texts that end the answer.",
    control: "string-list",
    section: answer,
  }),
  parallelToolCalls: field(z._default(z.boolean(), true), {
    label: "Several tool calls at once",
    help: "Lets the model call more than one tool at once.",
    section: answer,
  }),
  reasoningEffort: field(z._default(z.enum(reasoningEfforts), "default"), {
    label: "Reasoning effort",
    help: "How long a reasoning model thinks. Default leaves it to the model.",
    section: answer,
  }),
  topP: field(z._default(z.number().check(z.minimum(0), z.maximum(1)), openaiDefaults.topP), {
    label: "Top P",
    help: "Considers only the likeliest words up to this share. Change this or the temperature, not both.",
    section: sampling,
  }),
  frequencyPenalty: field(z._default(z.number().check(z.minimum(-2), z.maximum(2)), openaiDefaults.frequencyPenalty), {
    label: "Frequency penalty",
    help: "Above 0, words that were used often become less likely.",
    section: sampling,
  }),
  presencePenalty: field(z._default(z.number().check(z.minimum(-2), z.maximum(2)), openaiDefaults.presencePenalty), {
    label: "Presence penalty",
    help: "Above 0, words that were used at all become less likely.",
    section: sampling,
  }),
  seed: field(z.optional(z.int()), {
    label: "Seed",
    help: "The same seed and settings give nearly the same answer. Empty: none.",
    section: sampling,
  }),
};

/** Fields that only OpenAI itself has; "default" leaves it to the vendor. */
export const ownConfig = {
  webSearch: field(z._default(z.boolean(), false), {
    label: "Web search",
    help: "Lets the model search the web when it wants to; OpenAI charges for each search. Needs the Responses API.",
    section: answer,
  }),
  imageGeneration: field(z._default(z.boolean(), false), {
    label: "Image generation",
    help: "Lets the model make pictures when it wants to; OpenAI charges for each, which no spending limit counts. Needs the Responses API.",
    section: answer,
  }),
  verbosity: field(z._default(z.enum(verbosities), "default"), {
    label: "Verbosity",
    help: "How much models from GPT-5 on write. Default leaves it to the model.",
    section: answer,
  }),
  serviceTier: field(z._default(z.enum(serviceTiers), "default"), {
    label: "Service tier",
    help: "Flex is cheaper and slower, priority faster and dearer. Default is what your project is set to.",
    section: answer,
  }),
};

/** The settings that both OpenAI APIs are driven by. */
export type OpenaiSettings = Omit<ConfigOf<typeof openaiConfig>, "temperature"> & {
  model: string;
  /** null: the server's own. */
  temperature: number | null;
  /** What only OpenAI itself has. */
  own?: ConfigOf<typeof ownConfig>;
};
