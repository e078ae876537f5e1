import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";

/** What people read of the vendor. */
export const vendorName = "Anthropic";

const efforts = ["default", "low", "medium", "high", "xhigh", "max"] as const;
const cacheDurations = ["5m", "1h"] as const;

const sampling = "Sampling";
const thinking = "Thinking";

/** What a fresh node has: leaving one of these out for a model that refuses it is no surprise and needs no warning. */
export const anthropicDefaults = { temperature: 0.7, topP: 1, topK: 0, thinkingBudget: 0 };

/** The settings of the node besides its credential and model. */
export const anthropicConfig = z.object({
  temperature: field(z._default(z.number().check(z.minimum(0), z.maximum(1)), anthropicDefaults.temperature), {
    label: "Temperature",
    help: "0 is consistent, 1 is varied. Models after 4.6 do not take it.",
  }),
  maxTokens: field(z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))), null), {
    label: "Max tokens",
    placeholder: "as much as the model allows",
    help: "The longest answer, in tokens. Models from 5 on include their thinking, so allow more. Empty: as much as the model allows, up to 32,000.",
  }),
  parallelToolCalls: field(z._default(z.boolean(), true), {
    label: "Several tool calls at once",
    help: "Lets the model call more than one tool at once.",
  }),
  streaming: field(z._default(z.boolean(), true), {
    label: "Streaming",
    help: "Shows the answer while it is written.",
  }),
  stop: field(z._default(z.array(z.string().check(z.minLength(1), z.maxLength(500))).check(z.maxLength(20)), []), {
    label: "Stop sequences",
    help: "Texts that end the answer.",
    control: "string-list",
  }),
  webSearch: field(z._default(z.boolean(), false), {
    label: "Web search",
    help: "Lets the model search the web when it wants to, up to five times per answer; Anthropic charges for each search. Models from 3.5 on.",
  }),
  promptCaching: field(z._default(z.boolean(), true), {
    label: "Prompt caching",
    help: "Later model calls read the conversation so far from the vendor's cache, which is cheaper and faster.",
  }),
  cacheDuration: field(z._default(z.enum(cacheDurations), "5m"), {
    label: "Keep in the cache for",
    help: "Each use starts the time again. One hour costs more to write; it pays off when messages come minutes apart.",
    optionTitles: { "5m": "5 minutes", "1h": "1 hour" },
    visibleWhen: { field: "promptCaching", in: [true] },
  }),
  thinkingBudget: field(z._default(z.int().check(z.minimum(0), z.maximum(128_000)), anthropicDefaults.thinkingBudget), {
    label: "Thinking budget",
    help: "Tokens to think with before the answer, at least 1024. 0 leaves it to the model: off up to 4.8, on from 5.",
    section: thinking,
  }),
  effort: field(z._default(z.enum(efforts), "default"), {
    label: "Effort",
    help: "How much models from 4.6 on think and write.",
    section: thinking,
  }),
  topP: field(z._default(z.number().check(z.minimum(0), z.maximum(1)), anthropicDefaults.topP), {
    label: "Top P",
    help: "Considers only the likeliest words up to this share. Takes the place of the temperature.",
    section: sampling,
  }),
  topK: field(z._default(z.int().check(z.minimum(0), z.maximum(500)), anthropicDefaults.topK), {
    label: "Top K",
    help: "Considers only this many of the likeliest words. 0 for no limit.",
    section: sampling,
  }),
});

/** A Claude call's settings. */
export type AnthropicSettings = z.infer<typeof anthropicConfig> & { model: string };
