import type { ListedModel, ModelList } from "./listed-model.ts";

/** The day on which the lists below were last compared with the vendors' pages. */
export const comparedOn = "2026-11-27";

const gpt = { inputTokens: 922_000, outputTokens: 128_000, reads: ["image", "pdf"], tools: true } satisfies ListedModel;
const claude = {
  inputTokens: 1_000_000,
  outputTokens: 128_000,
  reads: ["image", "pdf"],
  tools: true,
} satisfies ListedModel;
const geminis = {
  inputTokens: 1_048_576,
  outputTokens: 65_536,
  reads: ["image", "pdf", "audio"],
  tools: true,
} satisfies ListedModel;

/** Input and cache cost twice as much above 272,000 tokens of input, output half as much again. */
function gptPrice(input: number, output: number, cached: number): ListedModel {
  return { input, output, cached, long: [272_000, input * 2, rounded(output * 1.5), cached * 2] };
}

function rounded(price: number): number {
  return Number(price.toFixed(4));
}

/** OpenAI's newer models: developers.openai.com/api/docs/pricing and the models' pages beside it. */
const openai: ModelList = {
  "gpt-5.6-luna": { ...gptPrice(0.2, 1.2, 0.02), ...gpt, released: "2026-07-09", family: "gpt-luna" },
  "gpt-5.6-terra": { ...gptPrice(2, 12, 0.2), ...gpt, released: "2026-07-09", family: "gpt-terra" },
  "gpt-5.6-sol": { ...gptPrice(4, 20, 0.4), ...gpt, released: "2026-07-09", family: "gpt-sol" },
  "gpt-6-astra": { ...gptPrice(10, 50, 1), ...gpt, released: "2026-09-03", family: "gpt-astra" },
  "gpt-6-luna": { ...gptPrice(0.1, 0.5, 0.01), ...gpt, released: "2026-09-22", family: "gpt-luna" },
  "gpt-6-sol": { ...gptPrice(2, 10, 0.2), ...gpt, released: "2026-09-22", family: "gpt-sol" },
  "gpt-6.1-sol": { ...gptPrice(2, 10, 0.1), ...gpt, released: "2026-09-29", family: "gpt-sol" },
  "gpt-6.1-terra": { ...gptPrice(1, 5, 0.05), ...gpt, released: "2026-10-26", family: "gpt-terra" },
  "gpt-6.2-astra": { ...gptPrice(8, 40, 0.4), ...gpt, released: "2026-11-17", family: "gpt-astra" },
  "gpt-6.2-sol": { ...gptPrice(2, 10, 0.1), ...gpt, released: "2026-11-17", family: "gpt-sol" },
};

/** Anthropic's: platform.claude.com/docs/en/about-claude/pricing, without surcharges for cache writes. */
const anthropic: ModelList = {
  "claude-opus-5": { input: 5, output: 25, cached: 0.5, ...claude, released: "2026-07-24", family: "claude-opus" },
  "claude-fable-5-1": {
    input: 10,
    output: 50,
    cached: 0.25,
    ...claude,
    released: "2026-09-01",
    family: "claude-fable",
  },
  "claude-opus-5-5": { input: 4, output: 20, cached: 0.2, ...claude, released: "2026-09-22", family: "claude-opus" },
  "claude-sonnet-5-5": {
    input: 2,
    output: 10,
    cached: 0.1,
    ...claude,
    released: "2026-09-28",
    family: "claude-sonnet",
  },
  "claude-haiku-5-5": {
    input: 0.1,
    output: 0.5,
    cached: 0.01,
    long: [100_000, 0.5, 2.5, 0.05],
    ...claude,
    released: "2026-10-07",
    family: "claude-haiku",
  },
  // What its cached input costs is not known.
  "claude-fable-5-2": { input: 8, output: 40, ...claude, released: "2026-11", family: "claude-fable" },
};

/**
 * Google's: ai.google.dev/gemini-api/docs/pricing. Where a price rises soon (Argon on 1 December 2026, Flash on 1 January 2027), it is
 * the later one: a spending limit must not let through too much.
 */
const flash = { input: 1.5, output: 7.5, cached: 0.15, ...geminis, family: "gemini-flash" } satisfies ListedModel;
const flashLite = {
  input: 0.3,
  output: 2.5,
  cached: 0.03,
  ...geminis,
  family: "gemini-flash-lite",
} satisfies ListedModel;
const gemini: ModelList = {
  "gemini-3.5-flash-lite": { ...flashLite, released: "2026-07-21" },
  "gemini-flash-lite-latest": { ...flashLite, released: "2026-07-21" },
  "gemini-3.6-flash": { ...flash, released: "2026-07-21" },
  "gemini-3.7-flash": { ...flash, released: "2026-08" },
  "gemini-3.8-flash": { ...flash, released: "2026-09-02" },
  "gemini-flash-latest": { ...flash, released: "2026-09-02" },
  "gemini-4-argon": {
    input: 4,
    output: 20,
    cached: 0.2,
    ...geminis,
    released: "2026-10-13",
    family: "gemini-argon",
  },
};

/** Models that models.dev does not know yet, or knows otherwise than the vendors' pages do. */
export const newerModels: Readonly<Record<string, ModelList>> = { openai, anthropic, gemini };

/**
 * The days from which models answer no more; a name stands for its dated versions as well. OpenAI:
 * developers.openai.com/api/docs/deprecations, Anthropic: platform.claude.com/docs/en/about-claude/model-deprecations, Google:
 * ai.google.dev/gemini-api/docs/deprecations and its changelog (a request for a retired Flash is answered by a newer one).
 */
export const retirements: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  openai: {
    "2026-10-23": [
      "gpt-3.5-turbo",
      "gpt-4",
      "gpt-4-turbo",
      "gpt-4o-2024-05-13",
      "gpt-4.1-nano",
      "o1",
      "o1-pro",
      "o3-mini",
      "o4-mini",
    ],
    "2026-12-11": ["gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-5-pro", "o3", "o3-pro"],
    "2027-01-14": ["gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-4.1-mini"],
    "2027-04-01": ["gpt-5.1"],
  },
  anthropic: {
    "2025-07-21": ["claude-2.0", "claude-2.1", "claude-3-sonnet"],
    "2025-10-28": ["claude-3-5-sonnet"],
    "2026-01-05": ["claude-3-opus"],
    "2026-02-19": ["claude-3-7-sonnet", "claude-3-5-haiku"],
    "2026-06-15": ["claude-sonnet-4-0", "claude-sonnet-4", "claude-opus-4-0", "claude-opus-4"],
    "2026-11-30": ["claude-sonnet-4-5"],
  },
  gemini: {
    "2026-03-09": ["gemini-3-pro-preview"],
    "2026-06-01": ["gemini-2.0-flash", "gemini-2.0-flash-lite"],
    "2026-10-08": ["gemini-3.5-flash", "gemini-3.7-flash"],
    "2026-12-01": ["gemini-2.5-pro", "gemini-2.5-flash"],
  },
};

/** The newest general models of each vendor, the one to begin with first. */
export const suggestedModels = {
  openai: ["gpt-6-luna", "gpt-6.1-terra", "gpt-6.2-sol", "gpt-6.2-astra"],
  anthropic: ["claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5", "claude-fable-5-2"],
  gemini: ["gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-4-argon"],
} as const;
