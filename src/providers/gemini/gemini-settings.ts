import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";

/** What people read of the vendor. */
export const vendorName = "Gemini";

const thinkingLevels = ["default", "minimal", "low", "medium", "high"] as const;
const safetyThresholds = ["default", "off", "none", "only-high", "medium-and-above", "low-and-above"] as const;
const geminiApis = ["auto", "interactions", "generate-content"] as const;
export type SafetyThreshold = (typeof safetyThresholds)[number];

const sampling = "Sampling";
const thinking = "Thinking";

const geminiDefaults = { topP: 1, topK: 0, thinkingBudget: -1 };

function safety(label: string) {
  return field(z._default(z.enum(safetyThresholds), "default"), {
    label,
    help: "How likely it has to be for Gemini to block it. Default: the vendor's.",
    section: "Safety",
  });
}

/** The settings of the node besides its credential and model. */
export const geminiConfig = z.object({
  temperature: field(z._default(z.nullable(z.number().check(z.minimum(0), z.maximum(2))), null), {
    label: "Temperature",
    placeholder: "the model's own",
    help: "0 is consistent, 2 is varied. Empty: the model's own, which Google advises for Gemini 3.",
  }),
  maxTokens: field(z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))), null), {
    label: "Max tokens",
    placeholder: "the model's own limit",
    help: "The longest answer, in tokens. Thinking counts, so allow thinking models more. Empty: the model's own limit.",
  }),
  googleSearch: field(z._default(z.boolean(), false), {
    label: "Google Search",
    help: "Lets the model search the web when it wants to; Google charges for it. Beside tools only from Gemini 3 on.",
  }),
  urlContext: field(z._default(z.boolean(), false), {
    label: "URL context",
    help: "Lets the model read web pages that the conversation names. Beside tools only from Gemini 3 on.",
  }),
  streaming: field(z._default(z.boolean(), true), {
    label: "Streaming",
    help: "Shows the answer while it is written.",
  }),
  jsonMode: field(z._default(z.boolean(), false), {
    label: "JSON mode",
    help: "The answer is always JSON.",
  }),
  stop: field(z._default(z.array(z.string().check(z.minLength(1), z.maxLength(500))).check(z.maxLength(5)), []), {
    label: "Stop sequences",
    help: "Up to five texts that end the answer.",
    control: "string-list",
  }),
  api: field(z._default(z.enum(geminiApis), "auto"), {
    label: "API",
    help: "Auto uses Interactions, Google's newer API, where the model, the settings and the conversation allow it. Choose generateContent for a gateway that has nothing else.",
    optionTitles: { auto: "Auto", interactions: "Interactions", "generate-content": "generateContent" },
  }),
  thinkingBudget: field(z._default(z.int().check(z.minimum(-1), z.maximum(65_536)), geminiDefaults.thinkingBudget), {
    label: "Thinking budget",
    help: "Tokens to think with before the answer. -1 leaves it to the model, 0 turns it off where that is possible.",
    section: thinking,
  }),
  thinkingLevel: field(z._default(z.enum(thinkingLevels), "default"), {
    label: "Thinking level",
    help: "How much models from 3 on think. Takes the place of the budget.",
    section: thinking,
  }),
  topP: field(z._default(z.number().check(z.minimum(0), z.maximum(1)), geminiDefaults.topP), {
    label: "Top P",
    help: "Considers only the likeliest words up to this share. 1 leaves it to the model.",
    section: sampling,
  }),
  topK: field(z._default(z.int().check(z.minimum(0), z.maximum(500)), geminiDefaults.topK), {
    label: "Top K",
    help: "Considers only this many of the likeliest words. 0 leaves it to the model.",
    section: sampling,
  }),
  seed: field(z.optional(z.int()), {
    label: "Seed",
    help: "The same seed and settings give nearly the same answer. Empty: none.",
    section: sampling,
  }),
  harassment: safety("Harassment"),
  hateSpeech: safety("Hate speech"),
  sexuallyExplicit: safety("Sexually explicit"),
  dangerousContent: safety("Dangerous content"),
});

/** A Gemini call's settings. */
export type GeminiSettings = z.infer<typeof geminiConfig> & { model: string };
