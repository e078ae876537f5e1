import { describe, expect, it } from "vitest";
import { vendorError, type VendorRefusal } from "./vendor-error.ts";

const named = { vendor: "Acme", credential: "Work key" };

type Case = [what: string, refusal: Partial<VendorRefusal>, code: string, retryable: boolean, hint: RegExp];

/** What vendors' error pages list, in their words. */
const aboutKey: Case[] = [
  ["a wrong key", { status: 401, message: "Incorrect API key provided." }, "invalid_credentials", false, /key/],
  ["Google's wrong key", { status: 400, message: "API key not valid." }, "invalid_credentials", false, /key/],
  [
    "a missing right",
    { status: 403, message: "Your project lacks access." },
    "invalid_credentials",
    false,
    /permission/,
  ],
  [
    "an unknown model",
    { status: 404, message: "The model does not exist." },
    "invalid_config",
    false,
    /model.*base URL/,
  ],
  ["too many calls", { status: 429, message: "Rate limit reached." }, "rate_limit", true, /Wait/],
  ["an empty account", { status: 429, code: "insufficient_quota", message: "Quota." }, "rate_limit", false, /credit/],
  [
    "an empty Kimi account",
    { status: 429, type: "exceeded_current_quota_error", message: "Your account is suspended." },
    "rate_limit",
    false,
    /credit/,
  ],
  [
    "an empty xAI account",
    { status: 429, message: "Your team has either used all available credits or reached its limit." },
    "rate_limit",
    false,
    /credit/,
  ],
  [
    "Groq's tokens per minute",
    {
      status: 429,
      code: "rate_limit_exceeded",
      type: "tokens",
      message:
        "Rate limit reached for model `m` on tokens per minute (TPM): Limit 12000, Used 4437, Requested 9854. Please try again in 11.455s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing",
    },
    "rate_limit",
    true,
    /Wait/,
  ],
  [
    "Google's quota per minute",
    {
      status: 429,
      code: "RESOURCE_EXHAUSTED",
      message: "You exceeded your current quota, please check your plan and billing details.",
    },
    "rate_limit",
    true,
    /Wait/,
  ],
  [
    "a spent daily quota",
    { status: 429, spent: true, message: "You exceeded your current quota." },
    "rate_limit",
    false,
    /tomorrow/,
  ],
  ["xAI's wrong key", { status: 400, message: "Incorrect API key provided: xx." }, "invalid_credentials", false, /key/],
  [
    "an empty Gemini account",
    { status: 429, code: "RESOURCE_EXHAUSTED", message: "Your prepayment credits are depleted." },
    "rate_limit",
    false,
    /credit/,
  ],
  ["an unpaid account", { status: 402, message: "Payment required." }, "rate_limit", false, /credit/],
];
const aboutElse: Case[] = [
  ["a failing server", { status: 500, message: "Oops." }, "model_error", true, /status page/],
  ["an overloaded one", { status: 529, type: "overloaded_error", message: "Overloaded" }, "model_error", true, /again/],
  ["a slow one", { status: 504, message: "Gateway timeout" }, "timeout", true, /faster/],
  ["a wrong setting", { status: 400, message: "top_p must be below 1." }, "model_error", false, /settings/],
  [
    "a request above Groq's limit per minute",
    {
      status: 413,
      code: "rate_limit_exceeded",
      message: "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000.",
    },
    "context_length",
    false,
    /smaller/,
  ],
  [
    "a prompt that OpenAI will not take",
    { status: 400, code: "invalid_prompt", message: "Invalid prompt: your prompt was flagged." },
    "content_filter",
    false,
    /Rephrase/,
  ],
  [
    "a moderated prompt",
    { status: 403, message: "Your chosen model requires moderation and your input was flagged." },
    "content_filter",
    false,
    /Rephrase/,
  ],
  [
    "a prompt too long for Claude's answer",
    { status: 400, message: "input length and `max_tokens` exceed context limit: 199846 + 20000 > 200000" },
    "context_length",
    false,
    /fewer/,
  ],
  [
    "a prompt too long for Perplexity",
    { status: 400, type: "too_many_prompt_tokens", message: "Prompt of 130000 tokens." },
    "context_length",
    false,
    /fewer/,
  ],
  ["a long prompt", { status: 400, message: "prompt is too long" }, "context_length", false, /fewer/],
];

describe("vendorError", () => {
  it.each(aboutKey)("S51 names the credential and what to do about %s", (_what, refusal, code, retryable, hint) => {
    const error = vendorError({ ...named, message: "", ...refusal });
    expect(error).toMatchObject({ code, retryable, hint: expect.stringMatching(hint) });
    expect(error.message).toMatch(/^Acme .*\(credential "Work key"\): /);
    expect(error.message.endsWith(`: ${refusal.message}`)).toBe(true);
  });

  it.each(aboutElse)("S51 does not blame the credential for %s", (_what, refusal, code, retryable, hint) => {
    const error = vendorError({ ...named, message: "", ...refusal });
    expect(error).toMatchObject({ code, retryable, hint: expect.stringMatching(hint) });
    expect(error.message).not.toContain("Work key");
    expect(error.message.endsWith(`: ${refusal.message}`)).toBe(true);
  });

  it.each([
    ["Please try again in 11.455s. Need more tokens?", 11_455],
    ["Please try again in 7m12.5s.", 432_500],
    ["Please try again in 6ms.", 6],
    ["Please try again in 1h2m3s.", 3_723_000],
    ["Please retry in 36.429760048s.", 36_430],
    ["Please try again later.", undefined],
    ["Please try again in a while.", undefined],
  ])("waits as told in words: %s", (message, expected) => {
    expect(vendorError({ ...named, status: 429, message }).retryAfterMs).toBe(expected);
    expect(vendorError({ ...named, status: 429, message, retryAfterMs: 5 }).retryAfterMs).toBe(5);
  });
});
