import type { z } from "zod/mini";
import { describeFields } from "../../engine/config/describe-fields.ts";
import { withImplied } from "../../engine/config/field-values.ts";
import { type ConfigFinding, defineNode, type InputsOf, type RunContext } from "../../engine/document/define-node.ts";
import { maybe, one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { isJsonObject, type Json, type JsonObject, jsonOrText, readJson } from "../../engine/json.ts";
import { boundedCheck } from "../../engine/json-schema/bounded-check.ts";
import { jailbreakRule } from "../../engine/trust/guard-instructions.ts";
import { RunError } from "../../engine/errors.ts";
import { patternProblem } from "../../engine/run/privacy/mask-text.ts";
import { config } from "./guardrails/config.ts";
import { createAskModel } from "./guardrails/ask-model.ts";
import { blockedWordsIn } from "./guardrails/blocked-words.ts";
import { modelCheckFailure } from "./guardrails/model-check.ts";
import { maskPersonalData } from "./guardrails/personal-data.ts";

/** Which switches of the form ask a model. */
const modelSwitches = ["moderation", "jailbreak"] as const;

/** A list that is filled turns its check on where nobody said otherwise. */
const completed = (raw: JsonObject) => withImplied(describeFields(config), raw);

function turnedOnIn(given: JsonObject): string[] {
  const raw = completed(given);
  return [
    ...(raw["pii"] === "mask" ? ["masks personal data"] : raw["pii"] === "fail" ? ["personal data"] : []),
    ...(raw["keywords"] === true ? ["words"] : []),
    ...(raw["length"] === true ? ["length"] : []),
    ...(raw["schema"] === true ? ["JSON"] : []),
    ...modelSwitches.filter((name) => raw[name] === true),
  ];
}

/** Roughly: a run reads it as RE2 does. */
function isRegularExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern.replace(/^\(\?[ims]+\)/, ""), "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function findings(given: JsonObject): ConfigFinding[] {
  const raw = completed(given);
  const found: ConfigFinding[] = [];
  const error = (name: string, message: string, hint: string) =>
    found.push({ field: name, severity: "error", message, hint });
  if (turnedOnIn(raw).length === 0) {
    const hint = "Turn on at least one check.";
    found.push({ field: "pii", severity: "warning", message: "No check is on, so every text passes.", hint });
  }
  const { minLength = 1, maxLength = 4_000, blockedWords = [], piiPatterns = [] } = raw;
  if (raw["keywords"] === true && Array.isArray(blockedWords) && blockedWords.length === 0)
    error("blockedWords", "There are no words to look for.", "Add a word, or turn the check off.");
  if (raw["length"] === true && Number(minLength) > Number(maxLength))
    error("minLength", "The least length is above the greatest.", "Swap them.");
  for (const pattern of raw["pii"] !== "off" && Array.isArray(piiPatterns) ? piiPatterns : []) {
    if (typeof pattern === "string" && !isRegularExpression(pattern))
      error("piiPatterns", `"${pattern}" is not a regular expression.`, "Correct the pattern, or remove it.");
  }
  return found;
}

const inputs = { main: one("main", { label: "Input" }), model: maybe("model", { label: "Model", side: "bottom" }) };

export const guardrails = defineNode({
  type: "guardrails",
  version: 1,
  role: "flow",
  decides: "passage",
  title: "Guardrails",
  summary: "Checks a text before or after an agent: pass or fail.",
  keywords: [
    "moderation",
    "safety",
    "filter",
    "pii",
    "jailbreak",
    "privacy",
    "validate",
    "check",
    "gdpr",
    "profanity",
    "toxic",
    "limit",
    "secure",
  ],
  icon: "shield-check",
  config,
  inputs,
  outputs: { pass: out("main", { label: "Pass" }), fail: out("main", { label: "Fail" }) },
  reach: nowhere,
  errorOutput: "fail",
  needs: (raw) => (modelSwitches.some((name) => completed(raw)[name] === true) ? ["model"] : []),
  describe(raw) {
    const line = turnedOnIn(raw).join(" · ");
    return line === "" ? "No check is on" : `${line.charAt(0).toUpperCase()}${line.slice(1)}`;
  },
  check: findings,
  run,
});

type Settings = z.infer<typeof config>;
type Context = RunContext<Settings, InputsOf<typeof inputs>>;

/** A check that a text did not pass, and why, in words. */
interface Failure extends JsonObject {
  check: "pii" | "keywords" | "length" | "schema" | "moderation" | "jailbreak";
  reason: string;
}

/**
 * Checks the text. `pass` gives the input with the text in it as it may go on (masked, where that is set), and as `text`. `fail`
 * gives the answer as `response`, the `text`, and which checks `failed`. A model is only asked about what passed all else.
 */
async function run(context: Context): Promise<{ pass?: Json; fail?: Json }> {
  const { config: settings, json, log } = context;
  const { masked, found } = personalDataIn(settings);
  const failed = await ownFailures(context, masked, found);
  if (failed.length === 0) failed.push(...(await modelFailures(context, masked)));
  if (failed.length > 0) {
    log("warn", `The text did not pass: ${failed.map(({ check }) => check).join(", ")}.`, failed);
    return { fail: { response: settings.answer, text: masked, failed } };
  }
  if (found.length > 0) log("info", `Masked ${listed(found)}.`);
  return { pass: { ...withText(json, settings.text, masked), text: masked } };
}

function personalDataIn(settings: Settings): { masked: string; found: string[] } {
  const { text, pii, piiPatterns } = settings;
  if (pii === "off") return { masked: text, found: [] };
  for (const pattern of piiPatterns) {
    const problem = patternProblem(pattern);
    if (problem === undefined) continue;
    const hint = "Correct the pattern in this node's settings, or remove it.";
    throw new RunError({
      code: "invalid_config",
      message: `The own pattern "${pattern}" cannot be used. ${problem}`,
      hint,
    });
  }
  const on = {
    keys: settings.piiKeys,
    emails: settings.piiEmails,
    cards: settings.piiCards,
    ibans: settings.piiIbans,
    phones: settings.piiPhones,
  };
  const kinds = (["keys", "emails", "cards", "ibans", "phones"] as const).filter((kind) => on[kind]);
  return maskPersonalData(text, { kinds, patterns: piiPatterns });
}

/** What fails without asking a model. */
async function ownFailures({ config, host, signal }: Context, masked: string, found: string[]): Promise<Failure[]> {
  const { text } = config;
  const failed: Failure[] = [];
  if (config.pii === "fail" && found.length > 0)
    failed.push({ check: "pii", reason: `The text holds ${listed(found)}.` });
  if (config.keywords) {
    const blocked = blockedWordsIn(text, config.blockedWords);
    if (blocked.length > 0)
      failed.push({ check: "keywords", reason: `The text holds ${listed(blocked.map((word) => `“${word}”`))}.` });
  }
  if (config.length) {
    const characters = [...text].length;
    const { minLength, maxLength } = config;
    if (characters < minLength || characters > maxLength) {
      const limits = `${minLength} to ${maxLength} are allowed`;
      failed.push({ check: "length", reason: `The text has ${characters} characters; ${limits}.` });
    }
  }
  if (config.schema) {
    const reason = await schemaFailure(masked, config.jsonSchema, (schema) => boundedCheck(host, schema, () => signal));
    if (reason !== undefined) failed.push({ check: "schema", reason });
  }
  return failed;
}

async function schemaFailure(
  text: string,
  schema: Settings["jsonSchema"],
  checkOf: (schema: NonNullable<Settings["jsonSchema"]>) => ReturnType<typeof boundedCheck>,
): Promise<string | undefined> {
  let value: Json;
  try {
    value = readJson(text);
  } catch {
    return "The text is not JSON.";
  }
  const verdict = schema === null ? { ok: true as const } : await checkOf(schema)(value);
  return verdict.ok ? undefined : `The JSON does not fit the schema. ${verdict.reason}`;
}

async function modelFailures(context: Context, text: string): Promise<Failure[]> {
  const { config, inputs, signal } = context;
  const { moderation, jailbreak, timeoutMs } = config;
  if (!moderation && !jailbreak) return [];
  const ask = inputs.model && createAskModel(context, inputs.model);
  const checks = [
    { check: "jailbreak", on: jailbreak, rule: jailbreakRule, threshold: config.jailbreakThreshold },
    { check: "moderation", on: moderation, rule: config.moderationRule, threshold: config.moderationThreshold },
  ] as const;
  const failed: Failure[] = [];
  for (const { check, on, rule, threshold } of checks) {
    if (!on) continue;
    const reason = await modelCheckFailure(ask, text, { rule, threshold, timeoutMs }, signal);
    if (reason !== undefined) failed.push({ check, reason });
  }
  return failed;
}

/** The input with the checked text, where it stands as the message or the response, as it may go on. */
function withText(json: Json, text: string, masked: string): JsonObject {
  if (!isJsonObject(json)) return {};
  const next = { ...json };
  if (masked === text) return next;
  for (const key of ["message", "response"]) {
    const value = next[key];
    if (value === text) next[key] = masked;
    else if (value !== undefined && typeof value !== "string" && JSON.stringify(value) === text) {
      next[key] = jsonOrText(masked);
    }
  }
  return next;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
