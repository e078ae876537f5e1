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
  ["an unpaid account", { status: 402, message: "Payment required." }, "rate_limit", false, /credit/],
];
const aboutElse: Case[] = [
  ["a failing server", { status: 500, message: "Oops." }, "model_error", true, /status page/],
  ["an overloaded one", { status: 529, type: "overloaded_error", message: "Overloaded" }, "model_error", true, /again/],
  ["a slow one", { status: 504, message: "Gateway timeout" }, "timeout", true, /faster/],
  ["a wrong setting", { status: 400, message: "top_p must be below 1." }, "model_error", false, /settings/],
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
});
